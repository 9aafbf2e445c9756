"""Screen: the classes of characters in many texts at once, read from their UTF-8 bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.text.characters import RANGES, Kind, char_class, kind_of

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Bits: TypeAlias = NDArray[np.uint32]
    Data: TypeAlias = NDArray[np.uint8]
    Hits: TypeAlias = tuple[Ints, Ints, Bits]
    """Position, size in bytes and class of each character found."""

# First bytes of UTF-8 sequences (RFC 3629, section 3), and what else is looked for as a byte.
_HIGH, _TWO, _THREE, _FOUR = 0x80, 0xC2, 0xE0, 0xF0
_SPACE, _ESC, _BRACKET, _DEL, _ALM = 0x20, 0x1B, 0x5B, 0x7F, b"\xd8\x9c"

# Where the class changes along the code points, and the class from there on. A range that
# begins where another ends comes after its end: the later of two equal edges counts.
_EDGES = np.array([edge for low, high, _ in RANGES for edge in (low, high + 1)], np.int64)
_CLASSES = np.array([0, *(bits for _, _, kind in RANGES for bits in (kind, 0))], np.uint32)


def _leading_pairs() -> NDArray[np.bool_]:
    """By the first two bytes as one number: may a character of a class begin so?"""
    table = np.zeros(1 << 16, np.bool_)
    for low, high, _ in RANGES:
        # a pair stands for one character of two bytes, 64 of three, 4096 of four
        step = 1 if low < 0x800 else 64  # noqa: PLR2004
        for code in (*range(low, high, step), high):
            if code >= _HIGH:
                first, second = chr(code).encode()[:2]
                table[first << 8 | second] = True
    return table


_PAIRS = _leading_pairs()
_CANDIDATE = re.compile(f"[{char_class((low, high) for low, high, _ in RANGES)}]")


def screen(view: bytes, spans: Ints) -> Bits:
    """Bits of `Kind` per span; bytes outside the spans do not count.

    Args:
        view: any bytes; what is not UTF-8 is of no class.
        spans: shape (m, 2), extents in `view` in any order. Equal ones are screened once;
            others must not overlap.

    Raises:
        ValueError: spans overlap.
    """
    starts, ends = spans[:, 0], spans[:, 1]
    if (starts[1:] < ends[:-1]).any():
        return _screen_sorted(view, spans)
    found = np.zeros(len(spans), np.uint32)
    data = np.frombuffer(view, np.uint8)
    if not len(spans) or not len(data):
        return found
    for position, size, bits in _hits(view, data):
        owner = np.searchsorted(starts, position, "right") - 1
        inside = (owner >= 0) & (position + size <= ends[owner])
        np.bitwise_or.at(found, owner[inside], bits[inside])
    if not view.isascii():
        found[count_in(data >= _HIGH, spans) > 0] |= np.uint32(Kind.NON_ASCII)
    return found


def screen_records(view: bytes, spans: Ints, owner: Ints, records: int) -> Bits:
    """Bits of `Kind` per record; `owner` is the record of each span."""
    found = np.zeros(records, np.uint32)
    np.bitwise_or.at(found, owner, screen(view, spans))
    return found


def lengths(view: bytes, spans: Ints) -> Ints:
    """Code points per span: the bytes that do not continue a character."""
    if not len(spans) or view.isascii():
        return spans[:, 1] - spans[:, 0]
    continued = -64  # 0x80-0xBF read as signed bytes lie below
    return count_in(np.frombuffer(view, np.int8) >= continued, spans)


def found(view: bytes, span: tuple[int, int]) -> list[tuple[int, int, Kind]]:
    """(position in `view`, code point, class) of every character of a class in one span."""
    start, end = span
    text = view[start:end].decode("utf-8", "surrogateescape")
    rows, at, done = [], start, 0
    for match in _CANDIDATE.finditer(text):
        at += len(text[done : match.start()].encode("utf-8", "surrogateescape"))
        done = match.start()
        kind = kind_of(ord(match[0]))
        if text.startswith("\x1b[", done):
            kind |= Kind.ANSI
        rows.append((at, ord(match[0]), kind))
    return rows


def _screen_sorted(view: bytes, spans: Ints) -> Bits:
    unique, inverse = np.unique(spans, axis=0, return_inverse=True)
    if (unique[1:, 0] < unique[:-1, 1]).any():
        raise ValueError("spans overlap")
    return screen(view, unique)[inverse.reshape(-1)]


def _hits(view: bytes, data: Data) -> tuple[Hits, ...]:
    """Characters of a class anywhere in the view: ASCII, escape sequences, wider ones."""
    if view.isascii():
        at = np.flatnonzero(data < _SPACE)
        lead = at[:0]
    else:
        # one comparison finds what lies below 0x20 or from 0xEE up, round the end of a byte
        mask = data - np.uint8(0xEE) < 0x100 - 0xEE + _SPACE
        mask |= data & np.uint8(0xDF) == _TWO  # 0xC2 and 0xE2 differ in one bit
        at = np.flatnonzero(mask)
        wide = data[at] >= _HIGH
        at, lead = at[~wide], at[wide]
    if _DEL in view:
        at = np.concatenate([at, np.flatnonzero(data == _DEL)])
    bits = _classes(data[at].astype(np.int64))
    at, bits = at[bits > 0], bits[bits > 0]
    escape = at[data[at] == _ESC]
    escape = escape[data[np.minimum(escape + 1, len(data) - 1)] == _BRACKET]
    ansi = np.full(len(escape), Kind.ANSI, np.uint32)
    return (
        (at, np.ones_like(at), bits),
        (escape, np.full_like(escape, 2), ansi),
        _wide(data, np.concatenate([lead, _arabic_marks(view, data)])),
    )


def _arabic_marks(view: bytes, data: Data) -> Ints:
    """Where U+061C may stand: its first byte begins half of the Arabic letters too."""
    if _ALM[0] not in view:
        return np.zeros(0, np.int64)
    return np.flatnonzero((data[:-1] == _ALM[0]) & (data[1:] == _ALM[1]))


def _wide(data: Data, at: Ints) -> Hits:
    """Characters of a class that begin at the given first bytes and are whole."""
    second = data[np.minimum(at + 1, len(data) - 1)]
    at = at[_PAIRS[data[at].astype(np.uint16) << 8 | second]]
    code, size, whole = code_points(data, at)
    bits = _classes(code)
    keep = whole & (bits > 0)
    return at[keep], size[keep], bits[keep]


def code_points(data: Data, at: Ints) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Code point, size in bytes and whether it is whole, of characters by first byte.

    Overlong forms and surrogates are not told apart from others.
    """
    first = data[at].astype(np.int64)
    size = 2 + (first >= _THREE) + (first >= _FOUR)
    code = first & (0xFF >> (size + 1))
    whole = at + size <= len(data)
    for step in (1, 2, 3):
        more = size > step
        byte = data[np.minimum(at + step, len(data) - 1)]
        whole &= ~more | (byte & 0xC0 == _HIGH)
        code = np.where(more, code << 6 | byte & 0x3F, code)
    return code, size, whole


def _classes(code: Ints) -> Bits:
    return _CLASSES[np.searchsorted(_EDGES, code, "right")]


def count_in(mask: NDArray[np.bool_], spans: Ints) -> Ints:
    """How many positions of each span are set, by ranks in words of 64."""
    padded = np.zeros(len(mask) + 64 & ~63, np.bool_)
    padded[: len(mask)] = mask
    words = np.packbits(padded, bitorder="little").view(np.uint64)
    before = np.zeros(len(words) + 1, np.int64)
    np.cumsum(np.bitwise_count(words), out=before[1:])
    word, bit = spans >> 6, (spans & 63).astype(np.uint64)
    below = words[word] & ((np.uint64(1) << bit) - np.uint64(1))
    rank: Ints = before[word] + np.bitwise_count(below)
    return rank[:, 1] - rank[:, 0]
