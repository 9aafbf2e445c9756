"""unreadable-source: files that hold no text that can be audited."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import Check, Evidence, Example, Partial, Rule, Severity, SourceFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corpusgate.model import Block, Finding

CONTAINER = {
    "container truncated": "ends in the middle of its compressed data; what stands before the "
    "cut was read",
    "container corrupt": "holds damaged compressed data; what stands before the damage was read",
    "container ratio": "unpacks to more than `max_ratio` times its size; reading stopped there",
}
REMEDY = {
    "binary": "Take {source} out of the data, or extract its text first.",
    "container": "Fetch {source} again.",
    "ratio": "Take {source} out of the data, or raise `[input] max_ratio` if its size is meant.",
    "unreadable": "Mend or replace {source}.",
    "text": 'Name the field that holds the text of {source}: `[input] text = "..."`.',
}

NAMED, EXAMPLES = 3, 10
"""Sources that a message names, and that the finding lists."""


@dataclass(frozen=True)
class Texts(Partial):
    """Readable records by source, and those of them in which a text was found."""

    seen: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)

    def without_text(self, source: str) -> bool:
        """Whether the records of a source were readable, but held no text."""
        return bool(self.seen[source]) and not self.held[source]


@dataclass(frozen=True)
class UnreadableSource(Check[Texts]):
    """Find files that are no text, hold no text field, or end before their end."""

    # what was not read was not audited
    limit: int = 0
    needs = "decode"
    partial = Texts

    def observe(self, block: Block) -> Texts:
        held = np.zeros(len(block), bool)
        held[block.span_record] = True
        return Texts(
            +Counter({block.source: int(np.count_nonzero(block.readable))}),
            +Counter({block.source: int(np.count_nonzero(held & block.readable))}),
        )

    def metrics(self, evidence: Evidence[Texts]) -> Mapping[str, float]:
        counts = dict.fromkeys(evidence.rows, 0)
        for source, _, _ in faulty(evidence.stages["decode"], evidence.totals):
            counts[source.split] += 1
        return {f"sources.{split}": float(count) for split, count in counts.items()}

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("unreadable-source.sources", "<=", float(self.limit), Severity.ERROR),)

    def conclude(self, evidence: Evidence[Texts]) -> Iterator[Finding]:
        faults = list(faulty(evidence.stages["decode"], evidence.totals))
        counts = Counter(source.split for source, _, _ in faults)
        groups: dict[tuple[str, str, str], list[str]] = {}
        for source, what, kind in faults:
            groups.setdefault((source.split, what, kind), []).append(source.source)
        for (split, what, kind), names in groups.items():
            shown = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
            yield self.finding(
                split,
                Severity.ERROR if counts[split] > self.limit else Severity.WARNING,
                f"{shown}: {what}" + (f" ({len(names):,} sources)" if len(names) > 1 else ""),
                value=float(len(names)),
                limit=float(self.limit),
                count=len(names),
                examples=tuple(Example(0, name, -1, -1, -1) for name in names[:EXAMPLES]),
                remedy=REMEDY[kind].format(source=names[0] if len(names) == 1 else "these files"),
            )


def faulty(
    sources: Iterable[SourceFacts], totals: Mapping[str, Texts]
) -> Iterator[tuple[SourceFacts, str, str]]:
    """(source, what is wrong, kind of fault) of sources that were not read as text.

    Before the records of a split have been seen, the fields that the survey found decide.
    """
    for source in sources:
        kind, _, detail = source.fault.partition(": ")
        seen = totals.get(source.split)
        if kind == "binary":
            yield source, f"is {detail}, not text", "binary"
        elif source.fault in CONTAINER:
            ratio = source.fault == "container ratio"
            yield source, CONTAINER[source.fault], "ratio" if ratio else "container"
        elif source.fault:
            yield source, detail or source.fault, "unreadable"
        elif seen.without_text(source.source) if seen else source.records and not source.text:
            named = ", ".join(source.text)
            known = "looked for text, content, messages, instruction and the like"
            yield (
                source,
                f"none of its records holds a text in the field {named}"
                if named
                else f"no field holds its text ({known})",
                "text",
            )
