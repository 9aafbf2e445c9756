"""noisy-batch: batches whose records make the loss of a proxy model spike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.model import Ablation, Check, Evidence, Partial, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding

CONTROL = "pulse"


@dataclass(frozen=True)
class NothingSeen(Partial):
    """No sum: the ablation tells."""


@dataclass(frozen=True)
class NoisyBatch(Check[NothingSeen]):
    """Tie the loss spikes of a small model to the records of their batches, or not."""

    # one batch of noise is enough to be seen in a curve; all verdicts share one error of 5 %
    limit: int = 0
    needs = "ablate"
    partial = NothingSeen

    def observe(self, block: Block) -> NothingSeen:
        del block
        return NothingSeen()

    def ablation(self, evidence: Evidence[NothingSeen]) -> Ablation:
        """The result of the stage, empty if there is none."""
        found = evidence.stages.get(self.needs)
        return found if isinstance(found, Ablation) else Ablation(underpowered="no result")

    def split(self, evidence: Evidence[NothingSeen]) -> str:
        """The split that was trained on."""
        return "train" if "train" in evidence.rows else next(iter(evidence.rows), "train")

    def metrics(self, evidence: Evidence[NothingSeen]) -> Mapping[str, float]:
        found, split = self.ablation(evidence), self.split(evidence)
        if found.underpowered:
            return {}
        spikes = [s for s in found.verdicts("data", "both") if s.run != CONTROL]
        return {f"batches.{split}": float(len(spikes)), f"records.{split}": float(len(found.named))}

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("noisy-batch.batches", "<=", self.limit, Severity.ERROR, scope="measured"),)

    def conclude(self, evidence: Evidence[NothingSeen]) -> Iterator[Finding]:
        found, split = self.ablation(evidence), self.split(evidence)
        if found.underpowered:
            yield self.finding(split, Severity.INFO, f"no verdict on batches: {found.underpowered}")
            return
        spikes = [s for s in found.verdicts("data", "both") if s.run != CONTROL]
        if not spikes:
            return
        steps = ", ".join(str(s.step) for s in spikes)
        word = "batch makes" if len(spikes) == 1 else "batches make"
        flagged = sum(bool(named.checks) for named in found.named)
        yield self.finding(
            split,
            Severity.ERROR if len(spikes) > self.limit else Severity.INFO,
            f"{len(spikes):,} {word} the loss of the proxy spike (step {steps}): "
            f"{len(found.named):,} records are named, {flagged:,} of them flagged by other checks; "
            f"limit {self.limit}",
            value=float(len(spikes)),
            limit=float(self.limit),
            count=len(found.named),
            examples=tuple(named.example for named in found.named),
            remedy="Train on the clean copy; what it still holds of the named records, look at "
            "in `ablation/verdicts.json`.",
        )
