"""Evidence by its kind: bytes in hex, text before and after, characters, readings, figures."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from markupsafe import Markup

from corpusgate.reports.escape import html
from corpusgate.text import visible
from corpusgate.text.characters import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CODE_POINT = re.compile(r"U\+([0-9A-F]{4,6})")
# Longer texts are shown without marks: the matcher takes quadratic time.
_MARKED = 500


def rows(pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[Markup, Markup]]:
    """(name, value) of each fact, ready for the page.

    By its name a fact is bytes ("bytes": hex digits), a text before or after a change
    ("before", "after": what differs is marked), a character ("U+0000": how often), or plain.
    """
    facts = dict(pairs)
    marked = {}
    if "before" in facts and "after" in facts:
        marked["before"], marked["after"] = differences(facts["before"], facts["after"])
    for name, value in pairs:
        yield _name(name), marked.get(name) or _value(name, value)


def is_comparison(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether the facts are to be read one below the other."""
    return any(name in {"bytes", "before", "after"} for name, _ in pairs)


def _name(name: str) -> Markup:
    match = _CODE_POINT.fullmatch(name)
    code = int(match[1], 16) if match else None
    if code is None or code > 0x10FFFF or not visible.is_hidden(chr(code)):  # noqa: PLR2004
        return html(name)
    char = chr(code)
    if name_of(code) == name:
        return html(char)
    return Markup("{} {}").format(html(char), name)


def _value(name: str, value: str) -> Markup:
    if name == "bytes":
        return Markup('<code class="hex">{}</code>').format(html(value))
    if _CODE_POINT.fullmatch(name) and value.isdecimal():
        return html(f"{visible.TIMES}{value}")
    return Markup("<bdi>{}</bdi>").format(html(value))


def differences(before: str, after: str) -> tuple[Markup, Markup]:
    """Both texts with the stretches marked that the other does not have."""
    if max(len(before), len(after)) > _MARKED:
        return _whole(before), _whole(after)
    left, right = [], []
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        left.append(_stretch(before[i:j], changed=tag != "equal"))
        right.append(_stretch(after[k:m], changed=tag != "equal"))
    return _whole(Markup("").join(left)), _whole(Markup("").join(right))


def _stretch(text: str, *, changed: bool) -> Markup:
    return Markup("<mark>{}</mark>").format(html(text)) if changed and text else html(text)


def _whole(text: str) -> Markup:
    return Markup('<bdi class="text">{}</bdi>').format(html(text))
