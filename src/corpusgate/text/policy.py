"""Policy: what is done with each class of character, as a list of cuts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, fields, replace
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from corpusgate.errors import ConfigError
from corpusgate.text.characters import CONTROL, INVISIBLE, NONE, TABLE, Kind, char_class, kind_of
from corpusgate.text.context import FIXED, IDLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Runs: TypeAlias = Callable[[str], Iterator[tuple[int, int]]]
    """Finds runs of characters in a text: (start, end) of each, in order."""

Action: TypeAlias = Literal["strip", "replace", "keep", "refuse"]
"""Cut it; put a space in place of a run; leave it; set the whole record aside."""


@dataclass(frozen=True)
class CharacterPolicy:
    """An action for each class of character; `docs/clean.md` gives the reason of each default.

    A joiner, a zero-width space, a tag, a direction mark or control and a variation selector
    are acted upon only where nothing around them needs them (`corpusgate.text.context`).
    """

    nul: Action = "strip"
    c0: Action = "strip"
    form_feed: Action = "keep"
    delete: Action = "strip"
    c1: Action = "strip"
    ansi: Action = "keep"
    bom: Action = "strip"
    zero_width: Action = "strip"
    soft_hyphen: Action = "keep"
    joiner: Action = "strip"
    bidi_mark: Action = "keep"
    bidi_control: Action = "strip"
    tag: Action = "strip"
    variation_selector: Action = "strip"
    line_separator: Action = "keep"
    private_use: Action = "keep"
    noncharacter: Action = "strip"
    replacement: Action = "keep"

    def __post_init__(self) -> None:
        for name in (f.name for f in fields(self)):
            if getattr(self, name) not in get_args(Action):
                allowed = ", ".join(get_args(Action))
                raise ConfigError(
                    "bad-action", f"{name} = {getattr(self, name)!r}: use one of {allowed}"
                )

    def action(self, kind: Kind) -> Action:
        """What is done with a class."""
        action: Action = getattr(self, _FIELDS[kind])
        return action


_FIELDS = {kind: (kind.name or "").lower() for kind in (*TABLE, Kind.ANSI)} | {Kind.DEL: "delete"}
# A space keeps the words on both sides apart; U+FFFD would be a fault of its own.
_SPACE = " "
# ECMA-48, 5.4: a control sequence is ESC [, parameter bytes, intermediate bytes, a final byte
_ANSI = r"\x1b\[[0-?]*[ -/]*[@-~]"
_ANY = re.compile(f"[{char_class(r for ranges in TABLE.values() for r in ranges)}]")


@dataclass(frozen=True, order=True)
class Cut:
    """One change of a text: `replacement` takes the place of [start, end).

    Of a text that the policy refuses, the cuts are the places that it is refused for.
    """

    start: int
    end: int
    replacement: str
    check: str
    refuse: bool = False

    @property
    def new(self) -> bytes:
        """The replacement in UTF-8."""
        return self.replacement.encode()


class _Change(NamedTuple):
    """What is done with a run of characters, and for which check."""

    replacement: str
    check: str
    refuse: bool

    @classmethod
    def of(cls, kind: Kind, policy: CharacterPolicy) -> _Change:
        action = policy.action(kind)
        return cls(_SPACE if action == "replace" else "", check_of(kind), action == "refuse")


def strips(policy: CharacterPolicy) -> Kind:
    """The classes that a record must hold one of to be changed."""
    return reduce(or_, (k for k in _FIELDS if policy.action(k) in ("strip", "replace")), NONE)


def refuses(policy: CharacterPolicy) -> Kind:
    """The classes that a record must hold one of to be set aside."""
    return reduce(or_, (kind for kind in _FIELDS if policy.action(kind) == "refuse"), NONE)


def check_of(kind: Kind) -> str:
    """The check that answers for a class."""
    if kind & CONTROL:
        return "control-chars"
    if kind & INVISIBLE:
        return "invisible-chars"
    return "private-use-chars" if kind & Kind.PRIVATE_USE else "replacement-chars"


def cuts(text: str, policy: CharacterPolicy) -> list[Cut]:
    """The changes that leave a text with nothing for the policy to do, in order.

    Positions are code points. What a cut brings together is judged again, so that the text
    with its cuts made has none. Cuts of one check that touch are one.
    """
    held = 0
    for char in set(_ANY.findall(text)):
        held |= _bit(char)
    passes = [(change, runs) for kinds, change, runs in _passes(policy) if kinds & held]
    taken: list[tuple[int, int, _Change]] = []
    rest, again = _Rest(text, taken), bool(passes)
    while again:
        again = False
        for change, runs in passes:
            found = [part for run in runs(rest.text) for part in rest.origins(*run)]
            if found:
                taken += [(start, end, change) for start, end in found]
                rest, again = _Rest(text, taken), True
    refused = [cut for cut in taken if cut[2].refuse]
    return list(_joined(refused or taken))


def cuts_bytes(view: bytes, span: tuple[int, int], policy: CharacterPolicy) -> list[Cut]:
    """The cuts of the UTF-8 text in one extent of `view`, as positions in `view`."""
    text = view[span[0] : span[1]].decode("utf-8", "surrogateescape")
    found, done, at = [], 0, span[0]
    for cut in cuts(text, policy):
        at += _size(text[done : cut.start])
        end = at + _size(text[cut.start : cut.end])
        found.append(replace(cut, start=at, end=end))
        done, at = cut.end, end
    return found


def apply(text: str, changes: Iterable[Cut]) -> str:
    """The text with its cuts made."""
    return _spliced(text, ((cut.start, cut.end, cut.replacement) for cut in changes))


class _Rest:
    """A text without what was taken of it, and where each stretch of it stood."""

    def __init__(self, text: str, taken: Sequence[tuple[int, int, _Change]]) -> None:
        ordered = sorted(taken)
        self.text = _spliced(text, ((s, e, change.replacement) for s, e, change in ordered))
        self._now: list[int] = []
        self._was: list[tuple[int, int]] = []
        now = at = 0
        for start, end, change in ordered:
            if at < start:
                self._now.append(now)
                self._was.append((at, start))
            now += start - at + len(change.replacement)
            at = end
        self._now.append(now)
        self._was.append((at, len(text)))

    def origins(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches of the whole text that [start, end) of the rest is made of."""
        for index in range(bisect_right(self._now, start) - 1, bisect_left(self._now, end)):
            now, (first, last) = self._now[index], self._was[index]
            yield first + max(start - now, 0), min(first + end - now, last)


