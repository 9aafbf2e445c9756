"""From record batches to a Block: the texts of each record, decoded, and its label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import COPY, UNKNOWN, Block, Columns, Status
from corpusgate.pipeline.read.columnar_cells import as_bytes, cells, extents, invalid, stored
from corpusgate.pipeline.read.columnar_paths import EACH, Leaf, kind_of
from corpusgate.text.encodings import Reading, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from corpusgate.pipeline.decode import DecodeOptions
    from corpusgate.pipeline.read.profile import Profile, Segment

    Ints = NDArray[np.int64]

UTF8 = "utf-8"
# The last columns of a table of texts: number of its leaf, extent in the view.
LEAF, START, END = -3, -2, -1


@dataclass(eq=False)
class BlockBuilder:
    """The growing parts of a block: take its batches in order, then make it."""

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
    held: list[NDArray[np.bool_]] = field(default_factory=list)
    """Per record: whether a column of its texts holds something."""
    texts: int = 0

    @property
    def depth(self) -> int:
        """Lists on the deepest path to a text."""
        return max((leaf.path.count(EACH) for leaf in self.leaves), default=0)

    def take(self, batch: pa.RecordBatch, label: tuple[str, ...]) -> None:
        """Add the rows of a batch."""
        held = np.zeros(batch.num_rows, bool)
        places = batch.schema.names
        for number, leaf in enumerate(self.leaves):
            column = batch.column(places.index(leaf.path[0]))
            held |= column.is_valid().to_numpy(zero_copy_only=False)
            found = cells(leaf, column)
            data, start, end = extents(found.values, found.position)
            self.bad += [
                (self.size + int(start[i]), self.size + int(end[i]), self.texts + i)
                for i in invalid(data, start, end)
            ]
            table = np.full((len(start), self.depth + 5), -1, np.int64)
            table[:, 0], table[:, 1] = found.row + self.rows, leaf.column
            table[:, 2 : 2 + found.index.shape[1]] = found.index
            table[:, LEAF], table[:, START], table[:, END] = (
                number, start + self.size, end + self.size,
            )  # fmt: skip
            self.table.append(table)
            self.view.append(data)
            self.size += len(data)
            self.texts += len(table)
        self.held.append(held)
        self.label += labels(batch, label)
        self.rows += batch.num_rows

    def _readings(self, raw: bytes, options: DecodeOptions) -> dict[int, Reading]:
        """How the texts that are not strict UTF-8 are read, by the profile's encodings."""
        texts = list({raw[start:end]: None for start, end, _ in self.bad})
        known = self.profile.encodings
        answers = dict(zip(texts, read(texts, known, options.reading), strict=True))
        return {number: answers[raw[start:end]] for start, end, number in self.bad}

    def block(self, options: DecodeOptions) -> Block:
        """The block of what was taken."""
        raw = b"".join(self.view)
        table, readings = self._sorted(self._readings(raw, options))
        record, body = table[:, 0], table[:, START:]
        facts = _Facts.of(record, readings, self.rows)
        annex, span = _annex(len(raw), body, readings)
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
        return Block(
            source=self.profile.source,
            split=self.profile.split,
            columns=Columns(
                record=self.segment.first_record + np.arange(self.rows, dtype=np.int64),
                line=unknown, start=unknown, length=length, stop=unknown,
            ),
            base=0,
            raw_size=len(raw),
            view=b"".join([raw, *annex]) if annex else raw,
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
            span_field=tuple(self._names(table[readable])),
            origin=span,
            form=np.full(len(span), COPY, np.int8),
            label=tuple(self.label),
            notes=tuple(self._absences(bare)),
            row_group=self.segment.part,
        )  # fmt: skip

    def _names(self, table: Ints) -> Iterator[str]:
        for row in table.tolist():
            yield self.leaves[row[LEAF]].field(row[2:LEAF])

    def _absences(self, rows: Ints) -> Iterator[tuple[str, int]]:
        """Why each of these records has no text."""
        held = np.concatenate(self.held) if self.held else np.zeros(0, bool)
        for row in rows.tolist():
            if not self.leaves:
                yield "text-missing", row
            else:
                yield "text-not-string" if held[row] else "text-null", row

    def _sorted(self, readings: dict[int, Reading]) -> tuple[Ints, dict[int, Reading]]:
        """The texts in file order: by record, column, list element, path."""
        if not self.table:
            return np.zeros((0, self.depth + 5), np.int64), {}
        table = np.concatenate(self.table)
        if len(self.leaves) == 1:
            return table, readings
        order = np.lexsort(table[:, LEAF::-1].T)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return table[order], {int(place[i]): reading for i, reading in readings.items()}


def _annex(size: int, body: Ints, readings: dict[int, Reading]) -> tuple[list[bytes], Ints]:
    """(decoded texts, the extent of each text): behind the raw bytes where it was decoded."""
    span, annex = body.copy(), list[bytes]()
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
    import pyarrow.types as t

    names = batch.schema.names
    if not path or path[0] not in names:
        return [None] * batch.num_rows
    array = stored(batch.column(names.index(path[0])))
    for step in path[1:]:
        if kind_of(array.type) != "struct" or array.type.get_field_index(step) < 0:
            return [None] * batch.num_rows
        array = stored(array.flatten()[array.type.get_field_index(step)])
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
