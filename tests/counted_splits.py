"""What compare reads, counted from records as the pipeline counts them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.model import Evidence, record_ids
from corpusgate.pipeline.compare import CompareOptions, SplitFacts, compare
from corpusgate.pipeline.document_groups import GroupCounts, count_words, group_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusgate.model import Comparison, Unobserved
    from corpusgate.stats.distance import Histogram

Splits = dict[str, list[dict[str, Any]]]


def facts_of(
    splits: Splits, options: CompareOptions | None = None, parts: int = 1
) -> dict[str, SplitFacts]:
    """The facts of splits, their words counted in so many parts."""
    grouping = (options or CompareOptions()).grouping
    documents = {split: len(rows) for split, rows in splits.items()}
    facts = {}
    for seed, (split, rows) in enumerate(splits.items()):
        texts = [row["text"] for row in rows]
        groups = group_of(record_ids(seed, np.arange(len(rows))), split, documents, grouping)
        pieces = [
            count_words(groups[cut], [texts[i] for i in cut], grouping)
            for cut in np.array_split(np.arange(len(rows)), parts)
        ]
        facts[split] = SplitFacts(
            documents=len(rows),
            lengths={
                "characters": histogram([len(text) for text in texts]),
                "bytes": histogram([len(text.encode()) for text in texts]),
            },
            labels=Counter(row["label"] for row in rows if "label" in row),
            tokens=GroupCounts.total(pieces),
        )
    return facts


def histogram(values: Sequence[int]) -> Histogram:
    found, counts = np.unique(np.array(values, np.int64), return_counts=True)
    return found, counts.astype(np.int64)


def compared(splits: Splits, options: CompareOptions | None = None) -> Comparison:
    return compare(facts_of(splits, options), options)


def evidence_of(comparison: Comparison, rows: Mapping[str, int]) -> Evidence[Unobserved]:
    none: Any = None
    return Evidence({}, rows, none, stages={"compare": comparison})
