"""Words: where one ends, and what it is called by number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.text.words import word_ids, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\r\n\u3000\u00a0", []),
        ("Add it to foo_bar, please.", ["Add", "it", "to", "foo_bar", ",", "please", "."]),
        ("don't 'go' l\u2019eau rock'", ["don't", "'", "go", "'", "l\u2019eau", "rock", "'"]),
        ("a--b 3.14", ["a", "-", "-", "b", "3", ".", "14"]),
        # the vowel signs of Hindi are marks, which \w alone would split at
        (
            "\u0939\u093f\u0928\u094d\u0926\u0940 \u092e\u0947\u0902",
            ["\u0939\u093f\u0928\u094d\u0926\u0940", "\u092e\u0947\u0902"],
        ),
        ("e\u0301te", ["e\u0301te"]),
        # Persian: a joiner stands inside a word, a zero-width space does not
        ("\u0645\u06cc\u200c\u0631\u0648\u0645", ["\u0645\u06cc\u200c\u0631\u0648\u0645"]),
        ("a\u200bb", ["a", "\u200b", "b"]),
        (
            "\u6f22\u5b57abc\u304b\u306a\u30ab\u30fc",
            ["\u6f22", "\u5b57", "abc", "\u304b", "\u306a", "\u30ab", "\u30fc"],
        ),
        # Han above the first plane; a variation selector stays on its character
        ("\U00020000\U0002a6d6\u845b\U000e0100", ["\U00020000", "\U0002a6d6", "\u845b\U000e0100"]),
        # Thai and Khmer: consonants with the marks on them
        ("\u0e25\u0e31\u0e07", ["\u0e25\u0e31", "\u0e07"]),
        ("\u1781\u17d2\u1798\u17c2", ["\u1781\u17d2", "\u1798\u17c2"]),
        # a script of the second plane whose vowel sign is a mark of that plane
        ("\U00011013\U00011038\U00011013", ["\U00011013\U00011038\U00011013"]),
        ("\ud55c\uad6d\uc5b4 \uae00", ["\ud55c\uad6d\uc5b4", "\uae00"]),
        ("\U0001f642\U0001f642", ["\U0001f642", "\U0001f642"]),
    ],
)
def test_where_words_end(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_nothing_but_white_space_is_left_out(text: str) -> None:
    assert "".join(words(text)) == "".join(text.split())


def test_ids_are_stable_and_fit_63_bits() -> None:
    # `b2sum -l 64` of their UTF-8; pinned, since ids go into files
    expected = [0x40F89E395B66422F >> 1, 0xCB1ABF8BEFF3192F >> 1]
    assert word_ids(["a", "\u00e9"]) == expected
    ids = word_ids([f"w{i}" for i in range(20_000)] + ["\ud800"])
    assert len(set(ids)) == 20_001
    assert min(ids) >= 0
    assert 2**61 < max(ids) < 2**63
