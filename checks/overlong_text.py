"""overlong-text: records far longer than a trainer will use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import Check, Evidence, Partial, Rule, Sample, Severity, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding


@dataclass(frozen=True)
class Overlong(Partial):
    """Records above the limit."""

    rows: int = 0
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
            found += Overlong(1, Sample.of(example, long))
        return found

    def metrics(self, evidence: Evidence[Overlong]) -> Mapping[str, float]:
        return {f"share.{split}": share(seen.rows, n) for split, seen, n in evidence.splits()}

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("overlong-text.share", "<=", self.limit, Severity.WARNING),)

    def conclude(self, evidence: Evidence[Overlong]) -> Iterator[Finding]:
        for split, seen, rows in evidence.splits():
            if not seen.rows:
                continue
            worst = seen.sample.worst[0][0]
            yield self.finding(
                split,
                Severity.WARNING,
                f"{seen.rows:,} of {rows:,} records are longer than {self.bytes:,} bytes; "
                f"the longest has {worst:,}",
                value=share(seen.rows, rows),
                limit=self.limit,
                count=seen.rows,
                examples=seen.sample.examples,
                remedy="Split the long records into documents before training cuts them.",
            )
