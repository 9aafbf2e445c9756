"""Statistics that a few wild values do not move, and intervals without a distribution."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# median absolute deviation to standard deviation of a normal: 1 / Phi^-1(3/4)
MAD_TO_SD = 1.4826
# a spread below this is rounding, not spread
SMALLEST_SPREAD = 1e-9


def theil_sen(values: ArrayLike) -> tuple[float, float]:
    """(slope, intercept) of a line through equally spaced values; NaN values are left out.

    Source: Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal
    of the American Statistical Association 63 (1968). Breaks down at 29 % wild values.
    """
    y = np.asarray(values, np.float64)
    x = np.flatnonzero(np.isfinite(y))
    if not len(x):
        return 0.0, float("nan")
    first, second = np.triu_indices(len(x), 1)
    slopes = (y[x[second]] - y[x[first]]) / (x[second] - x[first])
    slope = float(np.median(slopes)) if len(slopes) else 0.0
    return slope, float(np.median(y[x] - slope * x))


def detrended_z(
    series: ArrayLike, window: int, least: int, floor: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(residual, robust z) of each value against the line through the values before it.

    Nothing after a value is looked at. Values with fewer than `least` before them get 0.

    Args:
        series: one value a step; values that are not finite get 0 and train no line.
        window: steps before a value that its line is drawn through.
        least: steps that must lie before a value.
        floor: the smallest spread to divide by, in the units of the series.
    """
    y = np.asarray(series, np.float64)
    residual, z = np.zeros(len(y)), np.zeros(len(y))
    for t in range(max(1, least), len(y)):
        past = y[max(0, t - window) : t]
        slope, intercept = theil_sen(past)
        off = past - intercept - slope * np.arange(len(past))
        off = off[np.isfinite(off)]
        if not len(off) or not np.isfinite(y[t]):
            continue
        spread = max(MAD_TO_SD * float(np.median(np.abs(off))), floor, SMALLEST_SPREAD)
        residual[t] = y[t] - intercept - slope * len(past)
        z[t] = residual[t] / spread
    return residual, z


# where ranks of a few thousand values grow coarse and the distance itself says more
_TAIL = 0.99


def normal_scores(values: ArrayLike, pool: ArrayLike) -> NDArray[np.float64]:
    """Each value's place in the pool as a standard normal quantile.

    Beyond the pool's 1st and 99th percentile, where ranks say little, the distance from
    the percentile in robust units is added on, so that the score stays monotone.
    """
    x, held = np.asarray(values, np.float64), np.sort(np.asarray(pool, np.float64))
    if not len(held):
        return np.zeros(x.shape)
    normal = NormalDist()
    table = np.array(
        [normal.inv_cdf((i + 1) / (2 * len(held) + 2)) for i in range(2 * len(held) + 1)]
    )
    rank = np.searchsorted(held, x, "left") + np.searchsorted(held, x, "right")
    score = table[rank]
    edge = normal.inv_cdf(_TAIL)
    middle = float(np.median(held))
    for share, sign in ((_TAIL, 1.0), (1 - _TAIL, -1.0)):
        border = float(np.quantile(held, share))
        unit = max(abs(border - middle) / edge, SMALLEST_SPREAD)
        beyond = sign * (x - border) > 0
        score[beyond] = sign * (edge + sign * (x[beyond] - border) / unit)
    return np.asarray(score)


def bootstrap_interval(
    values: ArrayLike, *, level: float = 0.95, draws: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """Percentile interval of a mean, the values resampled with replacement; NaN of nothing.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13.
    """
    x = np.asarray(values, np.float64)
    if not len(x):
        return float("nan"), float("nan")
    rng = np.random.default_rng(seed)
    means = x[rng.integers(0, len(x), (draws, len(x)))].mean(1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
