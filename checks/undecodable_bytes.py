"""undecodable-bytes: records whose bytes could not be read as text, or not surely."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.checks._encodings import encoding_of, reading_of
from corpusgate.checks._tokens import first, named, percent
from corpusgate.model import Check, Partial, Rule, Sample, Severity, Status, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Evidence, Finding

UNTOLD = "no encoding at all"
"""What is said of records that no encoding reads as text."""

REMEDY = (
    "They are set aside in `quarantine/` with their bytes; `corpusgate explain undecodable-bytes` "
    "shows them. Export the source again as UTF-8; damaged UTF-8 must be fetched again."
)


@dataclass(frozen=True)
class Unread(Partial):
    """Records without a sure reading, by the encoding that came closest."""

    rows: int = 0
    unsure: Counter[str] = field(default_factory=Counter)
    undecodable: Counter[str] = field(default_factory=Counter)
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class UndecodableBytes(Check[Unread]):
    """Find records that decoding had to set aside."""

    # A naive loader stops at the first (Python's strict decoding), or trains on its bytes.
    limit: float = 0.0
    needs = "decode"
    partial = Unread

    def observe(self, block: Block) -> Unread:
        rows = np.flatnonzero(block.status >= Status.UNSURE).tolist()
        counts = {status: Counter[str]() for status in (Status.UNSURE, Status.UNDECODABLE)}
        for row in rows:
            counts[Status(int(block.status[row]))][encoding_of(block, row) or UNTOLD] += 1
        return Unread(
            rows=len(block),
            unsure=counts[Status.UNSURE],
            undecodable=counts[Status.UNDECODABLE],
            sample=Sample.drawn(
                block,
                {row: int(block.status[row]) for row in rows},
                lambda row: [
                    ("status", Status(int(block.status[row])).label),
                    *reading_of(block, row),
                ],
            ),
        )

    def rules(self) -> tuple[Rule, ...]:
        return (Rule(f"{self.name()}.share", "<=", self.limit, Severity.ERROR),)

    def metrics(self, evidence: Evidence[Unread]) -> Mapping[str, float]:
        return {
            f"{measure}.{split}": value
            for split, total, rows in evidence.splits()
            for measure, value in (
                ("share", share(_count(total), rows)),
                ("unsure", float(total.unsure.total())),
                ("undecodable", float(total.undecodable.total())),
            )
        }

    def conclude(self, evidence: Evidence[Unread]) -> Iterator[Finding]:
        for split, total, rows in evidence.splits():
            count = _count(total)
            value = share(count, rows)
            if not count and not value > self.limit:
                continue
            kinds = (
                ("could be read, but not surely", total.unsure),
                ("not at all", total.undecodable),
            )
            told = "; ".join(f"{c.total():,} {how} ({named(c)})" for how, c in kinds if c) or "none"
            yield self.finding(
                split,
                Severity.ERROR if value > self.limit else Severity.WARNING,
                f"{count:,} of {rows:,} records ({percent(value)}; limit {percent(self.limit)}) "
                f"have no sure reading: {told}.{first(total.sample)}",
                value=value,
                limit=self.limit,
                count=count,
                examples=total.sample.examples,
                remedy=REMEDY,
            )


def _count(total: Unread) -> int:
    return total.unsure.total() + total.undecodable.total()
