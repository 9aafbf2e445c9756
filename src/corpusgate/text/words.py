"""Words, the stand-in for tokens where no tokenizer is given."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Scripts written without spaces between words: Unicode line breaking (UAX #14) classes SA
# (South East Asian, looked up in a dictionary) and ID as far as Han and kana go. Blocks.txt.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19FF),  # Tai Le, New Tai Lue, Khmer symbols
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x3005, 0x3007),  # Han iteration mark, closing mark and zero
    (0x3021, 0x3029),  # Hangzhou numerals
    (0x3031, 0x303C),  # kana repeat marks, Hangzhou tens, vertical iteration mark
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),  # Katakana phonetic extensions
    (0x3400, 0x4DBF),  # Han extension A
    (0x4E00, 0x9FFF),  # Han
    (0xA9E0, 0xA9FF),  # Myanmar extended B
    (0xAA60, 0xAADF),  # Myanmar extended A, Tai Viet
    (0xF900, 0xFAFF),  # Han compatibility
    (0xFF66, 0xFF9F),  # halfwidth Katakana
    (0x1AFF0, 0x1B16F),  # kana extended and supplement, small kana
    (0x20000, 0x3FFFD),  # Han extensions B to I
)

# The first code point above the basic plane, and the last of all.
_ASTRAL, _LAST = 0x10000, 0x10FFFF

# Marks are assigned up to plane 1 and as the variation selectors of plane 14. Blocks.txt.
_LAST_MARK = 0x1FFFF
_VARIATION_SELECTORS = (0xE0100, 0xE01EF)

# Joiners stand inside words of Persian and of Indic scripts. UAX #29, rule WB4.
_JOINERS = (0x200C, 0x200D)

_HASH_BYTES = 8


def words(text: str) -> list[str]:
    """Split text into words, in order, case kept.

    A simple form of Unicode word boundaries (UAX #29): a word is a run of letters, digits,
    marks, joiners and underscores, an apostrophe between two of them included; a character of
    a script without spaces is a word with the marks on it; so is every other character but
    white space (punctuation and symbols tell texts apart as well as words do).
    """
    return _pattern().findall(text)


def word_ids(distinct: Iterable[str]) -> list[int]:
    """Stable ids of words, in [0, 2**63): BLAKE2b of their UTF-8, one bit dropped.

    Two of n words share an id with a chance of about n * n / 2**64. A lone surrogate counts as
    a question mark.
    """
    return [
        int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=_HASH_BYTES).digest())
        >> 1
        for word in distinct
    ]


@cache
def _pattern() -> re.Pattern[str]:
    low: set[int] = {*_JOINERS}
    high = set(range(_VARIATION_SELECTORS[0], _VARIATION_SELECTORS[1] + 1))
    for code in range(_LAST_MARK + 1):
        if unicodedata.category(chr(code))[0] == "M":
            (low if code < _ASTRAL else high).add(code)
    alone = "".join(_escape(first, last) for first, last in _UNSPACED)
    letter = rf"[^\W{alone}]"
    # re looks a character of the first plane up in a bitmap but walks through ranges above it,
    # so those are tried only behind a look at the plane (5 times the speed).
    mark = rf"(?:[{_ranges(low)}]|(?=[{_escape(_ASTRAL, _LAST)}])[{_ranges(high)}])"
    run = rf"{letter}+(?:(?:{mark}|['\u2019](?={letter})){letter}*)*"
    return re.compile(rf"{run}|[{alone}]{mark}*|\S")


def _ranges(codes: set[int]) -> str:
    parts = []
    for _, run in groupby(enumerate(sorted(codes)), lambda pair: pair[1] - pair[0]):
        members = [code for _, code in run]
        parts.append(_escape(members[0], members[-1]))
    return "".join(parts)


def _escape(first: int, last: int) -> str:
    return f"\\U{first:08x}-\\U{last:08x}"
