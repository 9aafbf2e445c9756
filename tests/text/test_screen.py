"""The screen against a reader that goes character by character."""

from __future__ import annotations

import numpy as np
import pytest
from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.text.characters import NONE, RANGES, Kind, kind_of
from corpusgate.text.screen import found, lengths, screen, screen_records

JUNK = st.binary(max_size=6) | st.sampled_from([b"\xe2\x80", b"\xf3\xa0", b"\x1b", b"\n", b"\xd8"])


def plain(span: bytes) -> Kind:
    """The bits of a text, by decoding it."""
    text = span.decode("utf-8", "surrogateescape")
    kinds = Kind.NON_ASCII if not span.isascii() else NONE
    for char in text:
        kinds |= kind_of(ord(char))
    return kinds | Kind.ANSI if "\x1b[" in text else kinds


@st.composite
def views(draw: st.DrawFn, texts: st.SearchStrategy[bytes]) -> tuple[bytes, np.ndarray]:
    """Bytes with extents in them: other bytes between, in any order, some of them twice."""
    view, spans = b"", []
    for text in draw(st.lists(texts, max_size=6)):
        view += draw(JUNK)
        spans.append((len(view), len(view) + len(text)))
        view += text
    view += draw(JUNK)
    order = draw(st.permutations(spans + spans[:1]) if draw(st.booleans()) else st.just(spans))
    return view, np.array(order, np.int64).reshape(-1, 2)


TEXTS = HOSTILE.map(str.encode)
BYTES = st.lists(TEXTS | st.binary(max_size=4), max_size=3).map(b"".join)


@given(views(TEXTS | BYTES))
def test_screen_says_what_a_plain_reader_says(case: tuple[bytes, np.ndarray]) -> None:
    view, spans = case
    bits = screen(view, spans)
    assert bits.dtype == np.uint32
    assert bits.tolist() == [int(plain(view[s:e])) for s, e in spans.tolist()]


@given(views(TEXTS))
def test_lengths_are_code_points(case: tuple[bytes, np.ndarray]) -> None:
    view, spans = case
    assert lengths(view, spans).tolist() == [len(view[s:e].decode()) for s, e in spans.tolist()]


@given(views(BYTES))
def test_found_places_every_classed_character(case: tuple[bytes, np.ndarray]) -> None:
    view, spans = case
    for (start, end), bits in zip(spans.tolist(), screen(view, spans).tolist(), strict=True):
        rows = found(view, (start, end))
        kinds = NONE
        for position, code, kind in rows:
            char = chr(code).encode()
            assert view[position : position + len(char)] == char
            assert position + len(char) <= end
            kinds |= kind
        assert kinds == Kind(bits) & ~Kind.NON_ASCII
        text = view[start:end].decode("utf-8", "surrogateescape")
        assert len(rows) == sum(kind_of(ord(c)) != NONE for c in text)


def test_every_code_point_is_screened_as_its_class() -> None:
    edges = {code for low, high, _ in RANGES for code in (low - 1, low, high, high + 1)}
    codes = sorted({*range(0x10000), *range(0xE0000, 0xE0200), *edges} - {*range(0xD800, 0xE000)})
    chars = [chr(code).encode() for code in codes if 0 <= code < 0x110000]
    ends = np.cumsum([len(char) for char in chars])
    spans = np.stack([ends - [len(char) for char in chars], ends], axis=1)
    bits = screen(b"".join(chars), spans) & ~np.uint32(Kind.NON_ASCII)
    assert bits.tolist() == [int(kind_of(ord(char.decode()))) for char in chars]
    alone = [int(screen(char, np.array([[0, len(char)]]))[0]) for char in chars[:: 16 * 17]]
    assert [bit & ~Kind.NON_ASCII for bit in alone] == bits[:: 16 * 17].tolist()


def test_a_record_has_the_bits_of_all_its_texts() -> None:
    view = b"a\x00 \xe2\x80\x8b x"
    spans = np.array([[0, 2], [3, 6], [7, 8]])
    bits = screen_records(view, spans, np.array([0, 0, 2]), 4)
    assert bits.tolist() == [Kind.NUL | Kind.ZERO_WIDTH | Kind.NON_ASCII, 0, 0, 0]


def test_a_long_view_is_counted_across_words() -> None:
    view = ("\u4e2d\x00" * 1000 + "b" * 500).encode()
    spans = np.array([[k, k + 4] for k in range(0, 4000, 4)] + [[4000, 4500], [4500, 4500]])
    assert lengths(view, spans).tolist() == [2] * 1000 + [500, 0]
    assert set(screen(view, spans).tolist()) == {int(Kind.NUL | Kind.NON_ASCII), 0}


def test_nothing_is_of_no_class() -> None:
    assert screen(b"", np.zeros((0, 2), np.int64)).tolist() == []
    assert screen(b"", np.zeros((2, 2), np.int64)).tolist() == [0, 0]
    assert lengths(b"\xff", np.zeros((0, 2), np.int64)).tolist() == []


def test_overlapping_extents_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        screen(b"abc", np.array([[0, 2], [1, 3]]))
