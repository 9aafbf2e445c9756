"""empty-text: records from which nothing can be learned."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpusgate.model import Check, Evidence, Partial, Rule, Sample, Severity, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding

ABSENT = {"text-missing": "missing", "text-null": "null", "text-not-string": "not a string"}


@dataclass(frozen=True)
class Empty(Partial):
    """Records without text, by kind."""

    kinds: Counter[str] = field(default_factory=Counter)
    sample: Sample = field(default_factory=Sample)


@dataclass(frozen=True)
class EmptyText(Check[Empty]):
    """Find records whose text is empty, blank, null, missing or no string."""

    # one record in a hundred costs a batch of 16 less than a fifth of a record
    limit: float = 0.01
    needs = "clean"
    partial = Empty

    def observe(self, block: Block) -> Empty:
        absent = {row: ABSENT[note] for note, row in block.notes if note in ABSENT}
        found = Empty()
        for row, text in block.rows():
            if text.strip():
                continue
            kind = absent.get(row, "blank" if text else "empty")
            found += Empty(Counter([kind]), Sample.of(block.example(row, ("kind", kind))))
        return found

    def metrics(self, evidence: Evidence[Empty]) -> Mapping[str, float]:
        return {
            f"share.{split}": share(seen.kinds.total(), rows)
            for split, seen, rows in evidence.splits()
        }

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("empty-text.share", "<=", self.limit, Severity.WARNING),)

    def conclude(self, evidence: Evidence[Empty]) -> Iterator[Finding]:
        for split, seen, rows in evidence.splits():
            if not (count := seen.kinds.total()):
                continue
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(seen.kinds.items()))
            value = share(count, rows)
            yield self.finding(
                split,
                Severity.WARNING if value > self.limit else Severity.INFO,
                f"{count:,} of {rows:,} records have no text: {kinds}; limit {self.limit:.2%}",
                value=value,
                limit=self.limit,
                count=count,
                examples=seen.sample.examples,
                remedy="Leave the records without text out, or look for the field that holds it.",
            )
