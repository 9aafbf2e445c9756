"""What a tokenizer did to the records of a block."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Loss(IntFlag):
    """What decode(encode(text)) did not give back; the bits of `TokenFacts.loss`."""

    NFC = 1
    """Another form of the same characters (canonical equivalence)."""
    NFKC = 2
    """Characters folded to look-alikes: full width, ligatures, circled digits."""
    CASE = 4
    ACCENTS = 8
    """Combining marks dropped, vowel signs of Indic scripts among them."""
    LEADING_SPACE = 16
    INNER_SPACE = 32
    """White space behind the first character, at the end too; U+2581 read as a space."""
    SPACE_AFTER_SPECIAL = 64
    """White space behind a special token that stands in the text."""
    UNK = 128
    SURROGATE = 256
    """The record holds a lone surrogate, which a tokenizer refuses or replaces."""
    DROPPED_CONTROL = 512
    CRASH = 1024
    """The tokenizer raised an error or panicked on the text."""
    OTHER = 2048

    @property
    def label(self) -> str:
        """The name of a single class used in metrics and reports."""
        return (self.name or "exact").lower().replace("_", "-")

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of all classes in it, in the order of their bits."""
        return tuple(part.label for part in self)


@dataclass(frozen=True, eq=False)
class TokenFacts:
    """Per-record columns, arrays of length n, of the cleaned text under one tokenizer."""

    tokens: NDArray[np.int64]
    """Tokens of the record, special tokens of the template not counted."""
    unknown: NDArray[np.int64]
    """Unknown tokens among them."""
    truncated: NDArray[np.int64]
    """Tokens beyond the stated context length; 0 where none was stated."""
    loss: NDArray[np.uint32]
    """Bits of what decode(encode(text)) lost (`Loss`); 0 is an exact round trip."""
    special: tuple[tuple[int, str, int], ...] = ()
    """(row, special token that stands in the text as plain characters, times)."""
    lost: tuple[tuple[int, str, str, str], ...] = ()
    """(row, loss class, text before, text after) cut around the loss, of the rows of each
    class whose ids are lowest."""
    script_bytes: tuple[tuple[str, int], ...] = field(default=())
    """UTF-8 bytes by the main script of their record, over readable records."""
    script_tokens: tuple[tuple[str, int], ...] = field(default=())
    """Tokens by the main script of their record."""
    script_unknown: tuple[tuple[str, int], ...] = ()
    """Unknown tokens by the main script of their record."""
    context: int = 0
    """The stated context length; 0 where none was stated."""
    vocabulary: int = 0
    """Entries of the tokenizer's vocabulary, added tokens counted."""
    used: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """Ids that occur, ascending, each once."""
    in_pieces: tuple[int, ...] = ()
    """Rows too long to be given to the tokenizer in one piece."""
