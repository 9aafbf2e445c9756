"""Which invisible characters a text needs: joiners, word breaks, tags, directions, selectors.

Each function gives the runs of its characters that nothing around them needs, as (start,
end) in code points. A sequence that a script or an emoji is spelt with is never among them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corpusgate.text.characters import Kind, char_class, ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    from corpusgate.text.characters import Ranges

    Runs: TypeAlias = Iterator[tuple[int, int]]


def _set(ranges: str) -> str:
    return char_class(ranges_of(ranges))


# Blocks of the scripts whose letters join or stack: Joining_Type D, R, L or C in
# ArabicShaping.txt; Virama, Invisible_Stacker or Pure_Killer in IndicSyllabicCategory.txt
# (Unicode 14.0). Hebrew: joiners place the meteg (the Standard, 9.1).
_JOINING = _set(
    "591-5F4 600-74F 750-77F 7C0-7FF 840-DF4 F00-109F 1700-171F 1734 1780-18AF 1900-194F "
    "1A20-1AAF 1B00-1C4F 1CD0-1CFF A800-A8FF A92E-A95F A980-AA7F AAE0-AAFF ABC0-ABFF FB1D-FDCF "
    "FDF0-FDFF FE70-FEFC 10A00-10A5F 10AC0-10AFF 10B80-10BAF 10D00-10D3F 10F30-10FDF "
    "11000-11FFF 1E900-1E95F"
)
# Extended_Pictographic of emoji-data.txt (Unicode 14.0; newer emoji lie in ranges reserved there)
_EMOJI = _set(
    "A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 2388 23CF 23E9-23F3 23F8-23FA "
    "24C2 25AA-25AB 25B6 25C0 25FB-25FE 2600-2605 2607-2612 2614-2685 2690-2705 2708-2712 2714 "
    "2716 271D 2721 2728 2733-2734 2744 2747 274C 274E 2753-2755 2757 2763-2767 2795-2797 27A1 "
    "27B0 27BF 2934-2935 2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299 1F000-1F0FF "
    "1F10D-1F10F 1F12F 1F16C-1F171 1F17E-1F17F 1F18E 1F191-1F19A 1F1AD-1F1E5 1F201-1F20F 1F21A "
    "1F22F 1F232-1F23A 1F23C-1F23F 1F249-1F3FA 1F400-1F53D 1F546-1F64F 1F680-1F6FF 1F774-1F77F "
    "1F7D5-1F7FF 1F80C-1F80F 1F848-1F84F 1F85A-1F85F 1F888-1F88F 1F8AE-1F8FF 1F90C-1F93A "
    "1F93C-1F945 1F947-1FAFF 1FC00-1FFFD"
)
_MODIFIER = _set("1F3FB-1F3FF")
# Line_Break SA of LineBreak.txt (Unicode 14.0): Thai, Lao, Myanmar, Khmer, Tai, Ahom are
# written without spaces, and U+200B marks their words (UAX #14, ZW and SA)
_UNSPACED = _set(
    "E01-E4E E81-EDF 1000-109F 1780-17DD 1950-19DF 1A20-1AAD A9E0-A9FE AA60-AADF 11700-11746"
)
# Bidi_Class R and AL of DerivedBidiClass.txt (Unicode 14.0), unassigned ones included;
# without numbers (AN, EN) and without the marks themselves
_RIGHT_TO_LEFT = _set(
    "590-5FF 608 60B 60D 61B 61D-65F 66D-66F 671-6EF 6FA-8FF FB1D-FDCF FDF0-FDFF FE70-FEFE "
    "10800-10FFF 1E800-1EFFF"
)
_SELECTOR = _set("FE00-FE0F E0100-E01EF")

# Each pattern begins with the character sought and looks back over it: the search for a
# first character is much faster than a look behind at every position.

# <joiner, non-joiner, joiner> keeps letters joined without a ligature (the Standard, 23.2):
# no longer run of them has a meaning.
_JOINER = "[\u200c\u200d]"
_JOINERS = re.compile(
    f"{_JOINER}(?:(?<![{_JOINING}\u200c\u200d].){_JOINER}*(?![{_JOINING}\u200c\u200d])"
    f"|(?<={_JOINER}{{4}}){_JOINER}*)"
)
# UTS #51, ED-16: emoji, with a presentation selector or a modifier, joiner, emoji
_EMOJI_JOINER = re.compile(
    f"(?:(?<=[{_EMOJI}])|(?<=[{_EMOJI}][\ufe0f{_MODIFIER}]))\u200d(?=[\u200c\u200d]*[{_EMOJI}])"
)
_BREAKS = re.compile(
    f"\u200b(?:(?<![{_UNSPACED}\u200b].)\u200b*(?![{_UNSPACED}\u200b])|(?<=\u200b\u200b)\u200b*)"
)
# UTS #51, annex C: a black flag, a subdivision of CLDR in tags (a region of two letters or
# three digits, then one to four letters or digits), a cancel tag
_LETTER, _DIGIT = _set("E0061-E007A"), _set("E0030-E0039")
_TAGS = re.compile(
    f"\U0001f3f4(?:[{_LETTER}]{{2}}|[{_DIGIT}]{{3}})[{_LETTER}{_DIGIT}]{{1,4}}\U000e007f"
    f"|([{_set('E0000-E007F')}]+)"
)
# The Standard, 23.4: one selector varies the character before it, a second one varies nothing
_SELECTORS = re.compile(f"[{_SELECTOR}](?<=[{_SELECTOR}]{{2}})[{_SELECTOR}]*")
_LETTERS = re.compile(f"[{_RIGHT_TO_LEFT}]")
_MARKS = re.compile("[\u061c\u200e\u200f]+")
# UAX #9, P1: a paragraph (bidirectional class B) ends every embedding and isolate
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]|(?P<paragraph>[\n\r\x1c-\x1e\x85\u2029])")
_EMBEDDINGS, _POP = "\u202a\u202b", "\u202c"
_ISOLATES, _POP_ISOLATE = "\u2066\u2067\u2068", "\u2069"


def idle_joiners(text: str) -> Runs:
    """Joiners that neither a joining script nor an emoji sequence needs."""
    for match in _JOINERS.finditer(text):
        start, end = match.span()
        start += bool(_EMOJI_JOINER.match(text, start))
        if start < end:
            yield start, end


def idle_breaks(text: str) -> Runs:
    """Zero-width spaces that mark no word of a script written without spaces."""
    return (match.span() for match in _BREAKS.finditer(text))


def idle_tags(text: str) -> Runs:
    """Tags that are not part of a flag."""
    return (match.span(1) for match in _TAGS.finditer(text) if match[1])


def idle_selectors(text: str) -> Runs:
    """Variation selectors behind another one."""
    return (match.span() for match in _SELECTORS.finditer(text))


def idle_marks(text: str) -> Runs:
    """Direction marks in a text without a right-to-left letter."""
    if _LETTERS.search(text):
        return iter(())
    return (match.span() for match in _MARKS.finditer(text))


def idle_directions(text: str) -> Runs:
    """Overrides, what is not closed, and all of it where no letter runs right to left."""
    needed = _closed(text) if _LETTERS.search(text) else frozenset()
    for match in _DIRECTIONS.finditer(text):
        if match.start() not in needed and not match["paragraph"]:
            yield match.span()


def _closed(text: str) -> frozenset[int]:
    """Positions of embeddings and isolates that are closed, and of what closes them."""
    pairs: list[int] = []
    opened: list[tuple[int, str]] = []
    for match in _DIRECTIONS.finditer(text):
        at, char = match.start(), match[0]
        if match["paragraph"]:
            opened.clear()
        elif char == _POP and opened and opened[-1][1] not in _ISOLATES:
            start, opener = opened.pop()
            pairs += [start, at] if opener in _EMBEDDINGS else []
        elif char == _POP_ISOLATE:
            inner = len(opened)
            while inner and opened[inner - 1][1] not in _ISOLATES:
                inner -= 1
            if inner:  # an isolate's end closes the embeddings opened in it (UAX #9, X6a)
                pairs += [opened[inner - 1][0], at]
                del opened[inner - 1 :]
        elif char not in (_POP, _POP_ISOLATE):
            opened.append((at, char))
    return frozenset(pairs)


IDLE: Mapping[Kind, Callable[[str], Runs]] = {
    Kind.BIDI_CONTROL: idle_directions,
    Kind.BIDI_MARK: idle_marks,
    Kind.TAG: idle_tags,
    Kind.VARIATION_SELECTOR: idle_selectors,
    Kind.ZERO_WIDTH: idle_breaks,
    Kind.JOINER: idle_joiners,
}
"""By class, in the order to apply them: joiners last, when what parted letters is gone."""

FIXED: Mapping[Kind, Ranges] = {
    Kind.ZERO_WIDTH: ranges_of("2060-2065"),
    Kind.BIDI_CONTROL: ranges_of("206A-206F"),
}
"""Characters of these classes that no context can need."""
