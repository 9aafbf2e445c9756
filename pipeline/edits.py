"""Edits: changes of a source in coordinates of its decompressed stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.model import Block


@dataclass(frozen=True)
class Edit:
    """One change of a source, in coordinates of its decompressed stream.

    `old` is None where it is kept elsewhere: in quarantine (`quarantine` names the stage), or
    as `new` encoded by `encoding`. `new` is None for a pure change of encoding.
    """

    record: int
    line: int
    offset: int
    length: int
    old: bytes | None
    new: bytes | None
    new_length: int
    encoding: str
    field: str
    check: str
    quarantine: str = ""
    at: tuple[int, int] = (0, 0)
    """Extent in the piece's bytes that `new` takes the place of."""


@dataclass(frozen=True)
class Cleaned:
    """What became of the records of a block.

    `texts` holds the cleaned texts of each kept record, `None` for one set aside.
    """

    edits: tuple[Edit, ...]
    data: bytes
    """The piece with its edits made: UTF-8 where the source was wide."""
    texts: tuple[tuple[bytes, ...] | None, ...]
    reasons: tuple[str, ...]
    """Per record: why it was set aside, or the empty string."""


def stream_offset(block: Block, position: int) -> int:
    """Offset in the source's stream of a position in the view's source part."""
    if block.stream_offsets is None:
        return block.base + position
    return block.base + int(block.stream_offsets[position])


def source_bytes(block: Block, start: int, end: int) -> bytes:
    """The source's own bytes behind an extent of the view's source part."""
    data = block.view[start:end]
    if block.stream_offsets is None:
        return data
    return data.decode("utf-8", "surrogatepass").encode(block.encodings[0], "surrogatepass")


def view_position(block: Block, offset: int) -> int:
    """Where in the view's source part a stream offset lies."""
    if block.stream_offsets is None:
        return offset - block.base
    return int(np.searchsorted(block.stream_offsets, offset - block.base, "left"))


def splice(data: bytes, changes: Sequence[tuple[int, int, bytes]]) -> bytes:
    """Bytes with each [start, end) replaced, for changes in order."""
    parts, at = [], 0
    for start, end, new in changes:
        parts += [data[at:start], new]
        at = end
    return b"".join([*parts, data[at:]])
