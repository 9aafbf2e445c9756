"""Fields of a CSV row and where they lie (RFC 4180, lenient about lone quotes)."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=16)
def _field(delimiter: bytes) -> re.Pattern[bytes]:
    d = re.escape(delimiter)
    quoted = rb'"(?P<inner>(?:[^"]++|"")*+)"(?P<tail>[^' + d + rb"]*+)"
    return re.compile(rb"(?>" + quoted + rb"|(?P<bare>[^" + d + rb"]*+))")


def fields(row: bytes, delimiter: str) -> list[tuple[int, int, bool]]:
    """(start, end, quoted) of each field's content; `quoted`: a quote in it stands twice.

    Text behind a closing quote belongs to the field only in the sense that it is kept: such
    a field is taken whole, with its quotes, as text.
    """
    pattern, step = _field(delimiter.encode()), len(delimiter.encode())
    found: list[tuple[int, int, bool]] = []
    position = 0
    while True:
        match = pattern.match(row, position)
        if match is None:  # cannot be: the bare form matches nothing at all
            break
        if match["bare"] is None and not match["tail"].strip():
            found.append((match.start("inner"), match.end("inner"), True))
        else:
            found.append((match.start(), match.end(), False))
        position = match.end()
        if row[position : position + step] != delimiter.encode():
            return found
        position += step
    return found


def values(row: bytes, delimiter: str) -> list[str]:
    """The fields of a row as text."""
    out = []
    for start, end, quoted in fields(row, delimiter):
        value = undouble(row[start:end]) if quoted else row[start:end]
        out.append(value.decode("utf-8", "replace"))
    return out


def doubled_pieces(content: bytes) -> list[tuple[int, int, int, int]]:
    """Pieces (text start, text end, content start, content end); a doubled quote is one."""
    pieces: list[tuple[int, int, int, int]] = []
    at = text = 0
    for match in re.finditer(rb'""', content):
        start, end = match.span()
        if start > at:
            pieces.append((text, text + start - at, at, start))
            text += start - at
        pieces.append((text, text + 1, start, end))
        text, at = text + 1, end
    if len(content) > at:
        pieces.append((text, text + len(content) - at, at, len(content)))
    return pieces


def undouble(content: bytes) -> bytes:
    """The value of a quoted field's content."""
    return content.replace(b'""', b'"')


def quote(value: bytes) -> bytes:
    """A field's content in quotes."""
    return b'"' + value.replace(b'"', b'""') + b'"'
