"""A small GPT: RMSNorm, rotary positions, SwiGLU, scaled-dot-product attention."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Shape:
    """Width, depth and heads of a network."""

    width: int
    depth: int
    heads: int

    @property
    def hidden(self) -> int:
        """Units of the gated layer: 8/3 of the width, in whole 32s (Shazeer 2020)."""
        return max(32, 8 * self.width // 3 // 32 * 32)


SHAPES = {"tiny": Shape(64, 2, 2), "small": Shape(96, 3, 3)}
# standard deviation of the initial weights; residual outputs are scaled down by depth (GPT-2)
_INIT = 0.02
# base of the rotary frequencies (Su et al. 2021)
_ROTARY_BASE = 10_000.0


class Layer(nn.Module):
    """Attention and a gated layer, each behind a norm, each added to the stream."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width, hidden = shape.width, shape.hidden
        self.heads = shape.heads
        self.norm_attention = nn.Parameter(torch.ones(width))
        self.norm_gated = nn.Parameter(torch.ones(width))
        self.query_key_value = nn.Parameter(torch.empty(3 * width, width))
        self.attention_out = nn.Parameter(torch.empty(width, width))
        self.gate_up = nn.Parameter(torch.empty(2 * hidden, width))
        self.gated_out = nn.Parameter(torch.empty(width, hidden))

    def forward(self, stream: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
        """The stream, shape (batch, time, width), after this layer."""
        batch, time, width = stream.shape
        normed = functional.rms_norm(stream, (width,), self.norm_attention)
        mixed = functional.linear(normed, self.query_key_value)
        heads = mixed.view(batch, time, 3, self.heads, width // self.heads)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(
            _rotate(query, cosine, sine), _rotate(key, cosine, sine), value, is_causal=True
        )
        joined = attended.transpose(1, 2).reshape(batch, time, width)
        stream = stream + functional.linear(joined, self.attention_out)
        normed = functional.rms_norm(stream, (width,), self.norm_gated)
        gate, up = functional.linear(normed, self.gate_up).chunk(2, -1)
        return stream + functional.linear(functional.silu(gate) * up, self.gated_out)


def _rotate(heads: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Turn the two halves of each head by the angle of its position."""
    first, second = heads.chunk(2, -1)
    return torch.cat((first * cosine - second * sine, first * sine + second * cosine), -1)


class Network(nn.Module):
    """Tokens to logits. Padding lies on the right, so the causal mask hides it."""

    cosine: Tensor
    sine: Tensor

    def __init__(self, vocabulary: int, shape: Shape, block: int, seed: int) -> None:
        super().__init__()
        self.embedding = nn.Parameter(torch.empty(vocabulary, shape.width))
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.depth))
        self.norm = nn.Parameter(torch.ones(shape.width))
        self.head = nn.Parameter(torch.empty(vocabulary, shape.width))
        half = shape.width // shape.heads // 2
        turns = _ROTARY_BASE ** -(torch.arange(half) / half)
        angles = torch.outer(torch.arange(block), turns)
        self.register_buffer("cosine", angles.cos(), persistent=False)
        self.register_buffer("sine", angles.sin(), persistent=False)
        draws = torch.Generator().manual_seed(seed)
        residual = _INIT / math.sqrt(2 * shape.depth)
        for name, weight in self.named_parameters():
            if weight.ndim > 1:
                deviation = residual if name.endswith("_out") else _INIT
                nn.init.normal_(weight, std=deviation, generator=draws)

    def losses(self, inputs: Tensor, targets: Tensor, places: Tensor) -> Tensor:
        """Nats of each target, shape (batch, time), 0 where there is padding.

        Args:
            inputs: token ids, shape (batch, time).
            targets: the token after each.
            places: flat positions that hold a real target, ascending.
        """
        time = inputs.shape[1]
        stream = functional.embedding(inputs, self.embedding)
        for layer in self.layers:
            stream = layer(stream, self.cosine[:time], self.sine[:time])
        normed = functional.rms_norm(stream, (stream.shape[-1],), self.norm)
        # logits of the real targets alone: the head is most of a small model's work
        logits = functional.linear(normed.flatten(0, 1).index_select(0, places), self.head)
        nats = functional.cross_entropy(logits, targets.flatten()[places], reduction="none")
        return nats.new_zeros(inputs.numel()).index_copy(0, places, nats).view(inputs.shape)
