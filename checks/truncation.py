"""truncation: tokens that a model's context cuts off."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.checks._tokens import percent, place
from corpusgate.model import Check, Partial, Sample, Severity, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Evidence, Finding

REMEDY = (
    "Cut long records yourself where a section ends, pack them over several sequences, or train "
    "with a longer context."
)


@dataclass(frozen=True)
class CutOff(Partial):
    """Tokens of readable records, and those beyond the stated context."""

    rows: int = 0
    flagged: int = 0
    tokens: int = 0
    beyond: int = 0
    contexts: Counter[str] = field(default_factory=Counter)
    """Records by the context length that was stated."""
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class Truncation(Check[CutOff]):
    """Count the tokens beyond the context length, if one is stated; no rule is bound to it."""

    # No published figure; of long documents 26 % of the tokens (English) to 60 % (Python) lie
    # beyond 4,096, and cutting them costs quality (Ding et al. 2024, "Fewer Truncations
    # Improve Language Modeling"). A twentieth is more than a few outliers make.
    limit: float = 0.05
    needs = "tokenize"
    tokenizer = True
    partial = CutOff

    def observe(self, block: Block) -> CutOff:
        facts = block.tokens
        if facts is None or not facts.context:
            return CutOff()
        rows = int(np.count_nonzero(block.readable))
        beyond = facts.truncated
        return CutOff(
            rows=rows,
            flagged=int(np.count_nonzero(beyond)),
            tokens=int(facts.tokens.sum()),
            beyond=int(beyond.sum()),
            contexts=Counter({str(facts.context): rows}),
            sample=Sample.drawn(
                block,
                {row: int(beyond[row]) for row in np.flatnonzero(beyond).tolist()},
                lambda row: (("tokens", str(facts.tokens[row])), ("cut off", str(beyond[row]))),
            ),
        )

    def metrics(self, evidence: Evidence[CutOff]) -> Mapping[str, float]:
        return {
            f"{measure}.{split}": value
            for split, total, _ in evidence.splits()
            if total.contexts
            for measure, value in (
                ("share", share(total.beyond, total.tokens)),
                ("records", float(total.flagged)),
            )
        }

    def conclude(self, evidence: Evidence[CutOff]) -> Iterator[Finding]:
        for split, total, _ in evidence.splits():
            if not total.beyond:
                continue
            value = share(total.beyond, total.tokens)
            context = "/".join(sorted(total.contexts, key=int))
            score, worst = total.sample.worst[0]
            yield self.finding(
                split,
                Severity.WARNING if value > self.limit else Severity.INFO,
                f"A context of {context} tokens cuts {total.beyond:,} of {total.tokens:,} tokens "
                f"off ({percent(value)}; limit {percent(self.limit)}), from {total.flagged:,} of "
                f"{total.rows:,} records. Worst: {place(worst)}, with {score:,}.",
                value=value,
                limit=self.limit,
                count=total.beyond,
                examples=total.sample.examples,
                remedy=REMEDY,
            )
