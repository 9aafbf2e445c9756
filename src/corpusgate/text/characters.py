"""Classes of characters that harm training text, and the names to call them by."""

from __future__ import annotations

from bisect import bisect_right
from enum import IntFlag
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    Ranges: TypeAlias = tuple[tuple[int, int], ...]


class Kind(IntFlag):
    """Bits of the classes; a set of them fits an unsigned 32-bit integer.

    Each character is of one class at most. ANSI, LONE_SURROGATE and NON_ASCII are said of a
    text: an escape sequence in it, half a surrogate pair in its source, a byte above 0x7F.
    """

    NUL = 1 << 0
    C0 = 1 << 1
    FORM_FEED = 1 << 2
    DEL = 1 << 3
    C1 = 1 << 4
    BOM = 1 << 5
    ZERO_WIDTH = 1 << 6
    SOFT_HYPHEN = 1 << 7
    JOINER = 1 << 8
    BIDI_MARK = 1 << 9
    BIDI_CONTROL = 1 << 10
    TAG = 1 << 11
    VARIATION_SELECTOR = 1 << 12
    LINE_SEPARATOR = 1 << 13
    PRIVATE_USE = 1 << 14
    NONCHARACTER = 1 << 15
    REPLACEMENT = 1 << 16
    ANSI = 1 << 17
    LONE_SURROGATE = 1 << 18
    NON_ASCII = 1 << 19


NONE = Kind(0)
"""No class: an ordinary character."""


def ranges_of(text: str) -> Ranges:
    """Ranges of code points from hexadecimal "41-5A AA", both ends included."""
    pairs = (part.partition("-") for part in text.split())
    return tuple((int(low, 16), int(high or low, 16)) for low, _, high in pairs)


def char_class(ranges: Iterable[tuple[int, int]]) -> str:
    """The inside of a regular expression's brackets that matches the ranges."""
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


# Tab, newline and carriage return are of no class. Ranges and their names come from the
# Unicode Standard 14.0: 23.1 control codes; 23.2 layout controls; 23.3 deprecated format
# characters; 23.4 variation selectors; 23.5 private use; 23.7 noncharacters; 23.8 specials;
# 23.9 tags. U+0085 stands with the line separators (5.8, newline functions), U+2065 with its
# neighbours (DerivedCoreProperties.txt: default ignorable).
TABLE: dict[Kind, Ranges] = {
    Kind.NUL: ranges_of("0"),
    Kind.C0: ranges_of("1-8 B E-1F"),
    Kind.FORM_FEED: ranges_of("C"),
    Kind.DEL: ranges_of("7F"),
    Kind.C1: ranges_of("80-84 86-9F"),
    Kind.BOM: ranges_of("FEFF"),
    Kind.ZERO_WIDTH: ranges_of("200B 2060-2065"),
    Kind.SOFT_HYPHEN: ranges_of("AD"),
    Kind.JOINER: ranges_of("200C-200D"),
    Kind.BIDI_MARK: ranges_of("61C 200E-200F"),
    Kind.BIDI_CONTROL: ranges_of("202A-202E 2066-206F"),
    Kind.TAG: ranges_of("E0000-E007F"),
    Kind.VARIATION_SELECTOR: ranges_of("FE00-FE0F E0100-E01EF"),
    Kind.LINE_SEPARATOR: ranges_of("85 2028-2029"),
    Kind.PRIVATE_USE: ranges_of("E000-F8FF F0000-FFFFD 100000-10FFFD"),
    Kind.NONCHARACTER: (
        *ranges_of("FDD0-FDEF"),
        *((plane | 0xFFFE, plane | 0xFFFF) for plane in range(0, 0x110000, 0x10000)),
    ),
    Kind.REPLACEMENT: ranges_of("FFFD"),
}

CONTROL = Kind.NUL | Kind.C0 | Kind.FORM_FEED | Kind.DEL | Kind.C1 | Kind.ANSI
"""What the check control-chars answers for."""

INVISIBLE = (
    Kind.BOM
    | Kind.ZERO_WIDTH
    | Kind.SOFT_HYPHEN
    | Kind.JOINER
    | Kind.BIDI_MARK
    | Kind.BIDI_CONTROL
    | Kind.TAG
    | Kind.VARIATION_SELECTOR
    | Kind.LINE_SEPARATOR
    | Kind.NONCHARACTER
)
"""What the check invisible-chars answers for."""

RANGES: tuple[tuple[int, int, Kind], ...] = tuple(
    sorted((low, high, kind) for kind, ranges in TABLE.items() for low, high in ranges)
)
"""Every range with its class, in the order of code points; none overlaps another."""

_LOW = [low for low, _, _ in RANGES]


def kind_of(code: int) -> Kind:
    """The class of a code point; `NONE` for an ordinary one."""
    index = bisect_right(_LOW, code) - 1
    if index >= 0 and code <= RANGES[index][1]:
        return RANGES[index][2]
    return NONE


# Abbreviations of NameAliases.txt (Unicode 14.0) that readers know; a tag is called by the
# character it stands for (23.9), every other character by its code point.
_NAMES = {
    0x00: "NUL",
    0x07: "BEL",
    0x08: "BS",
    0x09: "TAB",
    0x0A: "LF",
    0x0B: "VT",
    0x0C: "FF",
    0x0D: "CR",
    0x1B: "ESC",
    0x7F: "DEL",
    0x85: "NEL",
    0xAD: "SHY",
    0x034F: "CGJ",
    0x061C: "ALM",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x2028: "LS",
    0x2029: "PS",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0xFEFF: "BOM",
    **{0xE0000 + n: f"TAG {n:c}" for n in range(0x30, 0x7B) if chr(n).isalnum()},
    **{0xFE00 + n: f"VS{n + 1}" for n in range(16)},
    **{0xE0100 + n: f"VS{n + 17}" for n in range(240)},
}


def name_of(code: int) -> str:
    """The short name of a code point: "NUL", "ZWSP", "TAG a", else "U+0001"."""
    return _NAMES.get(code) or f"U+{code:04X}"
