"""What the checks of characters share: how they count, and how they tell it."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from corpusgate.model import UNKNOWN, Check, Partial, Rule, Sample, Severity, share
from corpusgate.text.characters import Kind, name_of
from corpusgate.text.policy import CharacterPolicy, cuts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Evidence, Finding

DEFAULT = CharacterPolicy()
"""What is clean is said by the defaults, whatever a run's own policy cuts or keeps."""

NAMED = 5
"""Characters named in a message, the most frequent first."""


@dataclass(frozen=True)
class CharacterTally(Partial):
    """Characters of a class in readable records."""

    rows: int = 0
    dirty: int = 0
    """Records that hold at least one."""
    characters: int = 0
    names: Counter[str] = field(default_factory=Counter)
    """How often by code point: "U+0000"."""
    sample: Sample = field(default_factory=Sample)


class CharacterCheck(Check[CharacterTally]):
    """Counts the records that hold a kind of character, and the characters."""

    needs = "decode"
    partial = CharacterTally
    kinds: ClassVar[Kind]
    """Classes a record must hold one of to be looked at."""
    noun: ClassVar[str]
    remedy: ClassVar[str]
    above: ClassVar[Severity]
    """Severity of a share above the limit."""
    below: ClassVar[Severity]
    """Severity of a share within it, if anything was found."""
    limit: float

    @abstractmethod
    def characters(self, text: str) -> Counter[str]:
        """The characters of a text that this check counts."""

    def observe(self, block: Block) -> CharacterTally:
        held = (block.bits & np.uint32(self.kinds) != 0) & block.readable
        found: dict[int, Counter[str]] = {}
        for row in np.flatnonzero(held).tolist():
            chars = sum((self.characters(text) for text in block.texts(row)), Counter())
            if chars:
                found[row] = Counter({f"U+{ord(char):04X}": n for char, n in chars.items()})
        names = sum(found.values(), Counter[str]())
        return CharacterTally(
            rows=int(block.readable.sum()),
            dirty=len(found),
            characters=names.total(),
            names=names,
            sample=Sample.drawn(
                block,
                {row: chars.total() for row, chars in found.items()},
                lambda row: ((name, str(n)) for name, n in _ranked(found[row])),
            ),
        )

    def rules(self) -> tuple[Rule, ...]:
        return (Rule(f"{self.name()}.share", "<=", self.limit, self.above),)

    def metrics(self, evidence: Evidence[CharacterTally]) -> Mapping[str, float]:
        return {
            f"{measure}.{split}": value
            for split, total, _ in evidence.splits()
            for measure, value in (
                ("share", share(total.dirty, total.rows)),
                ("records", float(total.dirty)),
                ("characters", float(total.characters)),
            )
        }

    def conclude(self, evidence: Evidence[CharacterTally]) -> Iterator[Finding]:
        for split, total, _ in evidence.splits():
            if not total.dirty:
                continue
            value = share(total.dirty, total.rows)
            yield self.finding(
                split,
                self.above if value > self.limit else self.below,
                self._message(total, value),
                value=value,
                limit=self.limit,
                count=total.dirty,
                examples=total.sample.examples,
                remedy=self.remedy,
            )

    def _message(self, total: CharacterTally, value: float) -> str:
        named = [f"{name_of(int(name[2:], 16))} {n:,}" for name, n in _ranked(total.names)[:NAMED]]
        others = len(total.names) - len(named)
        tail = f" and {others:,} other{'s' * (others != 1)}" if others else ""
        score, worst = total.sample.worst[0]
        place = f"record {worst.record}" if worst.line == UNKNOWN else f"line {worst.line}"
        return (
            f"{total.characters:,} {self.noun}{'s' * (total.characters != 1)} in {total.dirty:,} "
            f"of {total.rows:,} records ({_percent(value)}; limit {_percent(self.limit)}): "
            f"{', '.join(named)}{tail}. Worst: {worst.source} {place}, with {score:,}."
        )


def cut_characters(text: str, check: str) -> Counter[str]:
    """The characters that cleaning by the defaults cuts in the name of a check."""
    found: Counter[str] = Counter()
    for cut in cuts(text, DEFAULT):
        if cut.check == check:
            found.update(text[cut.start : cut.end])
    return found


def _ranked(names: Counter[str]) -> list[tuple[str, int]]:
    return sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))


def _percent(value: float) -> str:
    """A share in three digits, 100 % only where it is."""
    text = f"{100 * value:.3g}"
    return f"{'> 99.9' if text == '100' and value < 1 else text} %"
