"""Compare: each split held against train, by lengths, tokens and labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, get_args

import numpy as np

from corpusgate.errors import ConfigError
from corpusgate.model import (
    Comparison,
    LabelDrift,
    LabelShare,
    LengthDrift,
    LengthUnit,
    Shift,
    TokenDrift,
    TokenShare,
)
from corpusgate.pipeline.compare_charts import charts
from corpusgate.pipeline.document_groups import GroupCounts, Grouping, align, reference_of
from corpusgate.stats.contingency import contingency
from corpusgate.stats.distance import contributions, distance, median
from corpusgate.stats.permutation import permute, thin
from corpusgate.text.visible import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from corpusgate.stats.distance import Histogram
    from corpusgate.stats.permutation import Permuted


@dataclass(frozen=True)
class CompareOptions:
    """How splits are compared. No limits here: those are the checks'."""

    grouping: Grouping = field(default_factory=Grouping)
    # False alarms and power were measured at 199; p is then 0.005 at least.
    permutations: int = 199
    seed: int = 0
    # Tokens of fewer documents vary too much to be named, and drown those that could be.
    named_groups: int = 10
    # Chance that any token is named falsely, and chance that the whole seems to have drifted:
    # both must be ruled out, which on clean splits of four corpora left 9 of 2,400 that name one.
    named_alpha: float = 0.05
    # What a reader can take in; the rest is counted, not shown.
    named: int = 20
    labels: int = 100

    def __post_init__(self) -> None:
        if self.permutations < 1:
            why = f"compare.permutations is {self.permutations}: give a whole number above 0"
            raise ConfigError("unusable-option", why)


@dataclass(frozen=True)
class SplitFacts:
    """What is known of one split: counts alone, of the text after clean."""

    documents: int
    """Records read, as `group_of` was told."""
    lengths: Mapping[LengthUnit, Histogram] = field(default_factory=dict)
    """By unit: the lengths that occur, ascending, and how many documents have each."""
    labels: Counter[str] = field(default_factory=Counter)
    """Of the documents that have one."""
    tokens: GroupCounts = field(default_factory=GroupCounts)


def compare(splits: Mapping[str, SplitFacts], options: CompareOptions | None = None) -> Comparison:
    """Hold each split against train, or against the first if none is called train."""
    options = options or CompareOptions()
    if not splits:
        return Comparison("", 0, absent="no split was read")
    reference = reference_of(splits)
    train = splits[reference]
    if len(splits) == 1:
        alone = f"{reference} is the only split: there is nothing to hold against it"
        return Comparison(reference, train.documents, absent=alone)
    shifts = tuple(
        _shift(name, facts, reference, train, options)
        for name, facts in splits.items()
        if name != reference
    )
    lengths = {name: facts.lengths for name, facts in splits.items()}
    labels = {name: facts.labels for name, facts in splits.items()}
    comparison = Comparison(reference, train.documents, shifts)
    return replace(comparison, charts=charts(comparison, lengths, labels))


def _shift(
    name: str, facts: SplitFacts, reference: str, train: SplitFacts, options: CompareOptions
) -> Shift:
    both = ((reference, train), (name, facts))
    absent = {}
    lengths = _lengths(train, facts)
    if not lengths:
        absent["lengths"] = _lacking(both, _measured, "has no document to measure")
    tokens = _tokens(train, facts, options)
    if tokens is None:
        absent["tokens"] = _lacking(both, _counted, "has no token or word to count")
    labels = None
    if train.labels and facts.labels:
        labels = _labels(train.labels, facts.labels, options)
    else:
        absent["labels"] = _lacking(both, _labelled, "has no label")
    return Shift(name, facts.documents, lengths, tokens, labels, absent)


def _lacking(
    both: tuple[tuple[str, SplitFacts], ...], has: Callable[[SplitFacts], bool], what: str
) -> str:
    names = [name for name, facts in both if not has(facts)]
    return "; ".join(f"{name} {what}" for name in names)


def _measured(facts: SplitFacts) -> bool:
    return any(counts.sum() for _, counts in facts.lengths.values())


def _counted(facts: SplitFacts) -> bool:
    return bool(len(facts.tokens.count))


def _labelled(facts: SplitFacts) -> bool:
    return bool(facts.labels)


def _lengths(train: SplitFacts, facts: SplitFacts) -> tuple[LengthDrift, ...]:
    shifts = []
    for unit in get_args(LengthUnit):
        first, second = train.lengths.get(unit), facts.lengths.get(unit)
        if first is None or second is None or not first[1].sum() or not second[1].sum():
            continue
        ks, p, wasserstein = distance(first, second)
        shifts.append(LengthDrift(unit, ks, p, wasserstein, median(second), median(first)))
    return tuple(shifts)


def _tokens(train: SplitFacts, facts: SplitFacts, options: CompareOptions) -> TokenDrift | None:
    documents = (train.documents, facts.documents)
    counts, second, vocabulary = align(train.tokens, facts.tokens, documents, options.grouping)
    if not second.any() or second.all():
        return None
    tested = np.bincount(counts.indices, minlength=len(vocabulary)) >= options.named_groups
    like = thin(counts, second, options.seed)
    found = permute(like, second, tested, options.permutations, options.seed)
    names = {**facts.tokens.names, **train.tokens.names}
    totals = [np.asarray(counts[side].sum(axis=0)) for side in (~second, second)]
    return TokenDrift(
        unit=facts.tokens.unit or "words",
        divergence=found.divergence,
        excess=found.excess,
        p=found.p,
        quantile=found.quantile,
        groups=int(second.sum()),
        reference_groups=int((~second).sum()),
        group_documents=1 << options.grouping.level(facts.documents),
        tokens=int(totals[1].sum()),
        reference_tokens=int(totals[0].sum()),
        tested=int(tested.sum()),
        carriers=tuple(_carriers(found, totals, vocabulary.tolist(), names, options)),
    )


def _carriers(
    found: Permuted,
    totals: list[NDArray[np.int64]],
    vocabulary: list[int],
    names: Mapping[int, str],
    options: CompareOptions,
) -> Iterator[TokenShare]:
    first, second = (total / max(1, total.sum()) for total in totals)
    bits = contributions(*totals)
    drifted = found.p <= options.named_alpha
    carrying = np.flatnonzero(drifted & (found.token_p <= options.named_alpha))
    order = carrying[np.lexsort((carrying, -bits[carrying]))].tolist()
    named = [(i, names[vocabulary[i]]) for i in order if vocabulary[i] in names]
    for i, name in named[: options.named]:
        yield TokenShare(
            token=plain(name, keep=""),
            share=float(second[i]),
            reference_share=float(first[i]),
            z=float(found.z[i]),
            bits=float(bits[i]),
        )


def _labels(train: Counter[str], other: Counter[str], options: CompareOptions) -> LabelDrift:
    labels = sorted({*train, *other})
    table = np.array([[side[label] for label in labels] for side in (train, other)], np.int64)
    found = contingency(table[0], table[1], options.seed)
    first, second = table / table.sum(axis=1, keepdims=True)
    order = np.lexsort((np.arange(len(labels)), -np.abs(second - first)))[: options.labels]
    return LabelDrift(
        chi2=found.chi2,
        p=found.p,
        dof=found.dof,
        cramers_v=found.cramers_v,
        effect=found.effect,
        divergence=found.divergence,
        method=found.method,
        labels=len(labels),
        merged=found.merged,
        labelled=other.total(),
        reference_labelled=train.total(),
        shares=tuple(
            LabelShare(plain(labels[i], keep=""), float(second[i]), float(first[i]))
            for i in order.tolist()
        ),
    )
