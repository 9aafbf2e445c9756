"""Pieces: the segments of a source, read again and cut as the survey cut them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusgate.errors import InputError
from corpusgate.pipeline.read.assemble import Piece
from corpusgate.pipeline.read.container import Stream
from corpusgate.pipeline.read.cut import cutter_of
from corpusgate.pipeline.read.profile import Profile, Segment, digest
from corpusgate.pipeline.read.wide import to_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


def segments(
    path: Path, profile: Profile, wanted: Sequence[Segment]
) -> Iterator[tuple[Segment, bytes]]:
    """(segment, its source bytes), in stream order; the bytes of an oversize one are empty.

    Raises:
        InputError: the source changed since it was surveyed.
    """
    if not wanted:  # nothing was read of it: it may be unreadable
        return
    with Stream(path) as stream:
        for segment in wanted:
            stream.skip(segment.start - stream.offset)
            if segment.oversize:
                yield segment, b""
                continue
            data = stream.read(segment.end - segment.start)
            if digest(data) != segment.digest:
                message = f"{profile.key}: changed while it was read; run the audit again"
                raise InputError("source-changed", message)
            yield segment, data


def pieces(
    path: Path, profile: Profile, wanted: Sequence[Segment]
) -> Iterator[tuple[Segment, Piece | None]]:
    """(segment, piece) in order; None for the piece of a record too long to be held."""
    cutter = cutter_of(profile.format, {"delimiter": profile.delimiter})
    for segment, data in segments(path, profile, wanted):
        if segment.oversize:
            yield segment, None
            continue
        utf8, offsets = to_utf8(data, profile.wide) if profile.wide else (data, None)
        cut = cutter(utf8, final=True)
        first = segment.first_record
        yield segment, Piece(utf8, segment.start, cut, first, segment.first_line, offsets)


def prologue(path: Path, profile: Profile) -> bytes:
    """The source bytes in front of the first record: a byte order mark, a CSV header."""
    with Stream(path) as stream:
        return stream.read(profile.prologue)


def oversize_bytes(path: Path, segment: Segment, chunk: int = 1 << 20) -> Iterator[bytes]:
    """The bytes of a record that is too long to be held, a chunk at a time."""
    with Stream(path) as stream:
        stream.skip(segment.start)
        left = segment.end - segment.start
        while left > 0 and (data := stream.read(min(chunk, left))):
            left -= len(data)
            yield data
