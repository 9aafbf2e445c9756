"""special-token-in-text: strings in the text that a model takes for commands."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.checks._tokens import named, percent, place
from corpusgate.model import Check, Partial, Rule, Sample, Severity, share
from corpusgate.text.special_strings import special_strings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Evidence, Finding

_NUMBER = re.compile(r"\d+")

REMEDY = (
    "Take these strings out of the text where they are left-overs of a template or a scrape; "
    "where they must stay, encode with `split_special_tokens=True` (transformers) or "
    "`encode_special_tokens = True` (tokenizers), so that they stay characters."
)


@dataclass(frozen=True)
class SpecialStrings(Partial):
    """Readable records that hold special strings, and how often each stands there."""

    rows: int = 0
    flagged: int = 0
    names: Counter[str] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    """Those that the tokenizer at hand turned into control tokens, if there is one."""
    tokenized: int = 0
    """Records that a tokenizer was tried on."""
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class SpecialTokenInText(Check[SpecialStrings]):
    """Find strings such as <|endoftext|>, and all that the tokenizer at hand obeys."""

    # None is harmless: tiktoken refuses to encode such a text unless told otherwise, so that
    # data cannot give commands (openai/tiktoken, core.py, `disallowed_special="all"`).
    limit: float = 0.0
    needs = "tokenize"
    partial = SpecialStrings

    def observe(self, block: Block) -> SpecialStrings:
        facts = block.tokens
        own = {(row, name): n for row, name, n in facts.special} if facts else {}
        found: dict[int, Counter[str]] = {}
        for (row, name), n in sorted({**special_strings(block), **own}.items()):
            found.setdefault(row, Counter())[name] = n
        commands: Counter[str] = Counter()
        for (_, name), n in own.items():
            commands[_numbered(name)] += n
        names: Counter[str] = Counter()
        for held in found.values():
            for name, n in held.items():
                names[_numbered(name)] += n
        rows = int(np.count_nonzero(block.readable))
        return SpecialStrings(
            rows=rows,
            flagged=len(found),
            names=names,
            commands=commands,
            tokenized=rows if facts else 0,
            sample=Sample.drawn(
                block,
                {row: names.total() for row, names in found.items()},
                lambda row: ((name, str(n)) for name, n in found[row].items()),
            ),
        )

    def rules(self) -> tuple[Rule, ...]:
        return (Rule(f"{self.name()}.share", "<=", self.limit, Severity.WARNING),)

    def metrics(self, evidence: Evidence[SpecialStrings]) -> Mapping[str, float]:
        return {
            f"{measure}.{split}": value
            for split, total, _ in evidence.splits()
            for measure, value in (
                ("share", share(total.flagged, total.rows)),
                ("records", float(total.flagged)),
            )
        }

    def conclude(self, evidence: Evidence[SpecialStrings]) -> Iterator[Finding]:
        for split, total, _ in evidence.splits():
            value = share(total.flagged, total.rows)
            if value > self.limit:
                yield self.finding(
                    split,
                    Severity.WARNING,
                    self._message(total, value),
                    value=value,
                    limit=self.limit,
                    count=total.flagged,
                    examples=total.sample.examples,
                    remedy=REMEDY,
                )

    def _message(self, total: SpecialStrings, value: float) -> str:
        score, worst = total.sample.worst[0]
        obeyed = ""
        if total.tokenized:
            number = f"{total.commands.total():,}" if total.commands else "none"
            obeyed = f" The tokenizer turns {number} of them into control tokens."
        return (
            f"{total.names.total():,} strings that models take for commands in {total.flagged:,} "
            f"of {total.rows:,} records ({percent(value)}; limit {percent(self.limit)}): "
            f"{named(total.names)}.{obeyed} Worst: {place(worst)}, with {score:,}."
        )


def _numbered(name: str) -> str:
    """A name without its numbers, or a text that counts up would hold a name a record."""
    return _NUMBER.sub("N", name)
