"""A training run that can be stopped, rewound and replayed to the bit."""

from __future__ import annotations

import math
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import torch

from corpusgate.errors import ConfigError
from corpusgate.pipeline.ablation.network import SHAPES, Network

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from corpusgate.pipeline.ablation.options import AblateOptions, Device, Pulse
    from corpusgate.pipeline.ablation.vocabulary import Slots

    Rows: TypeAlias = NDArray[np.int64]
    Nats: TypeAlias = NDArray[np.float64]

# AdamW as small GPTs are trained (GPT-3 appendix B; PaLM section 5 for the clipping)
BETAS = (0.9, 0.95)
WEIGHT_DECAY = 0.1
CLIP = 1.0
# peak rate of the measured prototype runs at these sizes (docs/ablate.md)
PEAK_RATE = 3e-3
# warm-up steps of the measured runs, at most a tenth of a short one
WARM_STEPS = 20
# the cosine ends at a tenth of the peak (Hoffmann et al. 2022)
LAST_SHARE = 0.1
# slots scored at once; a matter of memory alone
_CHUNK = 64


@contextmanager
def single_thread(device: torch.device) -> Iterator[None]:
    """One thread, deterministic kernels; what was set before is set again after.

    The settings for CUDA follow PyTorch's notes on reproducibility; they have never run on
    a GPU, and hold only if this is entered before the CUDA context exists.
    """
    if device.type == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    if device.type == "cuda":
        torch.use_deterministic_algorithms(True)
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cuda.enable_flash_sdp(False)
        torch.backends.cuda.enable_mem_efficient_sdp(False)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(strict)


def pick_device(name: Device) -> torch.device:
    """The device to train on; `auto` takes a GPU where there is one."""
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError(
            "no-cuda", "ablate: --device cuda, but torch sees no GPU; use --device cpu"
        )
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def schedule(steps: int, pulse: Pulse | None = None) -> Nats:
    """Learning rate of each step: linear warm-up, cosine down, times the pulse."""
    warm = max(1, min(WARM_STEPS, steps // 10))
    at = np.arange(steps)
    cosine = 0.5 * (1 + np.cos(math.pi * at / max(1, steps)))
    rate = PEAK_RATE * np.minimum(1, (at + 1) / warm) * (LAST_SHARE + (1 - LAST_SHARE) * cosine)
    if pulse:
        rate[pulse.step : pulse.step + pulse.width] *= pulse.factor
    return np.asarray(rate, np.float64)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Weights, both Adam moments, and the step they stand before."""

    step: int
    weights: tuple[Tensor, ...]
    moments: tuple[dict[str, Tensor], ...]


@dataclass(frozen=True, eq=False)
class Stepped:
    """What one step of training showed."""

    nats: Nats
    """Of each slot of the batch, before it was learned from."""
    loss: float
    """Nats a target."""
    gradient: float
    """Norm before clipping."""


class Trainer:
    """Weights and optimizer of one run; every method leaves a state that a snapshot holds."""

    def __init__(
        self, slots: Slots, vocabulary: int, options: AblateOptions, device: torch.device
    ) -> None:
        self.slots, self.device, self.at = slots, device, 0
        shape = SHAPES[options.size]
        self.network = Network(vocabulary, shape, options.block, options.seed).to(device)
        self.weights = list(self.network.parameters())
        groups = [
            {"params": [w for w in self.weights if w.ndim > 1], "weight_decay": WEIGHT_DECAY},
            {"params": [w for w in self.weights if w.ndim == 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=PEAK_RATE, betas=BETAS, foreach=True)
        self.trained = self.scored = 0
        """Slots through a step, and slots through a forward pass alone."""

    def step(self, rows: Rows, rate: float) -> Stepped:
        """Learn from one batch of slots at a learning rate."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        nats = self._sums(rows)
        loss = nats.sum() / int(self.slots.length[rows].sum())
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        norm = float(torch.nn.utils.clip_grad_norm_(self.weights, CLIP))
        if math.isfinite(norm):  # as a loss scaler does: a step that is not a number is skipped
            self.optimizer.step()
        self.at += 1
        self.trained += len(rows)
        return Stepped(nats.detach().cpu().double().numpy(), float(loss.detach()), norm)

    @torch.no_grad()
    def score(self, rows: Rows) -> Nats:
        """Nats of each slot, learning nothing."""
        self.scored += len(rows)
        parts = [self._sums(rows[i : i + _CHUNK]) for i in range(0, len(rows), _CHUNK)]
        return torch.cat(parts).cpu().double().numpy() if parts else np.zeros(0)

    def mean(self, rows: Rows) -> float:
        """Nats a target over some slots."""
        return float(self.score(rows).sum() / self.slots.length[rows].sum())

    def snapshot(self) -> Snapshot:
        """A copy of the state."""
        moments = tuple(
            {name: value.clone() for name, value in self.optimizer.state[w].items()}
            for w in self.weights
        )
        return Snapshot(self.at, tuple(w.detach().clone() for w in self.weights), moments)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        with torch.no_grad():
            for weight, kept in zip(self.weights, snapshot.weights, strict=True):
                weight.copy_(kept)
        self.optimizer.state.clear()
        for weight, moments in zip(self.weights, snapshot.moments, strict=True):
            if moments:
                self.optimizer.state[weight] = {k: v.clone() for k, v in moments.items()}
        self.at = snapshot.step

    def reach(
        self, step: int, snapshots: Sequence[Snapshot], batches: Sequence[Rows], rates: Nats
    ) -> None:
        """Rewind to the last snapshot before a step and replay up to it as it was."""
        self.restore(max((s for s in snapshots if s.step <= step), key=lambda s: s.step))
        while self.at < step:
            self.step(batches[self.at], float(rates[self.at]))

    def _sums(self, rows: Rows) -> Tensor:
        """Nats of each slot of a batch, padded only to its longest."""
        length = self.slots.length[rows]
        time = int(length.max())
        places = np.flatnonzero(np.arange(time) < length[:, None])
        inputs = torch.from_numpy(self.slots.inputs[rows, :time].astype(np.int64))
        targets = torch.from_numpy(self.slots.targets[rows, :time].astype(np.int64))
        to = self.device
        return self.network.losses(
            inputs.to(to), targets.to(to), torch.from_numpy(places).to(to)
        ).sum(1)
