"""From a cut segment to a Block: decode each record, then find its texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import COPY, DOUBLED_QUOTES, JSON_ESCAPES, Block, Columns, Status
from corpusgate.pipeline.read.csv_fields import fields as csv_fields
from corpusgate.pipeline.read.csv_fields import undouble
from corpusgate.pipeline.read.fields import Path, expand
from corpusgate.pipeline.read.json_text import parse, unescape
from corpusgate.text.encodings import read

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corpusgate.pipeline.decode import DecodeOptions
    from corpusgate.pipeline.read.cut import Extents
    from corpusgate.pipeline.read.profile import Profile

UTF8 = "utf-8"


@dataclass(frozen=True, eq=False)
class Piece:
    """A cut piece of a stream: its bytes as UTF-8 or legacy text, and its records' extents."""

    data: bytes
    base: int
    cut: Extents
    first_record: int
    first_line: int
    offsets: NDArray[np.int64] | None = None


@dataclass(eq=False)
class _Build:
    """The growing parts of a block."""

    piece: Piece
    profile: Profile
    options: DecodeOptions
    status: NDArray[np.int8]
    encoding: NDArray[np.int16]
    margin: NDArray[np.float64]
    runner_up: NDArray[np.int16]
    bodies: list[tuple[int, int]]
    names: list[str]
    """Encodings met, in the order of their numbers."""
    size: int
    annex: list[bytes] = field(default_factory=list)
    spans: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    """(record, start, end, origin start, origin end, form)."""
    fields: list[str] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[tuple[str, int]] = field(default_factory=list)

    @classmethod
    def start(cls, piece: Piece, profile: Profile, options: DecodeOptions) -> _Build:
        """Every record taken for strict UTF-8 (or the stream's wide form)."""
        n = len(piece.cut)
        status = np.full(n, Status.RECOVERED if profile.wide else Status.OK, np.int8)
        ends = zip(piece.cut.start.tolist(), piece.cut.end.tolist(), strict=True)
        return cls(
            piece, profile, options, status, np.zeros(n, np.int16), np.full(n, np.nan),
            np.full(n, -1, np.int16), list(ends), [profile.wide or UTF8], len(piece.data),
        )  # fmt: skip

    def add(self, data: bytes) -> tuple[int, int]:
        """Put bytes into the annex; their extent in the view."""
        start = self.size
        self.annex.append(data)
        self.size += len(data)
        return start, self.size

    def view(self) -> bytes:
        """The source bytes and the annex so far."""
        return b"".join([self.piece.data, *self.annex]) if self.annex else self.piece.data

    def number(self, name: str | None) -> int:
        """Number of an encoding; -1 for none."""
        if name is None:
            return -1
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def decode(self) -> None:
        """Read what is not strict UTF-8 by the profile's encodings."""
        data = self.piece.data
        if valid(data):
            return
        bad = [row for row, (s, e) in enumerate(self.bodies) if not valid(data[s:e])]
        if self.profile.wide:  # unpaired surrogates: nothing else is refused there
            self.status[bad] = Status.UNDECODABLE
            return
        records = [data[slice(*self.bodies[row])] for row in bad]
        known = self.profile.encodings
        for row, reading in zip(bad, read(records, known, self.options.reading), strict=True):
            self.status[row] = reading.status
            self.encoding[row] = self.number(reading.encoding)
            self.runner_up[row] = self.number(reading.runner_up)
            self.margin[row] = reading.margin
            if reading.text is not None:
                self.bodies[row] = self.add(reading.text.encode("utf-8"))

    def parse(self) -> None:
        """Find the texts and the label of every record that has a body."""
        paths = expand(self.profile.text)
        label = tuple(self.profile.label.split(".")) if self.profile.label else ()
        columns = csv_columns(self.profile)
        view = self.view()
        for row, (start, end) in enumerate(self.bodies):
            self.labels.append(None)
            self.faults.append("")
            if self.status[row] == Status.UNDECODABLE:
                continue
            if self.profile.format == "text":
                self.span(row, "line", (start, end), (start, end), COPY)
            elif self.profile.format == "csv":
                self.csv(row, view[start:end], start, columns)
            else:
                self.json(row, view[start:end], start, (paths, label))

    def span(
        self, row: int, name: str, extent: tuple[int, int], origin: tuple[int, int], form: int
    ) -> None:
        """Add a text of a record."""
        self.spans.append((row, *extent, *origin, form))
        self.fields.append(name)

    def json(self, row: int, body: bytes, base: int, fields: tuple[tuple[Path, ...], Path]) -> None:
        """Texts of a JSON record whose body begins at `base` of the view."""
        record = parse(body, *fields)
        self.labels[row], self.faults[row] = record.label, record.fault
        self.notes += [(note, row) for note in record.notes]
        for text in record.texts:
            origin = (base + text.start, base + text.end)
            name = ".".join(text.path)
            if text.escaped:
                extent = self.add(unescape(body[text.start : text.end]))
                self.span(row, name, extent, origin, JSON_ESCAPES)
            else:
                self.span(row, name, origin, origin, COPY)

    def csv(self, row: int, body: bytes, base: int, columns: tuple[tuple[int, ...], int]) -> None:
        """Texts of a CSV row whose body begins at `base` of the view."""
        found = csv_fields(body, self.profile.delimiter)
        wanted, label = columns
        if len(found) != len(self.profile.columns):
            self.notes.append(("ragged-row", row))
        if 0 <= label < len(found):
            start, end, quoted = found[label]
            value = body[start:end]
            value = undouble(value) if quoted else value
            self.labels[row] = value.decode("utf-8")
        for column in wanted:
            if column >= len(found):
                self.notes.append(("text-missing", row))
                continue
            start, end, quoted = found[column]
            origin, name = (base + start, base + end), self.profile.columns[column]
            if quoted and b'""' in body[start:end]:
                extent = self.add(undouble(body[start:end]))
                self.span(row, name, extent, origin, DOUBLED_QUOTES)
            else:
                self.span(row, name, origin, origin, COPY)


