"""lossy-round-trip: records that a tokenizer does not give back as they were."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.checks._losses import CHANGED, DESTROYED, gravest, remedy
from corpusgate.checks._tokens import first, named, percent
from corpusgate.model import Check, Loss, Partial, Rule, Sample, Severity, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Evidence, Finding


@dataclass(frozen=True)
class RoundTrips(Partial):
    """Readable records whose text decode(encode(text)) did not give back."""

    rows: int = 0
    lossy: int = 0
    destroyed: int = 0
    changed: int = 0
    """Those that came back other than they were, but for the destroyed."""
    classes: Counter[str] = field(default_factory=Counter)
    """Records by class; a record may be of several."""
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class LossyRoundTrip(Check[RoundTrips]):
    """Compare each text with what its tokens decode to, character by character."""

    # Byte-level BPE gives back every record: none was lost of 23 languages and kinds of text
    # under GPT-2's, GPT-4's, Llama 3's and DeepSeek's. One record in a hundred leaves room for
    # a few stray ones under a tokenizer that has unknown tokens.
    limit: float = 0.01
    needs = "tokenize"
    tokenizer = True
    partial = RoundTrips

    def observe(self, block: Block) -> RoundTrips:
        facts = block.tokens
        if facts is None:
            return RoundTrips()
        lost = facts.loss
        destroyed = lost & np.uint32(DESTROYED) != 0
        changed = (lost & np.uint32(CHANGED) != 0) & ~destroyed
        counts = {loss.label: int(np.count_nonzero(lost & np.uint32(loss))) for loss in Loss}
        # One loss of a record is shown, its gravest: any row of the sample is among the
        # lowest of that class in every block it could be in, so no cut shows in the evidence.
        shown = {
            row: (before, after)
            for row, label, before, after in facts.lost
            if label == gravest(Loss(int(lost[row]))).label
        }
        return RoundTrips(
            rows=int(np.count_nonzero(block.readable)),
            lossy=int(np.count_nonzero(lost)),
            destroyed=int(np.count_nonzero(destroyed)),
            changed=int(np.count_nonzero(changed)),
            classes=Counter({label: n for label, n in counts.items() if n}),
            sample=Sample.drawn(
                block,
                {row: int(destroyed[row]) for row in shown},
                lambda row: (
                    ("lost", ", ".join(Loss(int(lost[row])).labels)),
                    *zip(("before", "after"), shown[row], strict=True),
                ),
            ),
        )

    def rules(self) -> tuple[Rule, ...]:
        return (
            Rule(f"{self.name()}.destroyed", "<=", self.limit, Severity.ERROR),
            Rule(f"{self.name()}.changed", "<=", self.limit, Severity.WARNING),
            Rule(f"{self.name()}.nfc", "<=", self.limit, Severity.WARNING),
        )

    def metrics(self, evidence: Evidence[RoundTrips]) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for split, total, _ in evidence.splits():
            held = {"share": total.lossy, "destroyed": total.destroyed, "changed": total.changed}
            held |= {loss.label: total.classes[loss.label] for loss in Loss}
            found |= {f"{name}.{split}": share(n, total.rows) for name, n in held.items()}
        return found

    def conclude(self, evidence: Evidence[RoundTrips]) -> Iterator[Finding]:
        for split, total, _ in evidence.splits():
            if not total.lossy:
                continue
            value, severity = self._judged(total)
            losses = [loss for loss in Loss if total.classes[loss.label]]
            yield self.finding(
                split,
                severity,
                self._message(total),
                value=value,
                limit=self.limit,
                count=total.lossy,
                examples=total.sample.examples,
                remedy=remedy(losses),
            )

    def _judged(self, total: RoundTrips) -> tuple[float, Severity]:
        """The share that decides, and how much it weighs."""
        destroyed = share(total.destroyed, total.rows)
        changed = share(max(total.changed, total.classes[Loss.NFC.label]), total.rows)
        if destroyed > self.limit:
            return destroyed, Severity.ERROR
        if changed > self.limit or not total.destroyed:
            return changed, Severity.WARNING if changed > self.limit else Severity.INFO
        return destroyed, Severity.WARNING

    def _message(self, total: RoundTrips) -> str:
        return (
            f"{total.lossy:,} of {total.rows:,} records are not given back exactly by the "
            f"tokenizer; {total.destroyed:,} ({percent(share(total.destroyed, total.rows))}) lose "
            f"text for good, {total.changed:,} ({percent(share(total.changed, total.rows))}) "
            f"come back changed (limit of each {percent(self.limit)}): {named(total.classes)}."
            f"{first(total.sample)}"
        )
