"""How far apart two distributions lie, from counts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from numpy.typing import NDArray

    Histogram: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
    """Values, each once, and how often each was seen (more than never)."""
    Floats: TypeAlias = NDArray[np.float64]
    Numbers: TypeAlias = NDArray[Any]

# below SMALL the asymptotic p of two samples is too low by up to ten times (10 against 10, a gap
# of 0.9), and above EXACT that of one sample against a known distribution is as good
SMALL = 100
EXACT = 10_000


class Distance(NamedTuple):
    """Two samples of one quantity, held against each other."""

    ks: float
    """The largest gap between the cumulative distributions."""
    p: float
    """Two-sided p of `ks`; conservative where values are tied."""
    wasserstein: float
    """What one distribution must be moved on average to be the other, in the quantity's unit."""


def distance(first: Histogram, second: Histogram) -> Distance:
    """Hold two histograms against each other: Kolmogorov-Smirnov and Wasserstein-1, both exact.

    Neither may be empty. The p is that of `scipy.stats.ks_2samp`: the asymptotic one, but exact
    where one side is small, since that of a single document against many would be 0.
    """
    values = np.union1d(first[0], second[0])
    gaps = np.abs(_cumulative(first, values) - _cumulative(second, values))
    ks = float(gaps.max())
    return Distance(ks, _chance(first, second, ks), float((gaps[:-1] * np.diff(values)).sum()))


def _chance(first: Histogram, second: Histogram, ks: float) -> float:
    from scipy.stats import ks_2samp, kstwo

    m, n = int(first[1].sum()), int(second[1].sum())
    if min(m, n) < SMALL and max(m, n) <= EXACT:
        here, there = (np.repeat(*side).astype(float).tolist() for side in (first, second))
        return float(ks_2samp(here, there, method="exact").pvalue)
    # Effective size of two samples, Hodges 1958; it is not below 1/2 and must not round to 0.
    size = max(1, round(m * n / (m + n)))
    return float(np.clip(kstwo.sf(ks, size), 0, 1))


def _cumulative(histogram: Histogram, values: NDArray[np.int64]) -> Floats:
    order = np.argsort(histogram[0])
    steps = np.concatenate([[0], np.cumsum(histogram[1][order])])
    at = np.searchsorted(histogram[0][order], values, "right")
    share: Floats = steps[at] / steps[-1]
    return share


def median(histogram: Histogram) -> float:
    """The value in the middle, or halfway between the two in the middle; NaN of nothing."""
    order = np.argsort(histogram[0])
    upto = np.cumsum(histogram[1][order])
    if not len(upto) or not upto[-1]:
        return float("nan")
    middle = (upto[-1] - 1) // 2, upto[-1] // 2
    return float(histogram[0][order][np.searchsorted(upto, middle, "right")].mean())


def jensen_shannon(first: Numbers, second: Numbers) -> Floats:
    """Jensen-Shannon divergence in bits of two arrays of counts over the same outcomes.

    The last axis runs over outcomes and the others broadcast; 0 where either side is empty.
    Lin, "Divergence measures based on the Shannon entropy", 1991: between 0 and 1.
    """
    bits: Floats = contributions(first, second).sum(axis=-1)
    return bits


def contributions(first: Numbers, second: Numbers) -> Floats:
    """What each outcome adds to the Jensen-Shannon divergence, in bits, none below 0."""
    p, q = _shares(first), _shares(second)
    middle = (p + q) / 2
    bits: Floats = (_plogp(p, middle) + _plogp(q, middle)) / 2
    return bits


def _shares(counts: Numbers) -> Floats:
    total = counts.sum(axis=-1, keepdims=True)
    share: Floats = counts / np.where(total > 0, total, 1)
    return share


def _plogp(p: Floats, middle: Floats) -> Floats:
    shape = np.broadcast_shapes(p.shape, middle.shape)
    ratio = np.divide(p, middle, out=np.ones(shape), where=p > 0)
    bits: Floats = p * np.log2(ratio)
    return bits
