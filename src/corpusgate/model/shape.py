"""Shape: which fields a record has and of what types; turns: what a conversation is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Shape: TypeAlias = tuple[tuple[str, str], ...]
"""Sorted (key, type) pairs of a record, each once; a key counts at whatever depth it stands.

Types are the names of RFC 8259: string, number, boolean, null, object, array.
"""

Content: TypeAlias = Literal["text", "empty", "null", "missing", "parts", "call", "other"]
"""What a turn says: a text, one of white space alone, null, no such key, a list of parts,
a call of a tool instead of a text, or a value of another type."""


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation: who speaks (as written) and what is there."""

    role: str
    content: Content
