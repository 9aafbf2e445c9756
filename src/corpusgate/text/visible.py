"""Text from the data made safe to show: what cannot be seen is called by its name."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from corpusgate.text.characters import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

OPEN, CLOSE = "\u27e6", "\u27e7"
"""Brackets around a name in plain text. An OPEN in the data is named itself, so that no text
can pretend to hold a name."""
TIMES = "\u00d7"

# Default_Ignorable_Code_Point (DerivedCoreProperties.txt) as far as its general category is
# not Other already: combining joiner, fillers, inherent vowels, variation selectors.
_IGNORABLE = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810)}
    | {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
)

_NOT_ASCII = re.compile(r"[^\n -~]")

# Prepended_Concatenation_Mark (PropList.txt): format characters that are drawn.
_DRAWN = frozenset(
    {*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD}
)


# Most text is ASCII, which needs no second look.
_PARTS = re.compile("[ -~]+|[^ -~]+")
_ASCII = frozenset(map(chr, range(0x20, 0x7F)))


class Run(NamedTuple):
    """A stretch of text that can be shown as it is, or one hidden character and how often."""

    text: str
    """As it is, or the name of the hidden character."""
    hidden: str = ""
    """The hidden character, or nothing."""
    times: int = 1


@lru_cache(4096)
def is_hidden(char: str) -> bool:
    """Whether a character cannot be seen. Spaces of any width may stand.

    Controls, direction, joiners, tags, surrogates, noncharacters, private use, unassigned
    code points and the separators of lines and paragraphs cannot.
    """
    code = ord(char)
    if code in _IGNORABLE:
        return True
    # isprintable is false for the categories Other and Separator, U+0020 excepted.
    return not char.isprintable() and code not in _DRAWN and unicodedata.category(char) != "Zs"


def runs(text: str, keep: str = "\n\t", also: str = "") -> Iterator[Run]:
    """Split text into what can be shown and what must be named.

    Args:
        text: any string, lone surrogates included.
        keep: hidden characters that may stand as they are.
        also: further characters to name, none of ASCII.
    """
    for part in _PARTS.findall(text):
        if part[0] in _ASCII:
            yield Run(part)
            continue
        for hidden, chars in groupby(part, lambda c: c in also or (c not in keep and is_hidden(c))):
            if not hidden:
                yield Run("".join(chars))
                continue
            for char, same in groupby(chars):
                yield Run(name_of(ord(char)), char, sum(1 for _ in same))


def label(run: Run) -> str:
    """What to write for a hidden character: its name, and how often if more than once."""
    return f"{run.text}{TIMES}{run.times}" if run.times > 1 else run.text


def plain(text: str, keep: str = "\n\t") -> str:
    """Text for a terminal, a log or a chart; pass keep="" for what must stay on one line."""
    return "".join(
        f"{OPEN}{label(run)}{CLOSE}" if run.hidden else run.text
        for run in runs(text, keep, also=OPEN)
    )


def escaped(json_text: str) -> str:
    """JSON with everything but visible ASCII as escapes, DEL too, which `json` leaves as it is."""

    def units(match: re.Match[str]) -> str:
        held = match[0].encode("utf-16-be", "surrogatepass").hex()
        return "".join(f"\\u{held[i : i + 4]}" for i in range(0, len(held), 4))

    return _NOT_ASCII.sub(units, json_text)


def markdown(text: str) -> str:
    """Text as a Markdown code span on one line: nothing in it is a link, a mention or markup."""
    shown = plain(text, keep="")
    if not shown.strip():
        return ""
    ticks = max((len(list(same)) for char, same in groupby(shown) if char == "`"), default=0)
    fence, pad = "`" * (ticks + 1), " " if ticks else ""
    return f"{fence}{pad}{shown}{pad}{fence}"
