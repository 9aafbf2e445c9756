"""Many tests at once: step-down corrections, false discovery rates, conformal p-values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def holm(p: ArrayLike, tests: int | None = None) -> NDArray[np.float64]:
    """Adjusted p-values; rejecting those at most alpha holds the family-wise error to alpha.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
    Journal of Statistics 6 (1979).

    Args:
        p: p-values of one family; NaN counts as untested and stays NaN.
        tests: size of the family where it is larger than the tested ones given here.
    """
    values = np.asarray(p, np.float64)
    rows = np.flatnonzero(~np.isnan(values))
    family = max(len(rows), tests or 0)
    order = rows[np.argsort(values[rows], kind="stable")]
    adjusted = np.full(values.shape, np.nan)
    steps = np.minimum(1.0, values[order] * (family - np.arange(len(order))))
    adjusted[order] = np.maximum.accumulate(steps)
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """q-values; keeping those at most q holds the expected share of false ones to q.

    Source: Benjamini and Hochberg, "Controlling the false discovery rate", Journal of the
    Royal Statistical Society B 57 (1995); valid where the tests are positively dependent.
    """
    values = np.asarray(p, np.float64)
    order = np.argsort(values, kind="stable")
    ranks = np.arange(1, len(values) + 1)
    raised = values[order] * len(values) / ranks
    q = np.empty(len(values))
    q[order] = np.minimum(1.0, np.minimum.accumulate(raised[::-1])[::-1])
    return q


def conformal_p(score: ArrayLike, calibration: ArrayLike) -> NDArray[np.float64]:
    """P that a score comes from where the calibration scores do; a higher score is odder.

    Source: Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World" (2005):
    (1 + number of calibration scores at least as high) / (1 + their number).
    """
    held = np.sort(np.asarray(calibration, np.float64))
    below = np.searchsorted(held, np.asarray(score, np.float64), "left")
    return np.asarray((1.0 + len(held) - below) / (1.0 + len(held)), np.float64)


def draws_needed(tests: int, alpha: float) -> int:
    """Draws a null must hold so that its smallest p can pass Holm's first step.

    With K draws no p is below 1 / (K + 1), which must be at most alpha / tests.
    """
    return max(0, math.ceil(round(tests / alpha, 9)) - 1)
