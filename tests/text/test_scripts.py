"""Scripts of letters against their names, and the main script of texts against counting."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.text.scripts import SCRIPTS, letters_by_script, main_script, main_scripts, script_of

NAMED = {
    "LATIN": "Latn",
    "GREEK": "Grek",
    "CYRILLIC": "Cyrl",
    "ARMENIAN": "Armn",
    "HEBREW": "Hebr",
    "ARABIC": "Arab",
    "SYRIAC": "Syrc",
    "THAANA": "Thaa",
    "NKO": "Nkoo",
    "DEVANAGARI": "Deva",
    "BENGALI": "Beng",
    "GURMUKHI": "Guru",
    "GUJARATI": "Gujr",
    "ORIYA": "Orya",
    "TAMIL": "Taml",
    "TELUGU": "Telu",
    "KANNADA": "Knda",
    "MALAYALAM": "Mlym",
    "SINHALA": "Sinh",
    "THAI": "Thai",
    "LAO": "Laoo",
    "TIBETAN": "Tibt",
    "MYANMAR": "Mymr",
    "GEORGIAN": "Geor",
    "HANGUL": "Hang",
    "ETHIOPIC": "Ethi",
    "CHEROKEE": "Cher",
    "CANADIAN": "Cans",
    "KHMER": "Khmr",
    "MONGOLIAN": "Mong",
    "HIRAGANA": "Hira",
    "KATAKANA": "Kana",
    "BOPOMOFO": "Bopo",
    "CJK": "Hani",
    "YI": "Yiii",
    "TIFINAGH": "Tfng",
    "JAVANESE": "Java",
    "BALINESE": "Bali",
    "SUNDANESE": "Sund",
    "MEETEI": "Mtei",
    "OL": "Olck",
    "ADLAM": "Adlm",
    "VAI": "Vaii",
    "HANIFI": "Rohg",
    "COPTIC": "Copt",
}

# Letters whose Script is Common though they are named after one: Scripts.txt
COMMON = {0x0374, 0x0640, 0xA9CF}


def test_letters_are_of_the_script_that_they_are_named_after() -> None:
    codes = np.array([*range(0xD800), *range(0xE000, 0x20000), *range(0x20000, 0x31340, 7)])
    wrong = []
    for code, number in zip(codes.tolist(), script_of(codes).tolist(), strict=True):
        first = unicodedata.name(chr(code), "").partition(" ")[0]
        letter = unicodedata.category(chr(code)).startswith("L") and code not in COMMON
        if letter and first in NAMED and SCRIPTS[number] != NAMED[first]:
            wrong.append((hex(code), SCRIPTS[number], first))
    assert not wrong
    assert set(NAMED.values()) == set(SCRIPTS[1:])


def test_digits_punctuation_symbols_are_of_no_script() -> None:
    common = "0 9.,!?-\u00d7\u2014\u2026\u3001\u3002\uff0c\u0964\u060c\u0640\U0001f600\u200d\ufe0f"
    assert set(script_of(np.array([ord(c) for c in common])).tolist()) == {0}


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("plain English, 1999!", "Latn"),
        ("na\u00efve caf\u00e9", "Latn"),
        ("\u043f\u0440\u0438\u0432\u0435\u0442 ok", "Cyrl"),
        ("\u79e6\u5ddd\u96c4\u5e1d\u5b85\uff0c", "Hani"),
        ("\U00020000\U0002a6df", "Hani"),
        ("\u65e5\u672c\u8a9e\u306e\u30c6\u30b9\u30c8", "Jpan"),
        ("\u30c6\u30b9\u30c8", "Jpan"),
        ("\u306e" + "\u4e2d\u6587\u5546\u5e97\u5f88\u591a\u5f88\u591a\u5546\u5e97", "Hani"),
        ("\ud55c\uad6d\uc5b4 \u6f22\u5b57", "Hang"),
        ("\u0915\u094d\u0937 \u0964", "Deva"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "Arab"),
        ("", "Zyyy"),
        ("123 + 456 = \U0001f600", "Zyyy"),
        ("ab \u0430\u0431", "Latn"),  # of equals the one listed first
    ],
)
def test_main_script(text: str, script: str) -> None:
    assert main_script(text) == script


LETTERS = st.text(
    st.sampled_from(
        "aZ \u00e9\u0430\u4e2d\u6587\u306e\u30c6\u0915\u094d\u0e01\U00020000\U0001f600\n,"
    )
    | st.characters(codec="utf-8"),
    max_size=12,
)


@given(st.lists(LETTERS, max_size=6), st.binary(max_size=5))
def test_texts_at_once_are_as_one_by_one(texts: list[str], junk: bytes) -> None:
    view, spans = b"", []
    for text in texts:
        view += junk
        spans.append((len(view), len(view) + len(text.encode())))
        view += text.encode()
    view += junk
    table = np.array(spans, np.int64).reshape(-1, 2)
    assert main_scripts(view, table) == [main_script(text) for text in texts]
    counts = letters_by_script(view, table)
    for row, text in zip(counts, texts, strict=True):
        codes = np.array([ord(char) for char in text], np.int64)
        expected = np.bincount(script_of(codes), minlength=len(SCRIPTS))
        assert row[1:].tolist() == expected[1:].tolist()
        assert row[0] == 0
