"""What a round trip through a tokenizer lost, named by the weakest losses that explain it."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from corpusgate.model import Loss

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SPACES = Loss.LEADING_SPACE | Loss.INNER_SPACE

# Losses in the order in which they are ruled out. A strong one goes first, so that what a
# weaker one explains is not blamed on it; NFKC explains a folded space, so spaces go before.
_RULED_OUT = (Loss.ACCENTS, SPACES, Loss.NFKC, Loss.DROPPED_CONTROL, Loss.CASE, Loss.NFC)

_BORDER = re.compile(r"\s(?=\S)")

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
    if len(parts) == 1 and before == parts[0]:
        return Loss(0)
    after = "".join(parts)
    unknown = Loss.UNK if len(parts) > 1 else Loss(0)
    forms = _possible(before, after)
    if not _same(before, parts, forms):
        return unknown | Loss.OTHER
    for loss in _RULED_OUT:
        if loss in forms and _same(before, parts, forms & ~loss):
            forms &= ~loss
    if SPACES in forms and not unknown:
        rest = forms & ~SPACES
        forms = rest | _spaces(_form(before, rest), _form(after, rest), specials, rest)
    elif SPACES in forms:
        forms &= ~Loss.LEADING_SPACE
    return unknown | forms


def excerpts(before: str, after: str) -> tuple[str, str]:
    """Both texts, cut around the place where they first differ."""
    low, high = 0, min(len(before), len(after))
    while low < high:  # the longest common prefix, by halves
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    window = slice(max(low - CONTEXT, 0), low + CONTEXT)
    return before[window], after[window]


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


def _possible(before: str, after: str) -> Loss:
    """The classes that these two texts can differ by at all."""
    found = SPACES
    if _controls().search(before):
        found |= Loss.DROPPED_CONTROL
    if before != before.casefold():
        found |= Loss.CASE
    if before.isascii() and after.isascii():
        return found
    if not _normal("NFC", before, after):
        found |= Loss.NFC
    if not _normal("NFKC", before, after):
        found |= Loss.NFKC
    if _marks().search(unicodedata.normalize("NFD", before)):
        found |= Loss.ACCENTS
    return found


def _normal(form: Literal["NFC", "NFKC"], *texts: str) -> bool:
    return all(unicodedata.is_normalized(form, text) for text in texts)


def _same(before: str, parts: Sequence[str], forms: Loss) -> bool:
    """Whether the texts are equal in these forms, an unknown token standing for any text."""
    whole = _form(before, forms)
    if len(parts) == 1:
        return whole == _form(parts[0], forms)
    first, *middle, last = (_form(part, forms) for part in parts)
    if not whole.startswith(first) or not whole.endswith(last):
        return False
    position, end = len(first), len(whole) - len(last)
    for part in middle:
        position = whole.find(part, position, end)
        if position < 0:
            return False
        position += len(part)
    return position <= end


def _form(text: str, forms: Loss) -> str:
    """The text as one sees it who does not see these losses."""
    if Loss.DROPPED_CONTROL in forms:
        text = _controls().sub("", text)
    if Loss.ACCENTS in forms:
        decomposed = unicodedata.normalize("NFKD" if Loss.NFKC in forms else "NFD", text)
        text = _marks().sub("", decomposed)
    if Loss.CASE in forms:
        text = text.casefold()
    if Loss.NFKC in forms:
        text = unicodedata.normalize("NFKC", text)
    elif forms & (Loss.NFC | Loss.ACCENTS):
        text = unicodedata.normalize("NFC", text)
    if SPACES in forms:
        text = "".join(text.replace("\u2581", " ").split())
    return text


def _spaces(before: str, after: str, specials: Sequence[str], forms: Loss) -> Loss:
    """Where texts that differ in white space alone do so."""
    before, after = (text.replace("\u2581", " ") for text in (before, after))
    found = Loss(0)
    if _indent(before) != _indent(after):
        found |= Loss.LEADING_SPACE
    before, after = before.lstrip(), after.lstrip()
    if before == after:
        return found or Loss.INNER_SPACE  # U+2581 came back as a space
    if specials:
        names = "|".join(re.escape(_form(name, forms)) for name in specials)
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
    """What BERT's clean_text drops: controls but white space, format characters, U+FFFD."""
    return _characters(
        lambda char: (
            (unicodedata.category(char)[0] == "C" and char not in "\t\n\r") or char == "\ufffd"
        )
    )


def _characters(inside: Callable[[str], bool]) -> re.Pattern[str]:
    """A pattern for one character of a set, which is tested once for each code point."""
    runs: list[str] = []
    for member, run in groupby(map(chr, range(sys.maxunicode + 1)), inside):
        if member:
            first, *rest = run
            runs.append(f"\\U{ord(first):08x}-\\U{ord((rest or [first])[-1]):08x}")
    return re.compile(f"[{''.join(runs)}]")
