"""Are the records of one step like those of the others? Tested over all steps at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.stats.corrections import benjamini_hochberg, conformal_p, draws_needed, holm
from corpusgate.stats.robust import SMALLEST_SPREAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

# draws of a null: four at each place that Holm must tell apart, within these bounds
_LEAST_DRAWS, _MOST_DRAWS = 40_000, 200_000
# beyond this quantile of a null an exponential tail stands in for ranks (Balkema, de Haan
# and Pickands: excesses over a high threshold)
_TAIL = 0.999
# steps before and after one that say what is usual there, so that a shelf of one kind in
# file order is not called odd
_AROUND = 8
# times the sound records are dealt out to the steps anew, to measure the false rate
_FALSE_RUNS = 100
# scores beyond this carry no more weight: one record must not outvote fifteen (of 4, 5, 6
# and 8 this found most planted batches, docs/ablate.md)
_CAP = 6.0
# the tail of a null is at least this wide, so that a statistic that hardly varies, as where
# most records reach the cap, cannot surprise by a hair
_LEAST_SCALE = 0.05
# batches below which their spread says nothing
_LEAST_BODY = 20
# the quantile by whose distance from the median two spreads are compared; a fifth of the
# steps may be noisy before it moves
_BODY = 0.8
# rounds of peeling; each drops rejected steps from the null
_ROUNDS = 8


@dataclass(frozen=True, eq=False)
class Units:
    """One row for each record in a step: windows of a record are not independent."""

    step: Ints
    row: Ints
    scores: Floats
    """Shape (units, features), centred on what is usual around the step."""
    sound: Mask

    def of_step(self, step: int) -> Ints:
        """Units of one step."""
        low, high = np.searchsorted(self.step, [step, step + 1])
        return np.arange(low, high)


@dataclass(frozen=True, eq=False)
class ContentTest:
    """p of each step, and the records that make the rejected steps odd."""

    p: Floats
    """Uncorrected; shape (steps,)."""
    adjusted: Floats
    """After Holm over the steps, times the runs that share alpha."""
    rejected: Mask
    named: dict[int, dict[int, tuple[float, float]]]
    """step to {row of the text: (conformal p, q)}, rejected steps only."""
    false_rate: float
    """Share of clean corpora, drawn anew, in which any step is rejected."""
    underpowered: str = ""


def units_of(scores: Floats, rows: Ints, batches: Sequence[Ints], sound: Mask) -> Units:
    """Mean scores of each record in each step, and centred.

    Args:
        scores: of each slot, shape (slots, features).
        rows: record of each slot.
        batches: slots of each step.
        sound: records that no check flagged, by row.
    """
    step, row, mean = [], [], []
    for t, batch in enumerate(batches):
        records, place = np.unique(rows[batch], return_inverse=True)
        total = np.zeros((len(records), scores.shape[1]))
        np.add.at(total, place, scores[batch])
        step.append(np.full(len(records), t))
        row.append(records)
        mean.append(total / np.bincount(place)[:, None])
    steps, records = np.concatenate(step).astype(np.int64), np.concatenate(row)
    return Units(steps, records, np.concatenate(mean), sound[records])


def _centred(units: Units, rejected: Mask) -> Floats:
    """Scores less the median of the sound units in the steps around, the step's own left out."""
    found = units.scores.copy()
    usable = units.sound & ~rejected[units.step]
    everywhere = np.flatnonzero(usable)
    for t in range(len(rejected)):
        low, high = np.searchsorted(units.step, [t - _AROUND, t + _AROUND + 1])
        near = np.arange(low, high)
        near = near[usable[near] & (units.step[near] != t)]
        base = near if len(near) >= _AROUND else everywhere
        if len(base):
            own = units.of_step(t)
            found[own] -= np.median(units.scores[base], axis=0)
    return np.clip(found, -_CAP, _CAP)


def _statistics(drawn: Floats) -> Floats:
    """Batch statistics, larger is odder, of drawn units: (draws, m, features) to (draws, 3 + f).

    The mean of each feature either way, and how odd the second oddest record, the four
    oddest and all of them are: two odd records in a batch show in the second alone.
    """
    oddness = np.sort(np.abs(drawn).max(2), axis=1)[:, ::-1]
    second = oddness[:, min(1, oddness.shape[1] - 1)]
    tops = np.column_stack([second, oddness[:, :4].mean(1), oddness.mean(1)])
    return np.concatenate([np.abs(drawn.mean(1)), tops], axis=1)


