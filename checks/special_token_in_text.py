"""special-token-in-text: strings in the text that a model reads as commands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import Check, Partial, Rule, Sample, Severity, share
from corpusgate.text.special_strings import special_strings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Evidence, Finding


@dataclass(frozen=True)
class SpecialStrings(Partial):
    """Records that hold special strings, by string; what the tokenizer at hand makes of them."""

    records: int = 0
    flagged: int = 0
    times: Counter[str] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    """Strings that become a control token of the tokenizer, if there is one."""
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class SpecialTokenInText(Check[SpecialStrings]):
    """Find strings such as <|endoftext|> that tokenizers turn into control tokens."""

    # One is too many: it is obeyed, not read (huggingface/transformers#25081; vocabularies
    # keep these strings for commands alone, as openai/tiktoken's `disallowed_special` says).
    limit: float = 0.0
    needs = "clean"
    partial = SpecialStrings

    def observe(self, block: Block) -> SpecialStrings:
        found = special_strings(block)
        facts = block.tokens
        own = {(row, name): n for row, name, n in facts.special} if facts else {}
        found |= own
        total = SpecialStrings(records=int(np.count_nonzero(block.readable)))
        rows: dict[int, Counter[str]] = {}
        for (row, name), n in sorted(found.items()):
            rows.setdefault(row, Counter())[name] = n
        for row, names in rows.items():
            seen = tuple((name, f"{n} times") for name, n in sorted(names.items()))
            sample = Sample.of(block.example(row, *seen), names.total())
            total += SpecialStrings(flagged=1, times=names, sample=sample)
        for (_, name), n in sorted(own.items()):
            total += SpecialStrings(commands=Counter({name: n}))
        return total

    def rules(self) -> tuple[Rule, ...]:
        return (Rule(f"{self.name()}.share", "<=", self.limit, Severity.WARNING),)

    def metrics(self, evidence: Evidence[SpecialStrings]) -> Mapping[str, float]:
        return {
            f"share.{split}": share(total.flagged, total.records)
            for split, total, _ in evidence.splits()
        }

    def conclude(self, evidence: Evidence[SpecialStrings]) -> Iterator[Finding]:
        for split, total, _ in evidence.splits():
            value = share(total.flagged, total.records)
            if not value > self.limit:
                continue
            names = ", ".join(f"{name} ({n:,})" for name, n in top(total.times))
            yield self.finding(split, Severity.WARNING, ...)
