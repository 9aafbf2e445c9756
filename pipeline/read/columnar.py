"""Columnar sources (Parquet, Arrow, `datasets` folders) as Blocks."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import Status
from corpusgate.pipeline.decode import DecodeOptions
from corpusgate.pipeline.read.columnar_block import BlockBuilder
from corpusgate.pipeline.read.columnar_files import changed, cut_out, files_of, magic, open_rows
from corpusgate.pipeline.read.columnar_paths import leaves
from corpusgate.pipeline.read.columnar_survey import survey

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.model import Block
    from corpusgate.pipeline.read.columnar_files import Rows
    from corpusgate.pipeline.read.profile import Profile, Segment

__all__ = ["blocks", "fetch", "magic", "opened", "segment_rows", "survey"]


def blocks(
    path: Path, profile: Profile, segments: Sequence[Segment], options: DecodeOptions
) -> Iterator[tuple[Segment, Block]]:
    """(segment, block) of segments in order; a part is read once for those that lie in it.

    A body is the source's bytes of one text, a span the text they were read as. Null and
    absent texts have no span; a record without any has an empty body and a note.

    Raises:
        InputError: the source changed since it was surveyed.
    """
    with opened(path, profile) as rows:
        found = leaves(rows.schema, profile.text)
        label = tuple(profile.label.split(".")) if profile.label else ()
        if profile.label in rows.schema.names:
            label = (profile.label,)
        names = rows.schema.names
        wanted = {leaf.column for leaf in found}
        wanted |= {names.index(label[0])} if label and label[0] in names else set()
        for segment, batches in segment_rows(rows, profile, segments, sorted(wanted)):
            parts = BlockBuilder(segment, profile, found)
            for batch in batches:
                parts.take(batch, label)
            yield segment, parts.block(options)


@contextmanager
def opened(path: Path, profile: Profile) -> Iterator[Rows]:
    """The rows of a source that was surveyed.

    Raises:
        InputError: it changed since: its size, or it cannot be read any more.
    """
    import pyarrow as pa

    try:
        if sum(file.stat().st_size for file in files_of(path)) != profile.file_bytes:
            raise changed(profile.key)
        with open_rows(path, profile.format) as rows:
            yield rows
    except (pa.ArrowException, OSError) as error:
        raise changed(profile.key) from error


def segment_rows(
    rows: Rows, profile: Profile, segments: Sequence[Segment], columns: Sequence[int] | None = None
) -> Iterator[tuple[Segment, list[pa.RecordBatch]]]:
    """(segment, its rows) of segments in order.

    Raises:
        InputError: the source changed since it was surveyed.
    """
    for part, group in groupby(segments, key=lambda segment: segment.part):
        wanted = list(group)
        ranges = [(segment.start, segment.end) for segment in wanted]
        got = 0
        if part < rows.parts:
            for number, batches in cut_out(rows.batches(part, columns), ranges):
                if sum(batch.num_rows for batch in batches) == wanted[number].records:
                    got += 1
                    yield wanted[number], batches
        if got < len(wanted):
            raise changed(profile.key)


def fetch(
    path: Path, profile: Profile, records: Sequence[int], options: DecodeOptions | None = None
) -> dict[int, tuple[str, ...]]:
    """Texts of single records, as decoded; those that nothing reads with bytes replaced."""
    wanted = sorted(set(records))
    held = np.array(wanted, np.int64)
    segments = [
        s
        for s in profile.segments
        if np.searchsorted(held, s.first_record) < np.searchsorted(held, s.first_record + s.records)
    ]
    found: dict[int, tuple[str, ...]] = {}
    for _, block in blocks(path, profile, segments, options or DecodeOptions()):
        for row in np.flatnonzero(np.isin(block.columns.record, held)).tolist():
            texts = block.texts(row)
            if block.status[row] == Status.UNDECODABLE:
                bodies = block.body[block.body_record == row].tolist()
                texts = [block.view[s:e].decode("utf-8", "replace") for s, e in bodies]
            found[int(block.columns.record[row])] = tuple(texts)
    return found
