"""Confirmation: the same run without the named records, without random ones, on the clean copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.model.ablation import Arm
from corpusgate.pipeline.ablation.proxy import Course, follow
from corpusgate.pipeline.ablation.training import Trainer
from corpusgate.pipeline.ablation.vocabulary import Slots
from corpusgate.stats.robust import bootstrap_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch
    from numpy.typing import NDArray

    from corpusgate.pipeline.ablation.replay import Tape
    from corpusgate.pipeline.ablation.study import Study

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Tick: TypeAlias = Callable[[int, int], None]

# steps before and after a data step that say what its height is measured from
_AROUND = 8
ARM_NAMES = ("raw", "without-named", "without-random", "clean")


def confirm(
    study: Study, tape: Tape, named: Sequence[int], device: torch.device, tick: Tick
) -> tuple[tuple[Arm, ...], float]:
    """(the four arms, slots worked through; a forward pass alone counts a third).

    A slot taken from a record goes to another of like length and source, so that every arm
    has the same steps and only the content differs. An arm starts from the last snapshot
    before its first difference: until then it is the raw run to the bit.
    """
    rng = np.random.default_rng([study.options.seed, 5])
    spoilt = sorted(
        {t for t, b in enumerate(study.batches) if np.isin(study.slots.row[b], named).any()}
    )
    random = _like_records(study, named, rng)
    plans = [
        ("without-named", study.slots, *_without(study, named, rng)),
        ("without-random", study.slots, *_without(study, random, rng)),
        ("clean", *_clean(study, rng)),
    ]
    was = tape.history
    arms = [_arm("raw", 0, np.stack([was.loss, was.bits, was.probe]), spoilt)]
    spent = 0.0
    for number, (name, slots, batches, replaced) in enumerate(plans):
        trainer = Trainer(slots, study.vocabulary.size, study.options, device)
        first = _first_difference(study, slots, batches)
        start = max((s for s in tape.snapshots if s.step <= first), key=lambda s: s.step)
        trainer.restore(start)
        probe = tape.probe if slots is study.slots else _matched(study.slots, slots)[tape.probe]

        def on(done: int, total: int, number: int = number) -> None:
            tick(number * total + done, len(plans) * total)

        went, _ = follow(trainer, Course(batches, tape.rates, probe[probe >= 0]), on)
        before = np.stack([was.loss, was.bits, was.probe])[:, : start.step]
        curves = np.concatenate([before, np.stack([went.loss, went.bits, went.probe])], axis=1)
        arms.append(_arm(name, replaced, curves, spoilt))
        spent += trainer.trained + trainer.scored / 3
    return tuple(arms), spent


def _arm(name: str, replaced: int, curves: Floats, spoilt: Sequence[int]) -> Arm:
    """One arm's curves, shape (3, steps), and how far its data steps lie from their neighbours."""
    loss, bits, probe = curves
    calm = np.ones(len(bits), bool)
    calm[list(spoilt)] = False
    away = np.full(len(bits), np.nan)
    for t in range(len(bits)):
        near = np.arange(max(0, t - _AROUND), min(len(bits), t + _AROUND + 1))
        near = near[calm[near] & (near != t)]
        if len(near):
            away[t] = abs(bits[t] - np.median(bits[near]))
    return Arm(
        name, replaced, tuple(loss.tolist()), tuple(bits.tolist()), tuple(probe.tolist()),
        _mean(away[~calm]), _mean(away[calm]), _interval(away[~calm]),
    )  # fmt: skip


def _interval(values: Floats) -> tuple[float, float] | None:
    """Bootstrap interval of a height over the data steps."""
    found = values[np.isfinite(values)]
    return bootstrap_interval(found) if len(found) else None


def _mean(values: Floats) -> float | None:
    found = values[np.isfinite(values)]
    return float(found.mean()) if len(found) else None


def _like_records(study: Study, named: Sequence[int], rng: np.random.Generator) -> list[int]:
    """As many records as named, each like one of them, none named and none twice."""
    taken = np.isin(study.slots.row, named)
    picked: list[int] = []
    for row in named:
        slot = int(np.flatnonzero(study.slots.row == row)[0])
        found = study.cells.members(slot, study.pool & ~taken)
        found = found[~taken[found]]
        if len(found):
            chosen = int(study.slots.row[found[rng.integers(len(found))]])
            picked.append(chosen)
            taken |= study.slots.row == chosen
    return picked


def _without(
    study: Study, rows: Sequence[int], rng: np.random.Generator
) -> tuple[tuple[Ints, ...], int]:
    """(batches with the slots of some records given to others, slots given away)."""
    gone = np.isin(study.slots.row, rows)
    return _refilled(study, gone, rng)


def _refilled(
    study: Study, gone: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[tuple[Ints, ...], int]:
    batches, replaced = [], 0
    for batch in study.batches:
        filled = batch.copy()
        for place in np.flatnonzero(gone[batch]).tolist():
            found = study.cells.members(int(batch[place]), study.pool & ~gone)
            if len(found):
                filled[place] = found[rng.integers(len(found))]
                replaced += 1
        batches.append(filled)
    return tuple(batches), replaced


def _clean(study: Study, rng: np.random.Generator) -> tuple[Slots, tuple[Ints, ...], int]:
    """The clean copy in the same order; what it does not hold goes to other records."""
    texts = [text or None for text in study.text.clean]  # no loader trains on an empty text
    slots = Slots.of(texts, study.vocabulary, study.options.block)
    place = _matched(study.slots, slots)
    batches, replaced = _refilled(study, place < 0, rng)
    held = np.flatnonzero(place >= 0)
    safe = np.where(place >= 0, place, place[held[0]] if len(held) else 0)
    return slots, tuple(safe[batch] for batch in batches), replaced


def _matched(old: Slots, new: Slots) -> Ints:
    """For each slot of one view the slot of the same record and window in another, or -1."""
    found = {
        (r, w): i
        for i, (r, w) in enumerate(zip(new.row.tolist(), new.window.tolist(), strict=True))
    }
    return np.array(
        [found.get(key, -1) for key in zip(old.row.tolist(), old.window.tolist(), strict=True)],
        np.int64,
    )


def _first_difference(study: Study, slots: Slots, batches: Sequence[Ints]) -> int:
    """The first step whose batch is not the raw run's, token for token."""
    for t, (was, now) in enumerate(zip(study.batches, batches, strict=True)):
        if not np.array_equal(study.slots.targets[was], slots.targets[now]):
            return t
    return len(batches)