@cache
def _passes(policy: CharacterPolicy) -> tuple[tuple[int, _Change, Runs], ...]:
    """What to look for in a text; kept by policy, since patterns are slow to make."""
    return tuple(_made(policy))


def _made(policy: CharacterPolicy) -> Iterator[tuple[int, _Change, Runs]]:
    """What to look for, in order, in a text that holds one of the classes: context last."""
    if policy.action(Kind.ANSI) != "keep":
        yield int(Kind.C0), _Change.of(Kind.ANSI, policy), _runs(_ANSI)
    groups: dict[_Change, list[Kind]] = {}
    for kind in (kind for kind in TABLE if policy.action(kind) != "keep"):
        groups.setdefault(_Change.of(kind, policy), []).append(kind)
    for change, kinds in groups.items():
        fixed = [FIXED.get(kind, ()) if kind in IDLE else TABLE[kind] for kind in kinds]
        if any(fixed):
            pattern = f"[{''.join(map(char_class, fixed))}]+"
            yield int(reduce(or_, kinds)), change, _runs(pattern)
    for kind, idle in IDLE.items():
        if policy.action(kind) != "keep":
            yield int(kind), _Change.of(kind, policy), idle


def _runs(pattern: str) -> Runs:
    compiled = re.compile(pattern)
    return lambda text: (match.span() for match in compiled.finditer(text))


@cache
def _bit(char: str) -> int:
    return int(kind_of(ord(char)))


def _joined(taken: Iterable[tuple[int, int, _Change]]) -> Iterator[Cut]:
    """Cuts of runs, one for those that touch and are changed alike."""
    start = end = -1
    last = None
    for low, high, change in sorted(taken):
        if last is not None and (low, change) != (end, last):
            yield Cut(start, end, *last)
        if (low, change) != (end, last):
            start, last = low, change
        end = high
    if last is not None:
        yield Cut(start, end, *last)


def _spliced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, replacement in changes:
        parts += [text[at:start], replacement]
        at = end
    return "".join([*parts, text[at:]])


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
