"""What a tokenizer did to the records of a block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    """Bits of what decode(encode(text)) lost; 0 is an exact round trip."""
    special: tuple[tuple[int, str, int], ...] = ()
    """(row, special token that stands in the text as plain characters, times)."""
    lost: tuple[tuple[int, str, str, str], ...] = ()
    """(row, loss class, text before, text after) of a few rows, cut around the loss."""
    script_bytes: tuple[tuple[str, int], ...] = field(default=())
    """UTF-8 bytes by script, over readable records."""
    script_tokens: tuple[tuple[str, int], ...] = field(default=())
    """Tokens by the script of their first letter."""
