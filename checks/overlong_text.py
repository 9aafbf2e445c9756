"""overlong-text: records far longer than a trainer will use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import (
    Check,
    Evidence,
    Example,
    Partial,
    Rule,
    Sample,
    Severity,
    record_ids,
    share,
    source_seed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding, SourceFacts


@dataclass(frozen=True)
class Overlong(Partial):
    """Records above the limit."""

    rows: int = 0
    unheld: int = 0
    """Those among them beyond `max_record`, which were never read."""
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class OverlongText(Check[Overlong]):
    """Find records of more bytes than fit any common context."""

    # 131,072 tokens is the longest context most open models are trained with (Llama 3.1 model
    # card); 4 bytes a token of English is the usual yield of byte-level BPE
    bytes: int = 4 * 131_072
    # a record that does not fit is cut without a word: each is worth a warning
    limit: float = 0.0
    needs = "clean"
    partial = Overlong

    def observe(self, block: Block) -> Overlong:
        size = np.zeros(len(block), np.int64)
        np.add.at(size, block.span_record, block.span[:, 1] - block.span[:, 0])
        found = Overlong()
        for row in np.flatnonzero((size > self.bytes) & block.readable).tolist():
            long = int(size[row])
            example = block.example(row, ("bytes", f"{long:,}"))
            found += Overlong(1, 0, Sample.of(example, long))
        return found

    def metrics(self, evidence: Evidence[Overlong]) -> Mapping[str, float]:
        return {f"share.{split}": share(seen.rows, n) for split, seen, n in self._splits(evidence)}

    def _splits(self, evidence: Evidence[Overlong]) -> Iterator[tuple[str, Overlong, int]]:
        """Splits with the records that were too long to be observed."""
        for split, seen, rows in evidence.splits():
            sources = [s for s in evidence.stages["decode"] if s.split == split]
            yield split, sum((unheld(source) for source in sources), seen), rows

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("overlong-text.share", "<=", self.limit, Severity.WARNING),)

    def conclude(self, evidence: Evidence[Overlong]) -> Iterator[Finding]:
        for split, seen, rows in self._splits(evidence):
            if not seen.rows:
                continue
            worst = seen.sample.worst[0][0]
            unheld = f"; {seen.unheld:,} of them could not be held in memory and are set aside"
            yield self.finding(
                split,
                Severity.WARNING,
                f"{seen.rows:,} of {rows:,} records are longer than {self.bytes:,} bytes; "
                f"the longest has {worst:,}{unheld if seen.unheld else ''}",
                value=share(seen.rows, rows),
                limit=self.limit,
                count=seen.rows,
                examples=seen.sample.examples,
                remedy="Split the long records into documents before training cuts them.",
            )


def unheld(source: SourceFacts) -> Overlong:
    """The records of a source that were too long to be held."""
    found = Overlong()
    seed = source_seed(source.split, source.source)
    for record, line, offset, size in source.oversize:
        (number,) = record_ids(seed, np.array([record])).tolist()
        shown = (("bytes", f"{size:,}"),)
        example = Example(number, source.source, record, line, offset, shown)
        found += Overlong(1, 1, Sample.of(example, size))
    return found
