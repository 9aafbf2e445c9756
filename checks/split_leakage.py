"""split-leakage: records of a split that stand in train."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corpusgate.model import Check, Evidence, Example, Partial, Rule, Severity, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Block, Finding

COUNTS = """
SELECT split, count(*), count(*) FILTER (
    text_hash IN (SELECT text_hash FROM records WHERE split = ? AND text_hash IS NOT NULL)
)
FROM records
WHERE norm_hash IN (SELECT norm_hash FROM records WHERE split = ? AND norm_hash IS NOT NULL)
GROUP BY split ORDER BY split
"""
ROWS = """
WITH train AS (
    SELECT norm_hash, min(source) AS file, min(line) AS place
    FROM records WHERE split = ? AND norm_hash IS NOT NULL GROUP BY norm_hash
)
SELECT id, r.source, record, coalesce(line, -1), coalesce("offset", -1), file, coalesce(place, -1)
FROM records r JOIN train USING (norm_hash) WHERE split = ? ORDER BY id LIMIT 5
"""


class Leak(NamedTuple):
    """Records of a split that stand in train."""

    normalised: int
    exact: int


@dataclass(frozen=True)
class NothingSeen(Partial):
    """No sum: the tables tell."""


@dataclass(frozen=True)
class SplitLeakage(Check[NothingSeen]):
    """Count records held out that train holds as well."""

    # a single record learned by heart makes the held-out loss better than it is
    limit: float = 0.0
    # above one in a hundred the held-out figure itself is in doubt (Lee et al. 2022 found up to
    # 4 % of validation sets in train, and perplexities off by as much)
    error_limit: float = 0.01
    needs = "records"
    partial = NothingSeen

    def observe(self, block: Block) -> NothingSeen:
        del block
        return NothingSeen()

    def applies(self, evidence: Evidence[NothingSeen]) -> bool:
        return len(evidence.rows) > 1

    def counts(self, evidence: Evidence[NothingSeen]) -> Iterator[tuple[str, Leak]]:
        """Leaks of each split held against train (or the first split)."""
        splits = list(evidence.rows)
        if not splits:
            return
        train = reference(splits)
        rows = {s: Leak(n, x) for s, n, x in evidence.records.query(COUNTS, train, train)}
        for split in splits:
            if split != train:
                yield split, rows.get(split, Leak(0, 0))

    def metrics(self, evidence: Evidence[NothingSeen]) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for split, leak in self.counts(evidence):
            found[f"share.{split}"] = share(leak.normalised, evidence.rows[split])
            found[f"exact.{split}"] = float(leak.exact)
        return found

    def rules(self) -> tuple[Rule, ...]:
        name = "split-leakage.share"
        return (
            Rule(name, "<=", self.limit, Severity.WARNING, scope="against-train"),
            Rule(name, "<=", self.error_limit, Severity.ERROR, scope="against-train"),
        )

    def conclude(self, evidence: Evidence[NothingSeen]) -> Iterator[Finding]:
        train = reference(list(evidence.rows)) if evidence.rows else ""
        for split, leak in self.counts(evidence):
            if not leak.normalised:
                continue
            rows = evidence.rows[split]
            value = share(leak.normalised, rows)
            error = value > self.error_limit
            limit = self.error_limit if error else self.limit
            examples = tuple(
                Example(id_, source, record, line, offset, ((f"in {train}", f"{file}:{at}"),))
                for id_, source, record, line, offset, file, at in evidence.records.query(
                    ROWS, train, split
                )
            )
            yield self.finding(
                split,
                Severity.ERROR if error else Severity.WARNING,
                f"{leak.normalised:,} of {rows:,} {split} records stand in {train} after "
                f"normalising, {leak.exact:,} of them exactly; limit {limit:.0%}",
                value=value,
                limit=limit,
                count=leak.normalised,
                examples=examples,
                remedy=f"Take the {leak.normalised:,} leaked records out of {split}: "
                "`corpusgate explain split-leakage`.",
            )


def reference(splits: list[str]) -> str:
    """The split that the others are held against."""
    return "train" if "train" in splits else splits[0]
