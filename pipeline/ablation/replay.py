"""Rewind to a step and replay it: as it was, with other records, at another rate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.pipeline.ablation.history import RISE, RISE_WINDOW
from corpusgate.pipeline.ablation.verdict import ARMS, EARLY, Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from corpusgate.pipeline.ablation.cells import Cells
    from corpusgate.pipeline.ablation.history import History
    from corpusgate.pipeline.ablation.training import Snapshot, Trainer

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

# batches of like records that a batch is held against at its state
_DRAWS = 16
# steps replayed with other records, up to the suspect one (frozen rule, docs/ablate.md)
_SPAN = 6
# steps after one that may show a change that stays (frozen rule)
_NEXT = 8
# steps after which a fresh model tells odd records from usual ones: its bits per byte have
# gone two thirds of their way (measured)
_READY = 60
# the low-rate arm; x 0.3 parted the causes less cleanly (docs/ablate.md)
_LOW = 0.1
# two-sided 99 % point of a normal: a next step this far off is odd; batches of one kind
# spread by at least this, bits per byte (measured)
_FAR, _LEAST_SPREAD = 2.576, 0.05


@dataclass(frozen=True, eq=False)
class Replayed:
    """What the replays of one step showed."""

    bits: Effect
    nats: Effect
    harm: Effect
    arms: int | None
    low_rate: float | None
    persists: float
    exact: bool
    """Whether the step came out as it was logged, to the bit."""


@dataclass(frozen=True, eq=False)
class Tape:
    """A finished run, and all that is needed to go back into it."""

    trainer: Trainer
    batches: Sequence[Ints]
    rates: Floats
    probe: Ints
    snapshots: Sequence[Snapshot]
    nats: Sequence[Floats]
    """Nats of each slot of each step, as logged."""
    history: History
    cells: Cells
    pool: Mask
    """Slots that may stand in for others: normal, and in no rejected step."""
    rejected: Mask
    """Steps whose content is odd."""

    def replay(self, step: int, rise: float, replays: int, rng: np.random.Generator) -> Replayed:
        """Everything about one step, from the state before it."""
        trainer = self.trainer
        trainer.reach(step, self.snapshots, self.batches, self.rates)
        state = trainer.snapshot()
        batch = self.batches[step]
        exact = bool(np.array_equal(trainer.score(batch), self.nats[step]))
        persists = self._persists(step)
        draws = self._like(batch, max(_DRAWS, replays), rng)
        harm = self._harm(state, step, draws[:replays])
        trainer.restore(self._bystander if step < EARLY else state)
        own = trainer.score(batch)
        scored, place = np.unique(draws, return_inverse=True)
        others = trainer.score(scored)[place].reshape(draws.shape)
        bits = self._effect(batch, own, draws, others, per_byte=True)
        nats = self._effect(batch, own, draws, others, per_byte=False)
        arms, low = self._arms(step, rng) if rise >= RISE else (None, None)
        return Replayed(bits, nats, harm, arms, low, persists, exact)

    @cached_property
    def _bystander(self) -> Snapshot:
        """Weights that can tell odd from usual, yet never saw a step whose content is odd.

        In the first steps a model finds every batch alike. So what it was fed there is fed
        to a run that had other records in all rejected steps.
        """
        rng = np.random.default_rng(len(self.batches))
        self.trainer.restore(self.snapshots[0])
        while self.trainer.at < min(_READY, len(self.batches)):
            t = self.trainer.at
            batch = self._like(self.batches[t], 1, rng)[0] if self.rejected[t] else self.batches[t]
            self.trainer.step(batch, float(self.rates[t]))
        return self.trainer.snapshot()

    def _like(self, batch: Ints, count: int, rng: np.random.Generator) -> Ints:
        """Slots to stand in for each of a batch, shape (count, batch)."""
        columns = []
        for slot in batch.tolist():
            found = self.cells.members(slot, self.pool)
            found = found if len(found) else np.array([slot])
            columns.append(found[rng.integers(0, len(found), count)])
        return np.stack(columns, axis=1)

    def _size(self, rows: Ints, *, per_byte: bool) -> Floats:
        slots = self.trainer.slots
        return slots.bytes[rows] * np.log(2) if per_byte else slots.length[rows].astype(np.float64)

    def _effect(
        self, batch: Ints, own: Floats, draws: Ints, others: Floats, *, per_byte: bool
    ) -> Effect:
        """The batch's loss less that of the draws."""
        usual = others.sum(1) / self._size(draws, per_byte=per_byte).sum(1)
        return _against(float(own.sum() / self._size(batch, per_byte=per_byte).sum()), usual)

    def _persists(self, step: int) -> float:
        """Share of the next steps that, at this state, are far above the steps just before.

        A grouped order shows here: what comes is unlike what was, and stays so.
        """
        past = self._bits(range(max(0, step - _NEXT), step))
        following = self._bits(range(step, min(len(self.batches), step + _NEXT)))
        if min(len(past), len(following)) < _NEXT:
            return 0.0
        spread = max(float(past.std(ddof=1)), float(following.std(ddof=1)), _LEAST_SPREAD)
        far = past.mean() + _FAR * spread
        return float((following > far).mean())

    def _bits(self, steps: Iterable[int]) -> Floats:
        """Bits per byte of some steps' batches at the state the trainer is in."""
        return np.array(
            [
                self.trainer.score(b).sum() / self._size(b, per_byte=True).sum()
                for b in (self.batches[t] for t in steps)
            ]
        )

    def _harm(self, state: Snapshot, step: int, draws: Ints) -> Effect:
        """Clean-probe loss after the step less that after steps on like records."""
        after = []
        for batch in (self.batches[step], *draws):
            self.trainer.restore(state)
            self.trainer.step(batch, float(self.rates[step]))
            after.append(self.trainer.mean(self.probe))
        return _against(after[0], np.array(after[1:]))

    def _arms(self, step: int, rng: np.random.Generator) -> tuple[int, float]:
        """(replays with random records whose probe rises too, share a low rate leaves)."""
        start = max(0, step - _SPAN)
        trainer, probe = self.trainer, self.history.probe
        trainer.reach(start, self.snapshots, self.batches, self.rates)
        state = trainer.snapshot()
        base = float(np.min(probe[max(0, step - RISE_WINDOW) : step + 1]))

        def rise(batches: Sequence[Ints], share: float) -> float:
            trainer.restore(state)
            for t, batch in enumerate(batches, start):
                trainer.step(batch, share * float(self.rates[t]))
            return trainer.mean(self.probe) - base

        as_was = self.batches[start:step]
        likes = [self._like(batch, ARMS, rng) for batch in as_was]
        risen = sum(rise([like[a] for like in likes], 1.0) >= RISE for a in range(ARMS))
        return risen, rise(as_was, _LOW) / max(float(probe[step]) - base, 1e-9)


def _against(value: float, draws: Floats) -> Effect:
    """A value less the mean of draws, with the interval of one more draw by Student's t."""
    from scipy.special import stdtrit

    count = len(draws)
    spread = float(draws.std(ddof=1))
    half = float(stdtrit(count - 1, 0.975)) * spread * np.sqrt(1 + 1 / count)
    away = value - float(draws.mean())
    return Effect(away, away - half, away + half, spread)
