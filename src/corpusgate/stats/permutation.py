"""Do two sets of documents use the same tokens? Tests whose unit is the document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpusgate.stats.distance import contributions, jensen_shannon

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Floats: TypeAlias = NDArray[np.float64]
    Mask: TypeAlias = NDArray[np.bool_]

# Permutations whose counts are held at once: 16 x 100,000 tokens x 8 bytes = 13 MB.
_AT_ONCE = 16

# Sums of the same counts in another order may differ by this much, in bits; a permutation
# that ties with the observation must count as one.
_ROUNDING = 1e-12

# Lengths that differ by less do not make the divergence of sparse counts differ by more than
# it varies by chance: measured, see docs/experiments.md. Means within a factor of 5/4.
_LIKE_LENGTHS = 0.8


class Permuted(NamedTuple):
    """A divergence beside what it would be if the documents were dealt anew, in bits."""

    divergence: float
    excess: float
    """Above the mean of the permutations: about 0 if nothing drifted, whatever the size."""
    p: float
    quantile: float
    """The excess that 95 % of the permutations stay below: what chance alone may show."""


class Cluster(NamedTuple):
    """Per token, arrays of length v."""

    z: Floats
    """Difference of the token's shares, second less first, over its standard error."""
    first: Floats
    """The token's share of all tokens, in either set."""
    second: Floats
    groups: NDArray[np.int64]
    """Groups that hold the token."""
    bits: Floats
    """What the token adds to the divergence."""


def permute(counts: csr_array, second: Mask, permutations: int, seed: int) -> Permuted:
    """Permutation test of the Jensen-Shannon divergence of two sets of groups.

    Tokens of one document come together, so that a test which takes tokens for independent
    calls any two samples different; here documents (or equal groups of them) are dealt anew.
    p counts the observation as one of the deals: Phipson and Smyth 2010.

    Args:
        counts: integers, shape (groups, tokens).
        second: which groups are the second set; both sets hold at least one.
        permutations: deals at random; p is at least 1 / (permutations + 1).
        seed: of the deals.
    """
    rng = np.random.default_rng(seed)
    size = int(second.sum())
    deals = np.zeros((permutations + 1, len(second)), np.int64)
    deals[0] = second
    for deal in deals[1:]:
        deal[rng.permutation(len(second))[:size]] = 1
    by_token, total = counts.T.tocsr(), _sum(counts)
    found = []
    for start in range(0, len(deals), _AT_ONCE):
        dealt = (by_token @ deals[start : start + _AT_ONCE].T).T
        found.append(jensen_shannon(dealt, total - dealt))
    divergence = np.concatenate(found)
    null = divergence[1:]
    extreme = int((null >= divergence[0] - _ROUNDING).sum())
    return Permuted(
        divergence=float(divergence[0]),
        excess=float(divergence[0] - null.mean()),
        p=(1 + extreme) / len(divergence),
        quantile=float(np.quantile(null, 0.95) - null.mean()),
    )


def thin(counts: csr_array, second: Mask, seed: int) -> csr_array:
    """Drop tokens of the longer set at random until documents are as long in both.

    Few tokens spread wider than many of the same kind. Where documents of one set are much
    shorter that alone would pass for drift, as permuted sets mix short and long.
    """
    per_group = counts.sum(axis=1)
    first_mean, second_mean = per_group[~second].mean(), per_group[second].mean()
    shorter, longer = sorted((first_mean, second_mean))
    if not shorter or shorter >= _LIKE_LENGTHS * longer:
        return counts
    trimmed = second if second_mean > first_mean else ~second
    thinned = counts.copy()
    rows = np.repeat(trimmed, np.diff(counts.indptr))
    rng = np.random.default_rng(seed)
    thinned.data[rows] = rng.binomial(counts.data[rows], shorter / longer)
    thinned.eliminate_zeros()
    return thinned


def cluster_scores(counts: csr_array, second: Mask) -> Cluster:
    """Per token a z of the difference of its shares, robust to documents that repeat it.

    The share of a set is a ratio of sums over groups; its variance is taken from the groups'
    residuals under the pooled share (linearised ratio estimator, Cochran, "Sampling
    Techniques", 1977, chapter 6). 0 where there is no variance to take.
    """
    sets = counts[~second], counts[second]
    sums = _sum(sets[0]), _sum(sets[1])
    pooled = (sums[0] + sums[1]) / max(1, int(counts.sum()))
    variance = _variance(sets[0], pooled) + _variance(sets[1], pooled)
    first, other = (each / max(1, int(each.sum())) for each in sums)
    error = np.sqrt(variance)
    usable = np.isfinite(error) & (error > 0)
    z = np.divide(other - first, error, out=np.zeros_like(error), where=usable)
    groups = np.bincount(counts.indices, minlength=counts.shape[1])
    return Cluster(z, first, other, groups, contributions(sums[0], sums[1]))


def _variance(counts: csr_array, pooled: Floats) -> Floats:
    size = counts.shape[0]
    lengths = counts.sum(axis=1)
    total = int(lengths.sum())
    if size < 2 or not total:  # noqa: PLR2004 - one group has no variance
        return np.full(len(pooled), np.inf)
    squares = _sum(counts.multiply(counts))
    cross = counts.T @ lengths
    residual = squares - 2 * pooled * cross + pooled**2 * float((lengths.astype(float) ** 2).sum())
    variance: Floats = size / (size - 1) * np.maximum(residual, 0) / total**2
    return variance


def _sum(counts: Any) -> NDArray[np.int64]:
    total: NDArray[np.int64] = np.asarray(counts.sum(axis=0)).ravel()
    return total