def build(piece: Piece, profile: Profile, options: DecodeOptions) -> Block:
    """The block of a piece. Pure: the same bytes and profile give the same block."""
    parts = _Build.start(piece, profile, options)
    parts.decode()
    parts.parse()
    spans = np.array(parts.spans, np.int64).reshape(-1, 6)
    return Block(
        source=profile.source,
        split=profile.split,
        columns=_columns(piece),
        base=piece.base,
        raw_size=len(piece.data),
        view=parts.view(),
        status=parts.status,
        encoding=parts.encoding,
        encodings=tuple(parts.names),
        margin=parts.margin,
        runner_up=parts.runner_up,
        fault=tuple(parts.faults),
        body_record=np.arange(len(piece.cut), dtype=np.int64),
        body=np.array(parts.bodies, np.int64).reshape(-1, 2),
        span_record=spans[:, 0],
        span=spans[:, 1:3],
        span_body=spans[:, 0],
        span_field=tuple(parts.fields),
        origin=spans[:, 3:5],
        form=spans[:, 5].astype(np.int8),
        label=tuple(parts.labels),
        notes=tuple(parts.notes),
        stream_offsets=piece.offsets,
    )


def _columns(piece: Piece) -> Columns:
    cut, offsets = piece.cut, piece.offsets
    start, end, stop = cut.start, cut.end, cut.stop
    if offsets is not None:
        start, end, stop = offsets[start], offsets[end], offsets[stop]
    return Columns(
        record=piece.first_record + np.arange(len(cut), dtype=np.int64),
        line=piece.first_line + cut.line + 1,
        start=start + piece.base,
        length=end - start,
        stop=stop + piece.base,
    )


def valid(data: bytes) -> bool:
    """Whether bytes are strict UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def csv_columns(profile: Profile) -> tuple[tuple[int, ...], int]:
    """(numbers of the text columns, number of the label column or -1)."""
    places = {name: i for i, name in reversed(list(enumerate(profile.columns)))}
    text = tuple(places[name] for name in profile.text if name in places)
    return tuple(sorted(text)), places.get(profile.label, -1)
