"""Columnar sources (Parquet, Arrow, `datasets` folders) as Blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.errors import InputError
from corpusgate.model import COPY, UNKNOWN, Block, Columns, Status
from corpusgate.pipeline.decode import DecodeOptions
from corpusgate.pipeline.read.columnar_cells import (
    Leaf,
    as_bytes,
    cells,
    extents,
    invalid,
    kind_of,
    leaves,
    stored,
)
from corpusgate.pipeline.read.columnar_files import cut_out, magic, open_rows
from corpusgate.pipeline.read.columnar_survey import survey
from corpusgate.text.encodings import EncodingProfile, Reading, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from corpusgate.pipeline.read.columnar_files import Rows
    from corpusgate.pipeline.read.profile import Profile, Segment

    Ints = NDArray[np.int64]

__all__ = ["blocks", "fetch", "magic", "segment_rows", "survey"]

UTF8 = "utf-8"
# Lists within lists on a path to a string, at most: the content parts of a chat's messages.
DEPTH = 2


def blocks(
    path: Path, profile: Profile, segments: Sequence[Segment], options: DecodeOptions
) -> Iterator[tuple[Segment, Block]]:
    """(segment, block) of segments in order; a part is read once for those that lie in it.

    A body is the source's bytes of one text, a span the text they were read as. Null and
    absent texts have no span; a record without any has an empty body and a note.

    Raises:
        InputError: the source changed since it was surveyed.
    """
    with open_rows(path, profile.format) as rows:
        found = leaves(rows.schema, profile.text)
        label = tuple(profile.label.split(".")) if profile.label else ()
        if profile.label in rows.schema.names:
            label = (profile.label,)
        names = rows.schema.names
        wanted = {leaf.column for leaf in found}
        wanted |= {names.index(label[0])} if label and label[0] in names else set()
        for segment, batches in segment_rows(rows, profile, segments, sorted(wanted)):
            parts = _Build(segment, profile, found)
            for batch in batches:
                parts.take(batch, label)
            parts.decode(options)
            yield segment, parts.block()


def segment_rows(
    rows: Rows, profile: Profile, segments: Sequence[Segment], columns: Sequence[int] | None = None
) -> Iterator[tuple[Segment, list[pa.RecordBatch]]]:
    """(segment, its rows) of segments in order.

    Raises:
        InputError: the source changed since it was surveyed.
    """
    import pyarrow as pa

    message = f"{profile.key}: changed while it was read; run the audit again"
    for part, group in groupby(segments, key=lambda segment: segment.part):
        wanted = list(group)
        ranges = [(segment.start, segment.end) for segment in wanted]
        got = 0
        try:
            if part < rows.parts:
                for number, batches in cut_out(rows.batches(part, columns), ranges):
                    if sum(batch.num_rows for batch in batches) == wanted[number].records:
                        got += 1
                        yield wanted[number], batches
        except (pa.ArrowException, OSError) as error:
            raise InputError("source-changed", message) from error
        if got < len(wanted):
            raise InputError("source-changed", message)


def fetch(
    path: Path, profile: Profile, records: Sequence[int], options: DecodeOptions | None = None
) -> dict[int, tuple[str, ...]]:
    """Texts of single records, as decoded; those that nothing reads with bytes replaced."""
    wanted = sorted(set(records))
    held = np.array(wanted, np.int64)
    segments = [
        s
        for s in profile.segments
        if np.searchsorted(held, s.first_record)
        < np.searchsorted(held, s.first_record + s.records)
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


@dataclass(eq=False)
class _Build:
    """The growing parts of a block."""

    segment: Segment
    profile: Profile
    leaves: tuple[Leaf, ...]
    rows: int = 0
    size: int = 0
    view: list[bytes] = field(default_factory=list)
    table: list[Ints] = field(default_factory=list)
    """Rows (record, column, list numbers..., leaf, start, end), a text each."""
    bad: list[tuple[int, int, int]] = field(default_factory=list)
    """(start, end) in the view of texts that are not UTF-8, with the text's number."""
    label: list[str | None] = field(default_factory=list)
    held: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    """Per record: whether a column of its texts holds something."""

    def take(self, batch: pa.RecordBatch, label: tuple[str, ...]) -> None:
        """Add the rows of a batch."""
        held = np.zeros(batch.num_rows, bool)
        places = batch.schema.names
        for number, leaf in enumerate(self.leaves):
            column = batch.column(places.index(leaf.path[0]))
            held |= column.is_valid().to_numpy(zero_copy_only=False)
            found = cells(leaf, column)
            data, start, end = extents(found.values, found.position)
            first = sum(len(rows) for rows in self.table)
            self.bad += [
                (self.size + int(start[i]), self.size + int(end[i]), first + i)
                for i in invalid(data, start, end)
            ]
            index = np.full((len(start), DEPTH), -1, np.int64)
            index[:, : found.index.shape[1]] = found.index
            where = np.full((len(start), 1), leaf.column), np.full((len(start), 1), number)
            row = (found.row + self.rows)[:, None]
            extent = np.column_stack([start, end]) + self.size
            self.table.append(np.hstack([row, where[0], index, where[1], extent]))
            self.view.append(data)
            self.size += len(data)
        self.held = np.concatenate([self.held, held])
        self.label += labels(batch, label)
        self.rows += batch.num_rows

    def decode(self, options: DecodeOptions) -> None:
        """Read what is not strict UTF-8 by the profile's encodings."""
        raw = b"".join(self.view)
        self.raw, self.readings = raw, dict[int, Reading]()
        texts = {raw[start:end]: None for start, end, _ in self.bad}
        known = EncodingProfile(self.profile.encodings)
        answers = dict(zip(texts, read(list(texts), known, options.reading), strict=True))
        self.readings = {number: answers[raw[start:end]] for start, end, number in self.bad}

    def block(self) -> Block:
        """The block of what was taken."""
        table, readings = self._sorted()
        record, body = table[:, 0], table[:, -2:]
        facts = _Facts.of(record, readings, self.rows)
        annex, span = self._annex(body, readings)
        readable = facts.status[record] != Status.UNDECODABLE
        length = np.zeros(self.rows, np.int64)
        np.add.at(length, record, body[:, 1] - body[:, 0])
        bare = np.setdiff1d(np.arange(self.rows), record)  # records without a text
        bodies = np.concatenate([record, bare])
        order = np.argsort(bodies, kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        extent = np.concatenate([body, np.zeros((len(bare), 2), np.int64)])
        unknown = np.full(self.rows, UNKNOWN, np.int64)
        span = span[readable]
        names = [self.leaves[row[-3]].field(row[2 : 2 + DEPTH]) for row in table[readable].tolist()]
        return Block(
            source=self.profile.source,
            split=self.profile.split,
            columns=Columns(
                record=self.segment.first_record + np.arange(self.rows, dtype=np.int64),
                line=unknown, start=unknown, length=length, stop=unknown,
            ),
            base=0,
            raw_size=len(self.raw),
            view=b"".join([self.raw, *annex]) if annex else self.raw,
            status=facts.status,
            encoding=facts.encoding,
            encodings=tuple(facts.names),
            margin=facts.margin,
            runner_up=facts.runner_up,
            fault=("",) * self.rows,
            body_record=bodies[order],
            body=extent[order],
            span_record=record[readable],
            span=span,
            span_body=place[: len(record)][readable],
            span_field=tuple(names),
            origin=span,
            form=np.full(len(span), COPY, np.int8),
            label=tuple(self.label),
            notes=tuple((self._absence(row), row) for row in bare.tolist()),
            row_group=self.segment.part,
        )  # fmt: skip

    def _absence(self, row: int) -> str:
        if not self.leaves:
            return "text-missing"
        return "text-not-string" if self.held[row] else "text-null"

    def _sorted(self) -> tuple[Ints, dict[int, Reading]]:
        """The texts in file order: by record, column, list element."""
        if not self.table:
            return np.zeros((0, DEPTH + 5), np.int64), {}
        table = np.concatenate(self.table)
        if len(self.leaves) == 1:
            return table, self.readings
        order = np.lexsort(table[:, DEPTH + 2 :: -1].T)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return table[order], {int(place[i]): reading for i, reading in self.readings.items()}

    def _annex(self, body: Ints, readings: dict[int, Reading]) -> tuple[list[bytes], Ints]:
        """(decoded texts, the extent of each text): behind the raw bytes where it was decoded."""
        span, annex, size = body.copy(), list[bytes](), len(self.raw)
        for i, reading in sorted(readings.items()):
            if reading.text is not None:
                annex.append(reading.text.encode("utf-8"))
                span[i] = size, size + len(annex[-1])
                size += len(annex[-1])
        return annex, span


@dataclass(eq=False)
class _Facts:
    """What the readings of its texts say of each record: of the least sure among them."""

    status: NDArray[np.int8]
    encoding: NDArray[np.int16]
    margin: NDArray[np.float64]
    runner_up: NDArray[np.int16]
    names: list[str]

    @classmethod
    def of(cls, record: Ints, readings: dict[int, Reading], rows: int) -> _Facts:
        """Facts of every record; those without a reading are UTF-8."""
        facts = cls(
            np.zeros(rows, np.int8), np.zeros(rows, np.int16), np.full(rows, np.nan),
            np.full(rows, -1, np.int16), [UTF8],
        )  # fmt: skip
        for i, reading in sorted(readings.items()):
            row = int(record[i])
            seen = (int(facts.status[row]), -float(facts.margin[row]))
            if facts.status[row] == Status.OK or (int(reading.status), -reading.margin) > seen:
                facts.status[row] = reading.status
                facts.margin[row] = reading.margin
                facts.encoding[row] = facts.number(reading.encoding)
                facts.runner_up[row] = facts.number(reading.runner_up)
        return facts

    def number(self, name: str | None) -> int:
        """Number of an encoding; -1 for none."""
        if name is None:
            return -1
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)


def labels(batch: pa.RecordBatch, path: tuple[str, ...]) -> list[str | None]:
    """The label of each row as text; None where it is null, absent or no single value."""
    import pyarrow as pa
    import pyarrow.types as t

    names = batch.schema.names
    if not path or path[0] not in names:
        return [None] * batch.num_rows
    array = stored(batch.column(names.index(path[0])))
    for step in path[1:]:
        if kind_of(array.type) != "struct" or array.type.get_field_index(step) < 0:
            return [None] * batch.num_rows
        array = stored(pa.array(array).flatten()[array.type.get_field_index(step)])
    if t.is_dictionary(array.type):
        array = stored(array.dictionary_decode())
    if t.is_nested(array.type):
        return [None] * batch.num_rows
    if kind_of(array.type) == "text":
        array = as_bytes(array)
    return [_label(value) for value in array.to_pylist()]


def _label(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
