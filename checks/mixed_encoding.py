"""mixed-encoding: text of a split that stands in more than one encoding."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.checks._encodings import reading_of
from corpusgate.checks._tokens import first, named, percent
from corpusgate.model import Check, Partial, Rule, Sample, Severity, Status, share
from corpusgate.text.characters import Kind
from corpusgate.text.codepages import UTF8, family

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Evidence, Finding

REMEDY = (
    "Train on the clean copy, which is UTF-8 throughout (`corpusgate clean`), and make whatever "
    "writes these files write UTF-8: a loader that reads them as one encoding ruins the rest."
)


@dataclass(frozen=True)
class Encodings(Partial):
    """Readable records that are not plain ASCII, by encoding."""

    records: Counter[str] = field(default_factory=Counter)
    sample: Sample = field(default_factory=Sample)
    """Of the records that are not UTF-8."""


@dataclass(frozen=True)
class MixedEncoding(Check[Encodings]):
    """Find splits whose records need more than one encoding to be read."""

    # A loader is told one encoding: whatever stands in another is read as something else.
    limit: int = 1
    needs = "decode"
    partial = Encodings

    def observe(self, block: Block) -> Encodings:
        recovered = block.readable & (block.status == Status.RECOVERED)
        plain = block.readable & ~recovered & (block.bits & np.uint32(Kind.NON_ASCII) != 0)
        rows = np.flatnonzero(recovered)
        numbers = np.bincount(block.encoding[rows], minlength=len(block.encodings)).tolist()
        records = Counter({UTF8: int(plain.sum())})
        for name, count in zip(block.encodings, numbers, strict=True):
            records[family(name)] += count
        return Encodings(
            +records,
            Sample.drawn(
                block, dict.fromkeys(rows.tolist(), 0), lambda row: reading_of(block, row)
            ),
        )

    def rules(self) -> tuple[Rule, ...]:
        return (Rule(f"{self.name()}.encodings", "<=", float(self.limit), Severity.WARNING),)

    def metrics(self, evidence: Evidence[Encodings]) -> Mapping[str, float]:
        return {
            f"{measure}.{split}": value
            for split, total, rows in evidence.splits()
            for measure, value in (
                ("encodings", float(len(total.records)) if rows else float("nan")),
                ("recovered", float(_recovered(total))),
            )
        }

    def conclude(self, evidence: Evidence[Encodings]) -> Iterator[Finding]:
        for split, total, rows in evidence.splits():
            count, kinds = _recovered(total), len(total.records)
            mixed = kinds > self.limit
            if not mixed and not count:
                continue
            what = f"{kinds} encodings" if kinds > 1 else "one encoding"
            yield self.finding(
                split,
                Severity.WARNING if mixed else Severity.INFO,
                f"text beyond ASCII in {what} (limit {self.limit}): records in "
                f"{named(total.records)}. {count:,} of {rows:,} records "
                f"({percent(share(count, rows))}) were recovered as UTF-8.{first(total.sample)}",
                value=float(kinds),
                limit=float(self.limit),
                count=count,
                examples=total.sample.examples,
                remedy=REMEDY,
            )


def _recovered(total: Encodings) -> int:
    return total.records.total() - total.records[UTF8]
