"""The table of classes against the character database of Python."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from corpusgate.text.characters import NONE, RANGES, TABLE, Kind, kind_of, name_of

FORMATS = {
    "ZERO WIDTH SPACE": Kind.ZERO_WIDTH,
    "ZERO WIDTH NON-JOINER": Kind.JOINER,
    "ZERO WIDTH JOINER": Kind.JOINER,
    "ZERO WIDTH NO-BREAK SPACE": Kind.BOM,
    "SOFT HYPHEN": Kind.SOFT_HYPHEN,
    "WORD JOINER": Kind.ZERO_WIDTH,
    "LEFT-TO-RIGHT MARK": Kind.BIDI_MARK,
    "RIGHT-TO-LEFT MARK": Kind.BIDI_MARK,
    "ARABIC LETTER MARK": Kind.BIDI_MARK,
    "REPLACEMENT CHARACTER": Kind.REPLACEMENT,
    "LANGUAGE TAG": Kind.TAG,
    "CANCEL TAG": Kind.TAG,
}
CATEGORIES = {"Co": Kind.PRIVATE_USE, "Zl": Kind.LINE_SEPARATOR, "Zp": Kind.LINE_SEPARATOR}
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
STARTS = {
    "TAG ": Kind.TAG,
    "VARIATION SELECTOR-": Kind.VARIATION_SELECTOR,
    "INVISIBLE ": Kind.ZERO_WIDTH,
    "FUNCTION APPLICATION": Kind.ZERO_WIDTH,
    "INHIBIT ": Kind.BIDI_CONTROL,
    "ACTIVATE ": Kind.BIDI_CONTROL,
    "NATIONAL DIGIT SHAPES": Kind.BIDI_CONTROL,
    "NOMINAL DIGIT SHAPES": Kind.BIDI_CONTROL,
}


def control(code: int) -> Kind:
    named = {0: Kind.NUL, 0xC: Kind.FORM_FEED, 0x7F: Kind.DEL, 0x85: Kind.LINE_SEPARATOR}
    if code in named:
        return named[code]
    if chr(code) in "\t\n\r":
        return NONE
    return Kind.C0 if code < 0x20 else Kind.C1


def expected(code: int) -> Kind:
    """The class by category, direction and name."""
    char = chr(code)
    category, name = unicodedata.category(char), unicodedata.name(char, "")
    if category == "Cc":
        return control(code)
    if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return Kind.NONCHARACTER
    if unicodedata.bidirectional(char) in DIRECTIONS:
        return Kind.BIDI_CONTROL
    if name in FORMATS:
        return FORMATS[name]
    named = next((kind for start, kind in STARTS.items() if name.startswith(start)), NONE)
    return CATEGORIES.get(category, named)


def test_every_code_point_is_of_the_class_that_its_properties_say() -> None:
    planes = [p | low for p in range(0, 0x110000, 0x10000) for low in range(0xFFF0, 0x10000)]
    unnamed = {0x2065, *range(0xE0000, 0xE0020)} - {0xE0001}
    codes = {*range(0x10000), *range(0xE0000, 0xE1000), *planes} - {*range(0xD800, 0xE000)}
    wrong = [hex(c) for c in sorted(codes - unnamed) if kind_of(c) != expected(c)]
    assert not wrong
    assert {kind_of(0x2065), kind_of(0xE0000)} == {Kind.ZERO_WIDTH, Kind.TAG}


def test_classes_are_single_bits_of_32_and_their_ranges_do_not_overlap() -> None:
    assert all(kind.bit_count() == 1 and kind < 1 << 32 for kind in Kind)
    assert all(kind == Kind(kind) for kind in TABLE)
    ends = [edge for low, high, _ in RANGES for edge in (low, high)]
    assert ends == sorted(ends)
    assert all(a[1] < b[0] for a, b in pairwise(RANGES))


def test_names() -> None:
    names = [name_of(c) for c in (0, 1, 0x7F, 0x200B, 0x202E, 0xFE0F, 0xE0100, 0xE0061, 0x1F600)]
    assert names == ["NUL", "U+0001", "DEL", "ZWSP", "RLO", "VS16", "VS17", "TAG a", "U+1F600"]
