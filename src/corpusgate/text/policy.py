"""Policy: what is done with each class of character, as a list of cuts."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, fields, replace
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from corpusgate.errors import ConfigError
from corpusgate.text.characters import CONTROL, INVISIBLE, NONE, TABLE, Kind, char_class, kind_of
from corpusgate.text.context import FIXED, IDLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
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


def strips(policy: CharacterPolicy) -> Kind:
    """The classes that a record must hold one of to be changed."""
    return _having(policy, "strip", "replace")


def refuses(policy: CharacterPolicy) -> Kind:
    """The classes that a record must hold one of to be set aside."""
    return _having(policy, "refuse")


def check_of(kind: Kind) -> str:
    """The check that answers for a class."""
    if kind & CONTROL:
        return "control-chars"
    if kind & INVISIBLE:
        return "invisible-chars"
    return "private-use-chars" if kind & Kind.PRIVATE_USE else "replacement-chars"


def kinds_in(text: str) -> Kind:
    """The classes of the characters of a text."""
    kinds = reduce(or_, (kind_of(ord(char)) for char in set(_ANY.findall(text))), NONE)
    return kinds | Kind.ANSI if kinds & Kind.C0 and _ANSI.search(text) else kinds


def cuts(text: str, policy: CharacterPolicy) -> list[Cut]:
    """The changes that leave a text with nothing for the policy to do, in order.

    Positions are code points. What a cut brings together is judged again, so that the text
    with its cuts made has none. Cuts of one check that touch are one.
    """
    kinds = kinds_in(text)
    if not kinds & (strips(policy) | refuses(policy)):
        return []
    rules = _rules(policy, kinds)
    taken: list[Cut] = []
    left = _Remains(text, taken)
    found = True
    while found:
        found = False
        for rule in rules:
            more = [
                replace(cut, start=start, end=end)
                for cut in rule(left.text)
                for start, end in left.origins(cut.start, cut.end)
            ]
            if more:
                taken += more
                left, found = _Remains(text, taken), True
    return _joined([cut for cut in taken if cut.refuse] or taken)


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


def apply(text: str, changes: Sequence[Cut]) -> str:
    """The text with its cuts made."""
    parts, at = [], 0
    for cut in changes:
        parts += [text[at : cut.start], cut.replacement]
        at = cut.end
    return "".join([*parts, text[at:]])


class _Remains:
    """A text without its cuts, and where each stretch of it stood."""

    def __init__(self, text: str, taken: Iterable[Cut]) -> None:
        self._now: list[int] = []
        self._was: list[tuple[int, int]] = []
        ordered = sorted(taken)
        self.text = apply(text, ordered)
        now = at = 0
        for cut in (*ordered, Cut(len(text), len(text), "", "")):
            if at < cut.start:
                self._now.append(now)
                self._was.append((at, cut.start))
            now += cut.start - at + len(cut.replacement)
            at = cut.end

    def origins(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches of the whole text that [start, end) of the rest is made of."""
        index = bisect_right(self._now, start) - 1
        for now, (first, last) in zip(self._now[index:], self._was[index:], strict=True):
            if now >= end:
                break
            shift = first - now
            yield max(start, now) + shift, min(end + shift, last)


class _Change(NamedTuple):
    """What is done with a run of characters, and for which check."""

    replacement: str
    check: str
    refuse: bool

    @classmethod
    def of(cls, kind: Kind, policy: CharacterPolicy) -> _Change:
        action = policy.action(kind)
        return cls(_SPACE if action == "replace" else "", check_of(kind), action == "refuse")

    def cut(self, run: tuple[int, int]) -> Cut:
        return Cut(*run, self.replacement, self.check, self.refuse)


def _rules(policy: CharacterPolicy, kinds: Kind) -> list[Callable[[str], Iterator[Cut]]]:
    """What finds cuts in a text that holds these classes: fixed ones, then by context."""

    def contextual(kind: Kind) -> Callable[[str], Iterator[Cut]]:
        change = _Change.of(kind, policy)
        return lambda text: (change.cut(run) for run in IDLE[kind](text))

    pattern, changes = _pattern(policy)

    def fixed(text: str) -> Iterator[Cut]:
        for match in pattern.finditer(text):
            yield changes[(match.lastindex or 0) - 1].cut(match.span())

    present = (kind for kind in IDLE if kind & kinds)
    return [fixed, *(contextual(kind) for kind in present if policy.action(kind) != "keep")]


@lru_cache(maxsize=16)
def _pattern(policy: CharacterPolicy) -> tuple[re.Pattern[str], list[_Change]]:
    """A group of a pattern for each change; an escape sequence comes before its ESC."""
    groups: dict[_Change, str] = {}
    for kind in (kind for kind in TABLE if policy.action(kind) != "keep"):
        ranges = FIXED.get(kind, ()) if kind in IDLE else TABLE[kind]
        change = _Change.of(kind, policy)
        groups[change] = groups.get(change, "") + char_class(ranges)
    parts = [(change, f"([{body}]+)") for change, body in groups.items() if body]
    if policy.ansi != "keep":
        parts.insert(0, (_Change.of(Kind.ANSI, policy), f"({_ANSI.pattern})"))
    never = "(?!)"
    return re.compile("|".join(p for _, p in parts) or never), [change for change, _ in parts]


@lru_cache(maxsize=64)
def _having(policy: CharacterPolicy, *actions: Action) -> Kind:
    return reduce(or_, (kind for kind in _FIELDS if policy.action(kind) in actions), NONE)


def _joined(taken: Iterable[Cut]) -> list[Cut]:
    joined: list[Cut] = []
    for cut in sorted(taken):
        if joined and joined[-1].end == cut.start and _alike(joined[-1], cut):
            joined[-1] = replace(joined[-1], end=cut.end)
        else:
            joined.append(cut)
    return joined


def _alike(a: Cut, b: Cut) -> bool:
    return (a.replacement, a.check, a.refuse) == (b.replacement, b.check, b.refuse)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
