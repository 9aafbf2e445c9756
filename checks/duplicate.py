"""duplicate: records of a split that say the same again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corpusgate.model import Check, Evidence, Example, Partial, Rule, Severity, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding

COUNTS = """
SELECT split, count(text_hash), count(DISTINCT text_hash), count(DISTINCT norm_hash)
FROM records GROUP BY split ORDER BY split
"""
WORST = """
WITH groups AS (
    SELECT split, norm_hash, count(*) AS times, min(id) AS lowest
    FROM records WHERE norm_hash IS NOT NULL GROUP BY ALL HAVING times > 1
)
SELECT id, source, record, coalesce(line, -1), coalesce("offset", -1), times
FROM groups JOIN records USING (split, norm_hash)
WHERE split = ? AND id = lowest ORDER BY times DESC, id LIMIT 5
"""


class Again(NamedTuple):
    """Records that repeat an earlier one of their split."""

    rows: int
    exact: int
    normalised: int
    """Repetitions after normalising that are not exact."""


@dataclass(frozen=True)
class NothingSeen(Partial):
    """No sum: the tables tell."""


@dataclass(frozen=True)
class Duplicate(Check[NothingSeen]):
    """Count records whose text stands earlier in the same split."""

    # Lee et al. 2022, "Deduplicating training data makes language models better": 3 to 14 % of
    # common corpora repeat; above that models memorise tenfold
    limit: float = 0.03
    needs = "records"
    partial = NothingSeen

    def observe(self, block: Block) -> NothingSeen:
        del block
        return NothingSeen()

    def counts(self, evidence: Evidence[NothingSeen]) -> Iterator[tuple[str, Again]]:
        """Repetitions of each split, in the order of the audit."""
        held = {split: row for split, *row in evidence.records.query(COUNTS)}
        for split in evidence.rows:
            if split in held:
                texts, exact, normal = held[split]
                yield split, Again(texts, texts - exact, exact - normal)

    def metrics(self, evidence: Evidence[NothingSeen]) -> Mapping[str, float]:
        found: dict[str, float] = dict.fromkeys(
            (f"{name}.{s}" for s in evidence.rows for name in ("share", "exact", "normalised")),
            float("nan"),
        )
        for split, again in self.counts(evidence):
            found[f"share.{split}"] = share(again.exact + again.normalised, evidence.rows[split])
            found[f"exact.{split}"] = float(again.exact)
            found[f"normalised.{split}"] = float(again.normalised)
        return found

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("duplicate.share", "<=", self.limit, Severity.WARNING),)

    def conclude(self, evidence: Evidence[NothingSeen]) -> Iterator[Finding]:
        for split, again in self.counts(evidence):
            count = again.exact + again.normalised
            if not count:
                continue
            rows = evidence.rows[split]
            examples = tuple(
                Example(id_, source, record, line, offset, (("times", str(times)),))
                for id_, source, record, line, offset, times in evidence.records.query(WORST, split)
            )
            value = share(count, rows)
            yield self.finding(
                split,
                Severity.WARNING if value > self.limit else Severity.INFO,
                f"{again.exact:,} of {rows:,} records repeat another exactly and "
                f"{again.normalised:,} more after normalising; limit {self.limit:.0%}",
                value=value,
                limit=self.limit,
                count=count,
                examples=examples,
                remedy="Keep one of each group of equal records, unless the repetition is meant.",
            )
