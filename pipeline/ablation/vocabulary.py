"""The proxy's own vocabulary, and slots: (record, token range) as it trains on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from corpusgate.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]

END = 0
"""Token between records: it opens a record's first slot and is the last target of its last."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A byte-level BPE and the bytes of each of its tokens."""

    tokenizer: Any
    size: int
    bytes: Ints
    """Bytes of each token; END counts as one, the line break between records."""

    @classmethod
    def train(cls, texts: Sequence[str], size: int) -> Vocabulary:
        """Byte-pair merges learned on the texts; all 256 bytes are in the alphabet."""
        try:
            from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
        except ImportError as error:
            raise MissingExtraError.of("tokenizers", "train", "ablate") from error
        tokenizer: Any = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=size,
            initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
            special_tokens=["<|end|>"],
            show_progress=False,
        )
        tokenizer.train_from_iterator([_encodable(text) for text in texts], trainer)
        tokenizer.encode_special_tokens = True  # "<|end|>" in a text is text
        found = tokenizer.get_vocab_size()
        widths = [_width(tokenizer.id_to_token(i)) for i in range(found)]
        widths[END] = 1
        return cls(tokenizer, found, np.array(widths, np.int64))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text."""
        found = self.tokenizer.encode_batch_fast([_encodable(t) for t in texts])
        return [encoding.ids for encoding in found]


# U+FFFD as a byte-level token spells its bytes EF BF BD
_REPLACED = "\u00ef\u00bf\u00bd"


def _width(token: str) -> int:
    """Source bytes of a token: a character a byte, and one where a byte was replaced.

    Three bytes for each unreadable one would spread its bits thin and hide the junk.
    """
    return len(token) - 2 * token.count(_REPLACED)


def _encodable(text: str) -> str:
    """The text with lone surrogates, which no UTF-8 can carry, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, eq=False)
class Slots:
    """Token windows of one view, in record order; arrays of length n but where said."""

    row: Ints
    """The record's row in the training text."""
    window: Ints
    """0 for the first window of its record."""
    start: Ints
    """First of the record's tokens among the targets, and behind the last one."""
    end: Ints
    inputs: NDArray[np.int32]
    """Shape (n, block); END beyond `length`."""
    targets: NDArray[np.int32]
    length: Ints
    """Targets of the slot."""
    bytes: Ints
    """Bytes behind the targets."""

    def __len__(self) -> int:
        return len(self.row)

    @classmethod
    def of(cls, texts: Sequence[str | None], vocabulary: Vocabulary, block: int) -> Slots:
        """Windows of at most `block` targets; a record without text has none."""
        rows = [i for i, text in enumerate(texts) if text is not None]
        coded = vocabulary.encode([text for text in texts if text is not None])
        parts = [
            (row, w, w * block, ids)
            for row, ids in zip(rows, coded, strict=True)
            for w in range(len(ids) // block + 1)
        ]
        n = len(parts)
        inputs, targets = np.full((2, n, block), END, np.int32)
        length, end = np.zeros((2, n), np.int64)
        for i, (_, _, at, ids) in enumerate(parts):
            size = min(block, len(ids) + 1 - at)
            targets[i, :size] = [*ids[at : at + size], END][:size]
            inputs[i, 0] = ids[at - 1] if at else END
            inputs[i, 1:size] = targets[i, : size - 1]
            length[i], end[i] = size, min(at + size, len(ids))
        inside = np.arange(block) < length[:, None]
        return cls(
            row=np.array([p[0] for p in parts], np.int64),
            window=np.array([p[1] for p in parts], np.int64),
            start=np.array([p[2] for p in parts], np.int64),
            end=end,
            inputs=inputs,
            targets=targets,
            length=length,
            bytes=np.where(inside, vocabulary.bytes[targets], 0).sum(1),
        )
