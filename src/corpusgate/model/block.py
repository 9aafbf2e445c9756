"""Block: a run of records as bytes and extents, the batch that flows through the map."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from corpusgate.model.finding import Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from numpy.typing import NDArray

    from corpusgate.model.shape import Shape, Turn
    from corpusgate.model.tokens import TokenFacts

    Ints: TypeAlias = NDArray[np.int64]

COPY, JSON_ESCAPES, DOUBLED_QUOTES = 0, 1, 2
"""Forms of a span: as it stands, JSON string escapes, CSV quotes written twice."""

UNKNOWN = -1
"""An offset or a line that a columnar source does not have."""


class Status(IntEnum):
    """How the bytes of a record became text."""

    OK = 0
    RECOVERED = 1
    UNSURE = 2
    UNDECODABLE = 3

    @property
    def label(self) -> str:
        """The name written into records and shown on the page."""
        return self.name.lower()


@dataclass(frozen=True, eq=False)
class Columns:
    """Per-record columns of a block, arrays of length n."""

    record: Ints
    line: Ints
    start: Ints
    """Stream offset of the record's first byte (UNKNOWN in columnar sources)."""
    length: Ints
    """Source bytes of the record without its terminator."""
    stop: Ints
    """Stream offset behind the record and its terminator or separator."""


@dataclass(frozen=True, eq=False)
class Block:
    """Records of one source: their bytes, their decoded text, where each text came from.

    `view` is one buffer: the source bytes of the segment (`raw`), then an annex that holds
    what had to be rewritten (transcoded records, unescaped JSON strings). A record that
    needed neither is read where it lies. Extents are pairs of positions in `view`.

    Bodies are the decoded bytes of a record (one for a stream format, one per text column
    for a columnar one). Spans are its texts; each has its `origin`, the part of a body it was
    made of, and the `form` that leads from the one to the other (COPY: they are the same).
    The pieces of a form are worked out only for a span that is cut.
    """

    source: str
    split: str
    columns: Columns
    base: int
    """Stream offset of `view[0]`."""
    raw_size: int
    view: bytes
    status: NDArray[np.int8]
    encoding: NDArray[np.int16]
    encodings: tuple[str, ...]
    margin: NDArray[np.float64]
    """Nats between the chosen encoding and the best that reads otherwise; NaN if UTF-8."""
    runner_up: NDArray[np.int16]
    fault: tuple[str, ...]
    """Per record: why its structure cannot be used, or the empty string."""
    body_record: Ints
    body: NDArray[np.int64]
    """Shape (bodies, 2)."""
    span_record: Ints
    span: NDArray[np.int64]
    """Shape (spans, 2)."""
    span_body: Ints
    span_field: tuple[str, ...]
    origin: NDArray[np.int64]
    """Shape (spans, 2): where in `view` the written form of each span lies."""
    form: NDArray[np.int8]
    label: tuple[str | None, ...]
    notes: tuple[tuple[str, int], ...] = ()
    """Faults of structure that leave the record usable: (kind, row)."""
    row_group: int = UNKNOWN
    stream_offsets: Ints | None = None
    """UTF-16/32 only: stream offset of each byte of `view[:raw_size + 1]`."""
    bits: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))
    """Classes of characters in each record before clean (`corpusgate.text.characters`)."""
    shape: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """Per record: its number in `shapes`, UNKNOWN where none was found; empty: nobody looked."""
    shapes: tuple[Shape, ...] = ()
    """Shapes met in the block, in the order of their numbers."""
    turns: Mapping[int, tuple[Turn, ...]] = field(default_factory=dict)
    """By row: the turns of a record that is a conversation, in file order."""
    tokens: TokenFacts | None = None

    def __len__(self) -> int:
        return len(self.columns.record)

    def with_columns(self, **columns: Any) -> Self:
        """A block with columns added; none is rewritten."""
        return replace(self, **columns)

    @cached_property
    def span_bounds(self) -> Ints:
        """Spans of record i lie in [bounds[i], bounds[i + 1])."""
        return np.searchsorted(self.span_record, np.arange(len(self) + 1)).astype(np.int64)

    @cached_property
    def readable(self) -> NDArray[np.bool_]:
        """Records that have usable text: decoded, and of sound structure."""
        sound = np.fromiter((not f for f in self.fault), bool, len(self))
        return sound & (self.status <= Status.RECOVERED)

    @cached_property
    def ids(self) -> NDArray[np.uint64]:
        """The id of each record, the same however the source was cut."""
        return record_ids(source_seed(self.split, self.source), self.columns.record)

    def example(self, row: int, *evidence: tuple[str, str]) -> Example:
        """The record of a row as something to look at, with what is to be seen there."""
        where = (getattr(self.columns, name)[row] for name in ("record", "line", "start"))
        record, line, offset = (int(value) for value in where)
        return Example(int(self.ids[row]), self.source, record, line, offset, evidence)

    def texts(self, row: int) -> list[str]:
        """The texts of a record, lone surrogates as U+FFFD, in file order."""
        low, high = self.span_bounds[row : row + 2].tolist()
        return [self.view[s:e].decode("utf-8", "replace") for s, e in self.span[low:high].tolist()]

    def text(self, row: int) -> str:
        """The texts of a record joined by a newline."""
        return "\n".join(self.texts(row))

    def rows(self) -> Iterator[tuple[int, str]]:
        """(row, text) of every readable record."""
        for row in np.flatnonzero(self.readable).tolist():
            yield row, self.text(row)


def source_seed(split: str, source: str) -> int:
    """Seed of the ids of a source's records."""
    key = f"{split}/{source}".encode("utf-8", "surrogateescape")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big")


def record_ids(seed: int, record: Ints) -> NDArray[np.uint64]:
    """Ids of records: splitmix64 of the source's seed and the record's number.

    Source of the mixing constants: Steele, Lea and Flood, "Fast splittable pseudorandom
    number generators", OOPSLA 2014.
    """
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + (record.astype(np.uint64) + np.uint64(1)) * np.uint64(
            0x9E3779B97F4A7C15
        )
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
