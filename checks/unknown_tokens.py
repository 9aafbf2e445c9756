"""unknown-tokens: text that a tokenizer has no token for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.checks._tokens import first, named, percent
from corpusgate.model import Check, Loss, Partial, Rule, Sample, Severity, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Evidence, Finding

REMEDY = (
    "Take a tokenizer whose alphabet covers these scripts, or one with byte fallback, which has "
    "no unknown tokens; a model cannot learn text that reaches it as one and the same token."
)


@dataclass(frozen=True)
class UnknownTokens(Partial):
    """Tokens of readable records, and the unknown ones among them."""

    rows: int = 0
    flagged: int = 0
    tokens: int = 0
    unknown: int = 0
    scripts: Counter[str] = field(default_factory=Counter)
    """Unknown tokens by the main script of their text."""
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class UnknownTokenShare(Check[UnknownTokens]):
    """Count the tokens that stand for any text that is not in the vocabulary."""

    # SentencePiece leaves out 0.05 % of characters by default (`character_coverage` 0.9995;
    # Kudo and Richardson 2018), the rarest of the training text; this allows twice that.
    limit: float = 0.001
    needs = "tokenize"
    tokenizer = True
    partial = UnknownTokens

    def observe(self, block: Block) -> UnknownTokens:
        facts = block.tokens
        if facts is None:
            return UnknownTokens()
        shown = {row: before for row, label, before, _ in facts.lost if label == Loss.UNK.label}
        return UnknownTokens(
            rows=int(np.count_nonzero(block.readable)),
            flagged=int(np.count_nonzero(facts.unknown)),
            tokens=int(facts.tokens.sum()),
            unknown=int(facts.unknown.sum()),
            scripts=Counter({script: n for script, n in facts.script_unknown if n}),
            sample=Sample.drawn(
                block,
                dict.fromkeys(shown, 0),
                lambda row: (
                    ("unknown tokens", f"{facts.unknown[row]} of {facts.tokens[row]}"),
                    ("text", shown[row]),
                ),
            ),
        )

    def rules(self) -> tuple[Rule, ...]:
        return (Rule(f"{self.name()}.share", "<=", self.limit, Severity.WARNING),)

    def metrics(self, evidence: Evidence[UnknownTokens]) -> Mapping[str, float]:
        return {
            f"{measure}.{split}": value
            for split, total, _ in evidence.splits()
            for measure, value in (
                ("share", share(total.unknown, total.tokens)),
                ("records", float(total.flagged)),
            )
        }

    def conclude(self, evidence: Evidence[UnknownTokens]) -> Iterator[Finding]:
        for split, total, _ in evidence.splits():
            value = share(total.unknown, total.tokens)
            if not total.unknown:
                continue
            yield self.finding(
                split,
                Severity.WARNING if value > self.limit else Severity.INFO,
                f"{total.unknown:,} of {total.tokens:,} tokens are unknown ({percent(value)}; "
                f"limit {percent(self.limit)}), in {total.flagged:,} of {total.rows:,} records; "
                f"by script of the text: {named(total.scripts)}.{first(total.sample)}",
                value=value,
                limit=self.limit,
                count=total.unknown,
                examples=total.sample.examples,
                remedy=REMEDY,
            )
