"""broken-record: records whose structure cannot be read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpusgate.model import Check, Evidence, Partial, Rule, Sample, Severity, Status, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding


@dataclass(frozen=True)
class Broken(Partial):
    """Decoded records without usable structure, by fault."""

    faults: Counter[str] = field(default_factory=Counter)
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class BrokenRecord(Check[Broken]):
    """Find records that decode but are no JSON object, or end half-way."""

    # loaders give up the whole file at one such record
    limit: float = 0.0
    needs = "decode"
    partial = Broken

    def observe(self, block: Block) -> Broken:
        found = Broken()
        for row, fault in enumerate(block.fault):
            if fault and block.status[row] <= Status.RECOVERED:
                example = block.example(row, ("fault", fault))
                found += Broken(Counter([fault]), Sample.of(example))
        return found

    def metrics(self, evidence: Evidence[Broken]) -> Mapping[str, float]:
        return {
            f"share.{split}": share(seen.faults.total(), rows)
            for split, seen, rows in evidence.splits()
        }

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("broken-record.share", "<=", self.limit, Severity.ERROR),)

    def conclude(self, evidence: Evidence[Broken]) -> Iterator[Finding]:
        for split, seen, rows in evidence.splits():
            if not (count := seen.faults.total()):
                continue
            value = share(count, rows)
            kinds = "; ".join(f"{n:,} {fault}" for fault, n in sorted(seen.faults.items()))
            yield self.finding(
                split,
                Severity.ERROR if value > self.limit else Severity.WARNING,
                f"{count:,} of {rows:,} records cannot be read ({kinds}) and are set aside "
                f"with their bytes; limit {self.limit:.0%}",
                value=value,
                limit=self.limit,
                count=count,
                examples=seen.sample.examples,
                remedy="Mend the records in `quarantine/`, or train on the clean copy without "
                "them.",
            )
