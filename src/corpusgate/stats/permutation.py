"""Do two sets of documents use the same tokens? Tests whose unit is the document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpusgate.stats.distance import jensen_shannon

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Floats: TypeAlias = NDArray[np.float64]
    Mask: TypeAlias = NDArray[np.bool_]

# Counts of deals held at once, 16 MB an array: more is no faster.
_CELLS = 2_000_000

# Sums of the same counts in another order may differ by this much, in bits; a permutation
# that ties with the observation must count as one.
_ROUNDING = 1e-12


class Permuted(NamedTuple):
    """A divergence beside what it would be if the groups were dealt anew, in bits."""

    divergence: float
    excess: float
    """Above the mean of the deals: about 0 if nothing drifted, whatever the size."""
    p: float
    quantile: float
    """The excess that 95 % of the deals stay below: what chance alone may show."""
    z: Floats
    """Per token: how far the second set's count lies from its share of the pool, in standard
    deviations over deals, so that a document that repeats a token counts once."""
    token_p: Floats
    """Per token: the share of deals in which any tested token lies as far out; 1 if untested."""


def permute(
    counts: csr_array, second: Mask, tested: Mask, permutations: int, seed: int
) -> Permuted:
    """Permutation test of the Jensen-Shannon divergence of two sets of groups of documents.

    Tokens of one document come together, so that a test which takes tokens for independent
    calls any two samples different; here documents (or equal groups of them) are dealt anew.
    The observation counts as one of the deals: Phipson and Smyth 2010. Single tokens are held
    against the farthest of each deal, which bounds the chance that any is named wrongly:
    Westfall and Young, "Resampling-based multiple testing", 1993, single-step maxT.

    Args:
        counts: integers, shape (groups, tokens).
        second: which groups are the second set; both sets hold at least one.
        tested: which tokens may be named.
        permutations: deals at random; p is at least 1 / (permutations + 1).
        seed: of the deals.
    """
    deals = _deals(second, permutations, seed)
    by_token, total, spread = counts.T.tocsr(), _sum(counts), _spread(counts, int(second.sum()))
    divergence, farthest = np.zeros(len(deals)), np.zeros(len(deals))
    z = np.zeros(len(total))
    step = max(1, _CELLS // max(1, len(total)))
    for start in range(0, len(deals), step):
        part = slice(start, start + step)
        dealt = (by_token @ deals[part].T).T
        divergence[part] = jensen_shannon(dealt, total - dealt)
        due = total * (dealt.sum(axis=1, keepdims=True) / max(1, int(total.sum())))
        off = np.divide(dealt - due, spread, out=np.zeros_like(due), where=spread > 0)
        farthest[part] = np.abs(off[:, tested]).max(axis=1, initial=0)
        z = off[0] if start == 0 else z
    null = divergence[1:]
    far = np.sort(farthest[1:])
    as_far = permutations - np.searchsorted(far, np.abs(z) - _ROUNDING)
    return Permuted(
        divergence=float(divergence[0]),
        excess=float(divergence[0] - null.mean()),
        p=float((1 + (null >= divergence[0] - _ROUNDING).sum()) / len(deals)),
        quantile=float(np.quantile(null, 0.95) - null.mean()),
        z=z,
        token_p=np.where(tested, (1 + as_far) / len(deals), 1.0),
    )


def _deals(second: Mask, permutations: int, seed: int) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    deals = np.zeros((permutations + 1, len(second)), np.int64)
    deals[0] = second
    for deal in deals[1:]:
        deal[rng.permutation(len(second))[: int(second.sum())]] = 1
    return deals


def thin(counts: csr_array, second: Mask, seed: int) -> csr_array:
    """Drop tokens of the longer set at random until documents are as long in both.

    Few tokens spread wider than many of the same kind, so that shorter documents alone would
    pass for drift: deals mix short and long. With a second set 18 % shorter and nothing else
    changed, p <= 0.05 came up in 37 of 40 seeds without this and in none of 40 with it.
    """
    per_group = counts.sum(axis=1)
    first_mean, second_mean = per_group[~second].mean(), per_group[second].mean()
    shorter, longer = sorted((first_mean, second_mean))
    if not shorter or shorter == longer:
        return counts
    trimmed = second if second_mean > first_mean else ~second
    thinned = counts.copy()
    rows = np.repeat(trimmed, np.diff(counts.indptr))
    rng = np.random.default_rng(seed)
    thinned.data[rows] = rng.binomial(counts.data[rows], shorter / longer)
    thinned.eliminate_zeros()
    return thinned


def _spread(counts: csr_array, size: int) -> Floats:
    # Standard deviation over deals of what `size` groups hold of a token above its share of
    # the pool: a sum of residuals x - p * length drawn without replacement, Cochran,
    # "Sampling Techniques", 1977, theorem 2.2 and chapter 6.
    groups = counts.shape[0]
    lengths = counts.sum(axis=1).astype(float)
    pooled = _sum(counts) / max(1.0, lengths.sum())
    squares, cross = _sum(counts.multiply(counts)), counts.T @ lengths
    residual = squares - 2 * pooled * cross + pooled**2 * (lengths @ lengths)
    # What is left where every group holds the same share is rounding, not spread.
    residual = np.where(residual > _ROUNDING * squares, residual, 0.0)
    spread: Floats = np.sqrt(residual * size * (groups - size) / (groups * max(1, groups - 1)))
    return spread


def _sum(counts: Any) -> NDArray[np.int64]:
    total: NDArray[np.int64] = np.asarray(counts.sum(axis=0)).ravel()
    return total
