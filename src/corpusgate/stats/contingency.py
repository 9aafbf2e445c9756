"""Are labels shared out alike? Two columns of counts by label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from corpusgate.stats.distance import jensen_shannon

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]

# Where a cell is expected to hold less, chi-square's own distribution does not hold: Cochran,
# "Some methods for strengthening the common chi-square tests", Biometrics 10, 1954.
_SPARSE = 5

# Deals at random for a sparse table. p is at least 1 / 2,000, far enough below any limit in
# use; Hope, "A simplified Monte Carlo significance test procedure", 1968.
_DRAWS = 1999

# Labels told apart; a free text for a label has more. Bounds the deals to 32 MB.
_MOST_LABELS = 2000

# numpy refuses hypergeometric draws from more.
_MOST_DRAWN_FROM = 10**9


class Contingency(NamedTuple):
    """A table of two sets by labels."""

    chi2: float
    p: float
    dof: int
    cramers_v: float
    """Of the table as it is: it falls when one set is much larger than the other."""
    effect: float
    """Cohen's w as it would be with sets of equal size, less what chance adds: 0 alike, 1 disjoint.

    So one limit holds at every proportion of the sets and every number of labels.
    """
    divergence: float
    """Jensen-Shannon divergence in bits, of all labels as they are."""
    method: Literal["chi-square", "permutation"]
    merged: int
    """The rarest labels, beyond the 1,999 most frequent, that were tested as one."""


def contingency(first: Ints, second: Ints, seed: int) -> Contingency:
    """Test whether two arrays of counts by label were dealt from one pile.

    Sparse tables: where less than 5 is expected in any cell, p is the share of random deals of
    the same labels to sets of the same size (a permutation of documents) whose chi-square is
    as large. So rare labels need not be merged, and a set smaller than the number of labels
    can be tested.
    """
    table = np.stack([first, second]).astype(np.int64)
    divergence = float(jensen_shannon(table[0], table[1]))
    table, merged = _merge_rarest(table[:, table.sum(axis=0) > 0])
    labels, sizes = table.sum(axis=0), table.sum(axis=1)
    dof, total = len(labels) - 1, int(sizes.sum())
    if dof < 1 or not sizes.all():
        return Contingency(0.0, 1.0, 0, 0.0, 0.0, divergence, "chi-square", merged)
    expected = labels * int(sizes.min()) / total
    drawn = bool(expected.min() < _SPARSE) and total < _MOST_DRAWN_FROM
    chi2 = float(_chi2(table[0], labels, sizes))
    return Contingency(
        chi2=chi2,
        p=_dealt(chi2, labels, sizes, seed) if drawn else _asymptotic(chi2, dof),
        dof=dof,
        cramers_v=float(np.sqrt(chi2 / total)),
        effect=_effect(table, sizes, dof),
        divergence=divergence,
        method="permutation" if drawn else "chi-square",
        merged=merged,
    )


def _merge_rarest(table: Ints) -> tuple[Ints, int]:
    if table.shape[1] <= _MOST_LABELS:
        return table, 0
    order = np.argsort(-table.sum(axis=0), kind="stable")
    kept, rest = order[: _MOST_LABELS - 1], order[_MOST_LABELS - 1 :]
    merged = table[:, rest].sum(axis=1, keepdims=True)
    return np.concatenate([table[:, kept], merged], axis=1), len(rest)


def _chi2(first: Ints, labels: Ints, sizes: Ints) -> Floats:
    # Both rows of a table of two deviate by the same numbers, so one row tells the whole.
    total = sizes.sum()
    expected = labels * sizes[0] / total
    chi2: Floats = ((first - expected) ** 2 / expected).sum(axis=-1) * total / sizes[1]
    return chi2


def _asymptotic(chi2: float, dof: int) -> float:
    from scipy.stats import chi2 as distribution

    return float(distribution.sf(chi2, dof))


def _dealt(chi2: float, labels: Ints, sizes: Ints, seed: int) -> float:
    rng = np.random.default_rng(seed)
    deals = rng.multivariate_hypergeometric(labels, int(sizes[0]), _DRAWS, method="marginals")
    # A deal that ties with the table must count, whatever the last bit of the sum.
    extreme = _chi2(deals, labels, sizes) >= chi2 * (1 - 1e-9)
    return float((1 + extreme.sum()) / (_DRAWS + 1))


def _effect(table: Ints, sizes: Ints, dof: int) -> float:
    # w of Cohen, "Statistical Power Analysis", 1988, chapter 7, at sets of equal size; what is
    # taken off is its expectation under chance, as Bergsma 2013 does for Cramer's V.
    p, q = table / sizes[:, np.newaxis]
    squared = ((p - q) ** 2 / (p + q)).sum() / 2
    chance = dof / 4 * (1 / sizes).sum()
    return float(np.sqrt(max(0.0, squared - chance)))
