"""What a round trip through a tokenizer lost, named by the weakest losses that explain it."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache, partial
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Literal

from corpusgate.model import Loss

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

# Plain integers: operators of enum.IntFlag cost more than the work between them.
NFC, NFKC = int(Loss.NFC), int(Loss.NFKC)
CASE, ACCENTS, CONTROLS = int(Loss.CASE), int(Loss.ACCENTS), int(Loss.DROPPED_CONTROL)
SPACES = int(Loss.LEADING_SPACE | Loss.INNER_SPACE)

# Losses in the order in which they are ruled out. A strong one goes first, so that what a
# weaker one explains is not blamed on it; NFKC explains a folded space, so spaces go before.
_RULED_OUT = (ACCENTS, SPACES, NFKC, CONTROLS, CASE, NFC)

# Stands where an unknown token stood: symbols that no normal form changes; one that neither
# text holds is taken.
_GAPS = "\ufffc\u2ff0\u2ff1\u2ff2\u2ff3"

_BORDER = re.compile(r"\s(?=\S)")

_ASTRAL, _END = 0x10000, sys.maxunicode + 1

CONTEXT = 24
"""Characters shown on each side of the first difference."""


def classify(before: str, parts: Sequence[str], specials: Sequence[str] = ()) -> Loss:
    """The losses that explain how `before` came back.

    Each class has a normal form that does not see it. The answer is a minimal set of classes
    whose forms together make the two texts equal: each one in it is needed.

    Args:
        before: the text that was encoded.
        parts: the text that was decoded, split where unknown tokens stood; one part, if none.
        specials: special tokens that stand in the text.

    Returns:
        No class at all if the round trip is exact.
    """
    after = "".join(parts)
    unknown = len(parts) > 1
    if before == after and not unknown:
        return Loss(0)
    gap = next((g for g in _GAPS if g not in before and g not in after), _GAPS[0])
    back = gap.join(parts)
    if _same(before, back, 0, gap):
        return Loss.UNK
    forms = _possible(before, after)
    if not _same(before, back, forms, gap):
        return Loss.OTHER | Loss.UNK if unknown else Loss.OTHER
    for loss in _RULED_OUT:
        if forms & loss and _same(before, back, forms & ~loss, gap):
            forms &= ~loss
    spaces = Loss(0)
    if forms & SPACES and not unknown:
        rest = forms & ~SPACES
        names = [_form(name, rest) for name in specials]
        spaces = _spaces(_form(before, rest), _form(after, rest), names)
    elif forms & SPACES:
        spaces = Loss.INNER_SPACE
    return (Loss.UNK if unknown else Loss(0)) | Loss(forms & ~SPACES) | spaces


def excerpts(before: str, after: str, loss: Loss = Loss.OTHER) -> tuple[str, str]:
    """Both texts, cut around the first place where they differ by this loss.

    Where that place is in `after` is told by the characters before it, spaces not counted.
    """
    place = _first(before, loss)
    if place is None:
        pairs = enumerate(zip(before, after, strict=False))
        shorter = min(len(before), len(after))
        place = next((i for i, (a, b) in pairs if a != b), shorter)
        return _window(before, place), _window(after, place)
    ahead = len("".join(before[:place].split()))
    seen = accumulate(not char.isspace() for char in after)
    there = next((i for i, count in enumerate(seen) if count > ahead), len(after))
    return _window(before, place), _window(after, there)


def _window(text: str, place: int) -> str:
    return text[max(place - CONTEXT, 0) : place + CONTEXT]


def _first(text: str, loss: Loss) -> int | None:
    """Where the first character stands that can be lost so, if a character alone can tell."""
    if loss is Loss.DROPPED_CONTROL:
        found = _controls().search(text)
        return found.start() if found else None
    if loss is Loss.CASE:
        form = str.casefold
    elif loss is Loss.NFKC:
        form = partial(unicodedata.normalize, "NFKC")
    elif loss is Loss.ACCENTS:
        form = partial(_form, forms=ACCENTS)
    else:
        return None
    return next((i for i, char in enumerate(text) if form(char) != char), None)


def pieces(text: str, size: int) -> Iterator[str]:
    """The text in pieces of at most `size` characters, whole if it is no longer than that.

    A piece ends behind white space, a line break first of all, where its second half has
    some with text behind it: no tokenizer loses a space there, and hardly a token is split.
    """
    start = 0
    while len(text) - start > size:
        end = start + size
        spaces = [m.end() for m in _BORDER.finditer(text, start + size // 2, end + 1)]
        breaks = [place for place in spaces if text[place - 1] == "\n"]
        end = (breaks or spaces or [end])[-1]
        yield text[start:end]
        start = end
    yield text[start:]


def _possible(before: str, after: str) -> int:
    """The classes that these two texts can differ by at all."""
    found = SPACES
    if _controls().search(before):
        found |= CONTROLS
    if before != before.casefold():
        found |= CASE
    if before.isascii() and after.isascii():
        return found
    if not _normal("NFC", before, after):
        found |= NFC
    if not _normal("NFKC", before, after):
        found |= NFKC
    if _marks().search(unicodedata.normalize("NFD", before)):
        found |= ACCENTS
    return found


def _normal(form: Literal["NFC", "NFKC"], *texts: str) -> bool:
    return all(unicodedata.is_normalized(form, text) for text in texts)


def _same(before: str, back: str, forms: int, gap: str) -> bool:
    """Whether the texts are equal in these forms, where a gap stands for any text."""
    whole, held = _form(before, forms), _form(back, forms)
    if gap not in back:
        return whole == held
    first, *middle, last = held.split(gap)
    if not whole.startswith(first) or not whole.endswith(last):
        return False
    position, end = len(first), len(whole) - len(last)
    for part in middle:
        position = whole.find(part, position, end)
        if position < 0:
            return False
        position += len(part)
    return position <= end


def _form(text: str, forms: int) -> str:
    """The text as one sees it who does not see these losses."""
    if forms & CONTROLS:
        text = _controls().sub("", text)
    if forms & ACCENTS:
        decomposed = unicodedata.normalize("NFKD" if forms & NFKC else "NFD", text)
        text = _marks().sub("", decomposed)
    if forms & CASE:
        text = text.casefold()
    if forms & NFKC:
        text = unicodedata.normalize("NFKC", text)
    elif forms & (NFC | ACCENTS):
        text = unicodedata.normalize("NFC", text)
    if forms & SPACES:
        text = "".join(text.replace("\u2581", " ").split())
    return text


def _spaces(before: str, after: str, specials: Sequence[str]) -> Loss:
    """Where texts that differ in white space alone do so."""
    before, after = (text.replace("\u2581", " ") for text in (before, after))
    found = Loss(0)
    if _indent(before) != _indent(after):
        found |= Loss.LEADING_SPACE
    before, after = before.lstrip(), after.lstrip()
    if before == after:
        return found or Loss.INNER_SPACE  # U+2581 came back as a space
    if specials:
        names = "|".join(re.escape(name) for name in specials)
        behind = re.compile(f"({names})\\s+")
        if behind.sub(r"\1", before) == behind.sub(r"\1", after):
            return found | Loss.SPACE_AFTER_SPECIAL
    return found | Loss.INNER_SPACE


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


@cache
def _marks() -> re.Pattern[str]:
    """Non-spacing marks, which BERT's strip_accents drops."""
    return _characters(lambda char: unicodedata.category(char) == "Mn")


@cache
def _controls() -> re.Pattern[str]:
    """What BERT's clean_text drops: controls but white space, format, private use, U+FFFD."""
    return _characters(
        lambda char: (
            (unicodedata.category(char) in {"Cc", "Cf", "Co"} and char not in "\t\n\r")
            or char == "\ufffd"
        )
    )


def _characters(inside: Callable[[str], bool]) -> re.Pattern[str]:
    """A pattern for one character of a set, which is tested once for each code point.

    The module `re` holds the first 65,536 as a bitmap and tries the ranges above one by one:
    they come behind a look ahead, which is thirteen times as fast on text without them.
    """
    planes = [_ranges(map(chr, half), inside) for half in (range(_ASTRAL), range(_ASTRAL, _END))]
    return re.compile("[{}]|(?=[\U00010000-\U0010ffff])[{}]".format(*planes))


def _ranges(characters: Iterable[str], inside: Callable[[str], bool]) -> str:
    runs = [list(run) for member, run in groupby(characters, inside) if member]
    return "".join(f"\\U{ord(run[0]):08x}-\\U{ord(run[-1]):08x}" for run in runs)
