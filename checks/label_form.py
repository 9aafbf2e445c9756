"""label-form: labels that differ from others, or from what was meant, in white space or case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corpusgate.model import Check, Evidence, Example, Partial, Rule, Severity, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding

LABELLED = """
SELECT split, count(label), count(label) FILTER (regexp_matches(label, '^\\s|\\s$'))
FROM records GROUP BY split ORDER BY split
"""
SPACED = """
SELECT label, count(*) FROM records WHERE split = ? AND regexp_matches(label, '^\\s|\\s$')
GROUP BY label ORDER BY count(*) DESC, label LIMIT 3
"""
VARIANTS = """
SELECT list(label ORDER BY times DESC, label) AS forms, sum(times)
FROM (
    SELECT label, lower(trim(label, ' \t\r\n')) AS bare, count(*) AS times
    FROM records WHERE split = ? AND label IS NOT NULL GROUP BY label
)
GROUP BY bare HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT 3
"""
ROWS = """
SELECT id, source, record, coalesce(line, -1), coalesce("offset", -1), label FROM records
WHERE split = ? AND regexp_matches(label, '^\\s|\\s$') ORDER BY id LIMIT 5
"""


class Labels(NamedTuple):
    """Labelled records of a split, and those whose label begins or ends with white space."""

    labelled: int
    spaced: int


@dataclass(frozen=True)
class NothingSeen(Partial):
    """No sum: the tables tell."""


@dataclass(frozen=True)
class LabelForm(Check[NothingSeen]):
    """Find labels with white space around them, and labels that differ in that or case alone."""

    # a class that is spelt in two ways is two classes to a trainer: none is harmless
    limit: float = 0.0
    needs = "records"
    partial = NothingSeen

    def observe(self, block: Block) -> NothingSeen:
        del block
        return NothingSeen()

    def labels(self, evidence: Evidence[NothingSeen]) -> dict[str, Labels]:
        """By split, those with labels alone."""
        rows = {s: Labels(n, k) for s, n, k in evidence.records.query(LABELLED) if n}
        return {split: rows[split] for split in evidence.rows if split in rows}

    def applies(self, evidence: Evidence[NothingSeen]) -> bool:
        return bool(self.labels(evidence))

    def metrics(self, evidence: Evidence[NothingSeen]) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for split, labels in self.labels(evidence).items():
            found[f"share.{split}"] = share(labels.spaced, labels.labelled)
            found[f"variants.{split}"] = float(len(evidence.records.query(VARIANTS, split)))
        return found

    def rules(self) -> tuple[Rule, ...]:
        return tuple(
            Rule(f"label-form.{name}", "<=", self.limit, Severity.WARNING, scope="measured")
            for name in ("share", "variants")
        )

    def conclude(self, evidence: Evidence[NothingSeen]) -> Iterator[Finding]:
        for split, labels in self.labels(evidence).items():
            told = []
            if labels.spaced:
                shown = ", ".join(f"{v!r} {n:,}" for v, n in evidence.records.query(SPACED, split))
                told.append(
                    f"{labels.spaced:,} of {labels.labelled:,} labels begin or end with white "
                    f"space: {shown}"
                )
            variants = evidence.records.query(VARIANTS, split)
            for forms, times in variants:
                names = " and ".join(repr(form) for form in forms[:3])
                told.append(f"{names} ({int(times):,} records) differ in white space or case alone")
            if not told:
                continue
            examples = tuple(
                Example(id_, source, record, line, offset, (("label", repr(label)),))
                for id_, source, record, line, offset, label in evidence.records.query(ROWS, split)
            )
            value = share(labels.spaced, labels.labelled)
            breaks = max(value, float(len(variants))) > self.limit
            yield self.finding(
                split,
                Severity.WARNING if breaks else Severity.INFO,
                "; ".join(told),
                value=value,
                limit=self.limit,
                count=labels.spaced,
                examples=examples,
                remedy="Spell each label in one way, without white space around it.",
            )
