"""Are the records of one step like those of the others? Tested over all steps at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.pipeline.ablation.null import Null, settled, statistics
from corpusgate.stats.corrections import benjamini_hochberg, conformal_p, draws_needed, holm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

# draws of a null: four at each place that Holm must tell apart, within these bounds
_LEAST_DRAWS, _MOST_DRAWS = 40_000, 200_000
# steps before and after one that say what is usual there, so that a shelf of one kind in
# file order is not called odd
_AROUND = 8
# scores beyond this carry no more weight: one record must not outvote fifteen (of 4, 5, 6
# and 8 this found most planted batches, docs/ablate.md)
_CAP = 6.0
# times the records are dealt out to the steps anew, to measure the false rate
_DEALINGS = 100
# rounds of peeling; each drops rejected steps from the null
_ROUNDS = 8


@dataclass(frozen=True)
class Levels:
    """What a test may spend: error, false share, runs that share the error, seed."""

    alpha: float
    q: float
    runs: int
    seed: int


@dataclass(frozen=True, eq=False)
class Units:
    """One row for each record in a step: windows of a record are not independent."""

    step: Ints
    row: Ints
    scores: Floats
    """Shape (units, features)."""
    norm: Mask
    """Units that others are held against."""

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
    """Step to {row of the text: (conformal p, q)}, rejected steps only."""
    false_rate: float
    """Share of dealings of sound records in which any step is rejected."""
    underpowered: str = ""


def units_of(scores: Floats, rows: Ints, batches: Sequence[Ints], norm: Mask) -> Units:
    """Mean scores of each record in each step.

    Args:
        scores: of each slot, shape (slots, features).
        rows: record of each slot.
        batches: slots of each step.
        norm: records that others are held against, by row.
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
    return Units(steps, records, np.concatenate(mean), norm[records])


def test_steps(units: Units, steps: int, levels: Levels) -> ContentTest:
    """Test each step against draws from the steps not rejected, and name the odd records.

    Rejected steps leave the null and the test is done again until nothing new is found, so
    that noise in many steps does not hide itself.
    """
    needed = draws_needed(steps * levels.runs, levels.alpha)
    draws = min(_MOST_DRAWS, max(_LEAST_DRAWS, 4 * needed))
    rejected = np.zeros(steps, bool)
    p, adjusted = np.ones(steps), np.ones(steps)
    for turn in range(_ROUNDS):
        rng = np.random.default_rng([levels.seed, turn])
        found = _step_p(units, _centred(units, rejected), rejected, draws, rng)
        p = np.where(rejected, p, found)
        now = np.minimum(1.0, levels.runs * holm(np.where(rejected, np.nan, p)))
        new = now <= levels.alpha
        adjusted = np.where(rejected, adjusted, now)
        rejected = rejected | new
        if not new.any():
            break
    reason = ""
    if needed > _MOST_DRAWS:
        reason = f"underpowered: {steps} steps need {needed} draws, the null holds {_MOST_DRAWS}"
    return ContentTest(
        p, adjusted, rejected, name_records(units, rejected, levels.q),
        _false_rate(units, rejected, levels), reason,
    )  # fmt: skip


def _centred(units: Units, rejected: Mask) -> Floats:
    """Scores less the median of the normal units in the steps around, the step's own left out."""
    found = units.scores.copy()
    usable = units.norm & ~rejected[units.step]
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


def _step_p(
    units: Units, centred: Floats, rejected: Mask, draws: int, rng: np.random.Generator
) -> Floats:
    """p-values of all steps against batches of as many records drawn from the open steps."""
    pool = centred[~rejected[units.step]]
    held = np.bincount(units.step, minlength=len(rejected))
    p = np.ones(len(rejected))
    if not len(pool):
        return p
    nulls: dict[int, Null] = {}
    placed: dict[int, Floats] = {}
    for size in np.unique(held[held > 0]).tolist():
        nulls[size] = Null(pool, size, draws, rng)
        batches = [centred[units.of_step(t)] for t in np.flatnonzero(held == size).tolist()]
        placed[size] = nulls[size].place(statistics(np.stack(batches)))
    at = np.concatenate([np.flatnonzero(held == size) for size in placed])
    size_at = held[at]
    body = settled(np.concatenate(list(placed.values())))
    for size, null in nulls.items():
        p[at[size_at == size]] = null.p(body[size_at == size])
    return p


def name_records(
    units: Units, rejected: Mask, q: float
) -> dict[int, dict[int, tuple[float, float]]]:
    """Records of the rejected steps that are odd among the normal records of the others."""
    oddness = np.abs(_centred(units, rejected)).max(1)
    judged = np.flatnonzero(rejected[units.step])
    calibration = oddness[units.norm & ~rejected[units.step]]
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


def _false_rate(units: Units, rejected: Mask, levels: Levels) -> float:
    """Share of runs, the normal records dealt out to the steps anew, in which a step alarms."""
    normal = np.flatnonzero(units.norm & ~rejected[units.step])
    steps = len(np.unique(units.step[normal]))
    size = len(normal) // max(1, steps)
    if not size:
        return float("nan")
    rng = np.random.default_rng([levels.seed, 1_000])
    none, step = np.zeros(steps, bool), np.repeat(np.arange(steps), size)
    alarms, null = 0, None
    for _ in range(_DEALINGS):
        dealt = rng.permutation(normal)[: steps * size]
        again = Units(step, units.row[dealt], units.scores[dealt], units.norm[dealt])
        centred = _centred(again, none)
        # every dealing has the same records, so one null serves them all
        null = null or Null(centred, size, _LEAST_DRAWS, rng)
        placed = null.place(statistics(centred.reshape(steps, size, -1)))
        alarms += bool(null.p(settled(placed)).min() <= levels.alpha / levels.runs / steps)
    return alarms / _DEALINGS
