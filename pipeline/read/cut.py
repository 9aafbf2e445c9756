"""Cutters: where the records of a piece of a stream lie, found in bytes alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Extents:
    """Records of a buffer: content, terminator, line, and how much of the buffer they use.

    `stop` is the end of a record with its terminator or separator. `lines` counts the
    physical line ends of the consumed bytes.
    """

    start: Ints
    end: Ints
    stop: Ints
    line: Ints
    """Line of each record's first byte, from 0 at the buffer's first."""
    consumed: int
    lines: int

    def __len__(self) -> int:
        return len(self.start)


class Cutter(Protocol):
    """Cuts a buffer that begins at a record; `final` says that no byte follows it."""

    def __call__(self, data: bytes, *, final: bool) -> Extents: ...


def extents(rows: list[tuple[int, int, int, int]], consumed: int, lines: int) -> Extents:
    """Extents from (start, end, stop, line) rows."""
    table = np.array(rows, np.int64).reshape(-1, 4).T
    return Extents(table[0], table[1], table[2], table[3], consumed, lines)


SPACE = np.zeros(256, bool)
SPACE[[9, 11, 12, 13, 32]] = True


def cut_lines(data: bytes, *, final: bool) -> Extents:
    r"""A record a line, cut at \n alone; blank lines are between records.

    Only \n ends a line: U+2028, U+0085 and a bare \r stand in text, as RFC 8259 allows.
    """
    buffer = np.frombuffer(data, np.uint8)
    newline = np.flatnonzero(buffer == ord("\n"))
    stop = newline + 1
    if final and len(data) and (not len(stop) or stop[-1] < len(data)):
        stop = np.append(stop, len(data))
    start = np.concatenate([np.zeros(1, np.int64), stop[:-1]]) if len(stop) else stop
    end = stop - 1
    if len(stop) and final and data[-1:] != b"\n":
        end[-1] = len(data)
    returns = (end > start) & (buffer[np.maximum(end - 1, 0)] == ord("\r")) if len(end) else end > 0
    end = end - returns
    blank = end <= start
    for i in np.flatnonzero(~blank & SPACE[buffer[np.minimum(start, len(data) - 1)]]).tolist():
        blank[i] = bool(SPACE[buffer[start[i] : end[i]]].all())
    keep = ~blank
    consumed = int(stop[-1]) if len(stop) else 0
    line = np.arange(len(stop), dtype=np.int64)
    return Extents(start[keep], end[keep], stop[keep], line[keep], consumed, len(newline))


class CsvCutter:
    """A record a row of CSV (RFC 4180); quoted fields may hold newlines.

    A quote opens a field only where a field begins; one that is never closed is text.
    """

    def __init__(self, delimiter: bytes = b",") -> None:
        d = re.escape(delimiter)
        quoted = rb'"(?:[^"]++|"")*+"[^' + d + rb"\n]*+"
        bare = rb'(?!")[^' + d + rb"\n]*+"
        field = rb"(?>" + quoted + rb"|" + bare + rb")"
        self._strict = re.compile(field + rb"(?:" + d + field + rb")*+(\n|\Z)")
        loose = rb"(?>" + quoted + rb"|[^" + d + rb"\n]*+)"
        self._loose = re.compile(loose + rb"(?:" + d + loose + rb")*+(\n|\Z)")

    def __call__(self, data: bytes, *, final: bool) -> Extents:
        """Extents of the rows of `data`."""
        rows: list[tuple[int, int, int, int]] = []
        position = line = 0
        while position < len(data):
            match = self._strict.match(data, position)
            if match is None and final:
                match = self._loose.match(data, position)
            if match is None or (match.group(1) == b"" and not final):
                break
            stop = match.end()
            end = match.start(1)
            if end > position and data[end - 1] == ord("\r"):
                end -= 1
            if data[position:end].strip():
                rows.append((position, end, stop, line))
            line += data.count(b"\n", position, stop)
            position = stop
        return extents(rows, position, line)


class JsonArrayCutter:
    """A record an element of a JSON array, found by a scan of strings and brackets.

    The buffer holds the whole stream. Bytes that are neither element nor separator (after
    the closing bracket, say) become records of their own: nothing is skipped.
    """

    _token = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]|[^"\[\]{},\s]++', re.DOTALL)

    def __call__(self, data: bytes, *, final: bool) -> Extents:
        """Extents of the elements; `stop` runs to the next element or the closing bracket."""
        if not final:
            return extents([], 0, 0)
        spans: list[tuple[int, int]] = []
        depth, first, last = 0, -1, -1
        for match in self._token.finditer(data):
            token = match.group()
            if depth == 0:
                if token == b"[" and not spans and first < 0:
                    depth = 1
                    continue
                spans.append((match.start(), len(data.rstrip())))  # no element: one record
                break
            if depth == 1 and token in (b",", b"]"):
                if first >= 0:
                    spans.append((first, last))
                    first = -1
                if token == b"]":
                    rest = data[match.end() :]
                    if rest.strip():
                        at = match.end() + len(rest) - len(rest.lstrip())
                        spans.append((at, len(data.rstrip())))
                    break
                continue
            if first < 0:
                first = match.start()
            last = match.end()
            depth = max(depth + (token in (b"[", b"{")) - (token in (b"]", b"}")), 1)
        if first >= 0:
            spans.append((first, last))
        return self._table(data, spans)

    @staticmethod
    def _table(data: bytes, spans: list[tuple[int, int]]) -> Extents:
        rows, line, seen = [], 0, 0
        for i, (start, end) in enumerate(spans):
            follows = spans[i + 1][0] if i + 1 < len(spans) else end
            stop = end if b"]" in data[end:follows] else follows
            line += data.count(b"\n", seen, start)
            seen = start
            rows.append((start, end, stop, line))
        return extents(rows, len(data), data.count(b"\n"))


def cutter_of(file_format: str, dialect: dict[str, Any]) -> Cutter:
    """The cutter of a stream format."""
    if file_format == "csv":
        return CsvCutter(dialect.get("delimiter", ",").encode())
    if file_format == "json":
        return JsonArrayCutter()
    return cut_lines
