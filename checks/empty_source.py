"""empty-source: files without a single record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.model import Check, Evidence, Example, Partial, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding, SourceFacts

REMEDY = "Write the file again, or take it out of the data."


@dataclass(frozen=True)
class NothingSeen(Partial):
    """No sum: the survey tells."""


@dataclass(frozen=True)
class EmptySource(Check[NothingSeen]):
    """Find files that hold nothing, or nothing but blank lines or a header."""

    needs = "decode"
    partial = NothingSeen

    def observe(self, block: Block) -> NothingSeen:
        del block
        return NothingSeen()

    def metrics(self, evidence: Evidence[NothingSeen]) -> Mapping[str, float]:
        counts = dict.fromkeys(evidence.rows, 0)
        for source in evidence.stages["decode"]:
            counts[source.split] += not source.records and not source.fault
        return {f"sources.{split}": float(count) for split, count in counts.items()}

    def conclude(self, evidence: Evidence[NothingSeen]) -> Iterator[Finding]:
        for source in evidence.stages["decode"]:
            if source.records or source.fault:
                continue
            yield self.finding(
                source.split,
                Severity.WARNING,
                f"{source.source}: {held_by(source)}",
                count=1,
                examples=(Example(0, source.source, -1, -1, -1),),
                remedy=REMEDY,
            )


def held_by(source: SourceFacts) -> str:
    """What an empty source holds."""
    held = f"{source.bytes:,} bytes" if source.bytes else "nothing"
    return f"holds no record ({held} in it)"
