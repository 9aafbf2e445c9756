"""Batch statistics, and what they are in batches drawn at random."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.stats.corrections import conformal_p

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

# beyond this quantile of a null an exponential tail stands in for ranks (Balkema, de Haan
# and Pickands: excesses over a high threshold)
_TAIL = 0.999
# the quantile by whose distance from the median spreads are compared: a fifth of the steps
# may be noisy before it moves
_BODY = 0.8
# a statistic that hardly varies, as where most records reach the cap, must not surprise by
# a hair: spreads of the body and of the tail are at least this
_LEAST_BODY, _LEAST_TAIL = 0.05, 0.1
# batches below which their own spread says nothing
_FEW = 20
_CHUNK = 10_000


def statistics(batches: Floats) -> Floats:
    """Statistics of batches, larger is odder: (n, records, features) to (n, features + 3).

    The mean of each feature either way, and how odd the second oddest record, the four
    oddest and all of them are: two odd records in a batch show in the second alone.
    """
    oddness = np.sort(np.abs(batches).max(2), axis=1)[:, ::-1]
    second = oddness[:, min(1, oddness.shape[1] - 1)]
    tops = np.column_stack([second, oddness[:, :4].mean(1), oddness.mean(1)])
    return np.concatenate([np.abs(batches.mean(1)), tops], axis=1)


class Null:
    """Statistics of batches of one size drawn at random from a pool of records."""

    def __init__(self, pool: Floats, size: int, draws: int, rng: np.random.Generator) -> None:
        drawn = np.concatenate(
            [
                statistics(pool[rng.integers(0, len(pool), (min(_CHUNK, draws - i), size))])
                for i in range(0, draws, _CHUNK)
            ]
        )
        self._middle = np.median(drawn, axis=0)
        self._unit = np.maximum(np.quantile(drawn, _BODY, axis=0) - self._middle, _LEAST_BODY)
        placed = self.place(drawn)
        self._held = np.sort(placed, axis=0)
        self._edge = np.quantile(placed, _TAIL, axis=0)
        over = np.maximum(placed - self._edge, 0.0)
        self._scale = np.maximum(over.sum(0) / np.maximum(1, (over > 0).sum(0)), _LEAST_TAIL)
        self._largest = self._surprise(placed)

    def place(self, found: Floats) -> Floats:
        """Statistics in units of the body of the draws, from their median."""
        return np.asarray((found - self._middle) / self._unit)

    def p(self, placed: Floats) -> Floats:
        """p-values of batches by their largest surprise, against that of the draws."""
        return conformal_p(self._surprise(placed), self._largest)

    def _surprise(self, placed: Floats) -> Floats:
        """-log p of the oddest statistic of each batch, before any correction."""
        parts = np.empty_like(placed)
        n = len(self._held)
        for j, held in enumerate(self._held.T):
            x = placed[:, j]
            parts[:, j] = -np.log((n - np.searchsorted(held, x, "left") + 0.5) / (n + 1))
            far = x > self._edge[j]
            parts[far, j] = -np.log(1 - _TAIL) + (x[far] - self._edge[j]) / self._scale[j]
        return np.asarray(parts.max(1))


def settled(placed: Floats) -> Floats:
    """Placed statistics with the batches' own median and spread, where these exceed the draws'.

    In a file that keeps its kinds together batches vary more than draws from everywhere do.
    Source: Efron, "Large-scale simultaneous hypothesis testing: the choice of a null
    hypothesis", Journal of the American Statistical Association 99 (2004).
    """
    if len(placed) < _FEW:
        return placed
    middle, body = np.quantile(placed, [0.5, _BODY], axis=0)
    return np.asarray((placed - np.maximum(0.0, middle)) / np.maximum(1.0, body - middle))