class _Null:
    """Largest of the statistics' surprises in batches drawn at random from a pool."""

    def __init__(self, pool: Floats, size: int, draws: int, rng: np.random.Generator) -> None:
        found = [
            _statistics(pool[rng.integers(0, len(pool), (min(10_000, draws - i), size))])
            for i in range(0, draws, 10_000)
        ]
        self.held = np.sort(np.concatenate(found), axis=0)
        self.edge = np.quantile(self.held, _TAIL, axis=0)
        over = self.held - self.edge
        count = np.maximum(1, (over > 0).sum(0))
        self.scale = np.maximum(np.where(over > 0, over, 0).sum(0) / count, _LEAST_SCALE)
        self.largest = np.sort(self.surprise(np.concatenate(found)))

    def surprise(self, statistics: Floats) -> Floats:
        """-log p of the oddest statistic of each batch, before any correction."""
        parts = np.empty_like(statistics)
        n = len(self.held)
        for j, held in enumerate(self.held.T):
            x = statistics[:, j]
            parts[:, j] = -np.log((n - np.searchsorted(held, x, "left") + 0.5) / (n + 1))
            far = x > self.edge[j]
            parts[far, j] = -np.log(1 - _TAIL) + (x[far] - self.edge[j]) / self.scale[j]
        return parts.max(1)

    def p(self, statistics: Floats) -> Floats:
        """P of each batch, once the batches as a body lie no wider than the draws."""
        return conformal_p(self.surprise(self._settled(statistics)), self.largest)

    def _settled(self, statistics: Floats) -> Floats:
        """Statistics of batches brought to the draws' median and spread where they exceed it.

        In a file that keeps its kinds together batches vary more than draws from everywhere
        do. Source: Efron, "Large-scale simultaneous hypothesis testing: the choice of a null
        hypothesis", Journal of the American Statistical Association 99 (2004).
        """
        if len(statistics) < _LEAST_BODY:
            return statistics
        usual, edge = np.quantile(self.held, [0.5, _BODY], axis=0)
        middle, body = np.quantile(statistics, [0.5, _BODY], axis=0)
        wider = np.maximum(1.0, (body - middle) / np.maximum(edge - usual, SMALLEST_SPREAD))
        shift = np.maximum(0.0, middle - usual)
        return (statistics - shift - usual) / wider + usual


def test_steps(
    units: Units, steps: int, *, alpha: float, q: float, runs: int, seed: int
) -> ContentTest:
    """Test each step against draws from the steps not rejected, and name the odd records.

    Rejected steps leave the null and the test is done again until nothing new is found, so
    that noise in many steps does not hide itself.

    Args:
        units: records of each step.
        steps: of the run.
        alpha: family-wise error of all runs together.
        q: false share among the named records.
        runs: that share alpha, in equal parts.
        seed: of the draws.
    """
    needed = draws_needed(steps * runs, alpha)
    draws = min(_MOST_DRAWS, max(_LEAST_DRAWS, 4 * needed))
    rejected, p = np.zeros(steps, bool), np.ones(steps)
    adjusted = np.ones(steps)
    for turn in range(_ROUNDS):
        centred = _centred(units, rejected)
        rng = np.random.default_rng([seed, turn])
        p = np.where(rejected, p, _step_p(units, centred, rejected, draws, rng))
        open_ = np.where(rejected, np.nan, p)
        now = np.minimum(1.0, runs * holm(open_))
        new = now <= alpha
        adjusted = np.where(rejected, adjusted, now)
        rejected |= new
        if not new.any():
            break
    centred = _centred(units, rejected)
    reason = ""
    if needed > _MOST_DRAWS:
        reason = f"underpowered: {steps} steps need {needed} draws, the null holds {_MOST_DRAWS}"
    return ContentTest(
        p,
        adjusted,
        rejected,
        _name(units, centred, rejected, q),
        _false_rate(units, rejected, alpha / runs, seed),
        reason,
    )


def _step_p(
    units: Units, centred: Floats, rejected: Mask, draws: int, rng: np.random.Generator
) -> Floats:
    """P of every step against batches of as many records drawn from the open steps."""
    pool = centred[~rejected[units.step]]
    held = np.bincount(units.step, minlength=len(rejected))
    p = np.ones(len(rejected))
    for size in np.unique(held).tolist():
        if not size or not len(pool):
            continue
        null = _Null(pool, size, draws, rng)
        own = np.flatnonzero(held == size)
        batches = np.stack([centred[units.of_step(t)] for t in own.tolist()])
        p[own] = null.p(_statistics(batches))
    return p


def _name(
    units: Units, centred: Floats, rejected: Mask, q: float
) -> dict[int, dict[int, tuple[float, float]]]:
    """Records of the rejected steps that are odd among the sound records of the others."""
    oddness = np.abs(centred).max(1)
    judged = np.flatnonzero(rejected[units.step])
    calibration = oddness[units.sound & ~rejected[units.step]]
    named: dict[int, dict[int, tuple[float, float]]] = {
        t: {} for t in np.flatnonzero(rejected).tolist()
    }
    if not len(judged) or not len(calibration):
        return named
    p = conformal_p(oddness[judged], calibration)
    found = benjamini_hochberg(p)
    for unit, value, level in zip(judged.tolist(), p.tolist(), found.tolist(), strict=True):
        if level <= q:
            named[int(units.step[unit])][int(units.row[unit])] = (value, level)
    return named


def _false_rate(units: Units, rejected: Mask, alpha: float, seed: int) -> float:
    """Share of runs with the sound records dealt out to the steps anew that any step alarms in."""
    sound = np.flatnonzero(units.sound & ~rejected[units.step])
    steps = len(np.unique(units.step[sound]))
    size = len(sound) // max(1, steps)
    if not size:
        return float("nan")
    rng = np.random.default_rng([seed, 1_000])
    none = np.zeros(steps, bool)
    step = np.repeat(np.arange(steps), size)
    alarms = 0
    null: _Null | None = None
    for _ in range(_FALSE_RUNS):
        dealt = rng.permutation(sound)[: steps * size]
        again = Units(step, units.row[dealt], units.scores[dealt], units.sound[dealt])
        centred = _centred(again, none)
        # every dealing has the same records, so one null serves them all
        null = null or _Null(centred, size, _LEAST_DRAWS, rng)
        p = null.p(_statistics(centred.reshape(steps, size, -1)))
        alarms += bool(p.min() <= alpha / steps)
    return alarms / _FALSE_RUNS
