"""Train the proxy in the frozen order, and log every step."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.pipeline.ablation.history import History
from corpusgate.pipeline.ablation.replay import Tape
from corpusgate.pipeline.ablation.training import Trainer, schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch
    from numpy.typing import NDArray

    from corpusgate.pipeline.ablation.options import Pulse
    from corpusgate.pipeline.ablation.study import Study
    from corpusgate.pipeline.ablation.training import Snapshot

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Tick: TypeAlias = Callable[[int, int], None]

# snapshots of a run; 32 of the tiny size are 140 MB
_SNAPSHOTS = 32


@dataclass(frozen=True, eq=False)
class Course:
    """What a run is to go through."""

    batches: Sequence[Ints]
    """Slots of every step."""
    rates: Floats
    """Learning rate of every step."""
    probe: Ints
    """Slots of the probe."""


def train(study: Study, device: torch.device, pulse: Pulse | None, tick: Tick) -> Tape:
    """Train one view from the start to the end."""
    trainer = Trainer(study.slots, study.vocabulary.size, study.options, device)
    course = Course(study.batches, schedule(len(study.batches), pulse), study.probe)
    snapshots: list[Snapshot] = []
    history, nats = follow(trainer, course, tick, snapshots)
    return Tape(
        trainer, study.batches, course.rates, study.probe, snapshots, nats, history,
        study.cells, study.pool,
        study.content.rejected,
    )  # fmt: skip


def follow(
    trainer: Trainer, course: Course, tick: Tick, snapshots: list[Snapshot] | None = None
) -> tuple[History, list[Floats]]:
    """Train on from where the trainer stands: (curves, nats of each slot of each step).

    Args:
        trainer: at the step to go on from.
        course: of the whole run.
        tick: called with the steps done and their number.
        snapshots: if given, filled with states evenly spread over the run.
    """
    slots, batches = trainer.slots, course.batches
    stride = -(-len(batches) // _SNAPSHOTS)
    rows, nats = [], []
    while trainer.at < len(batches):
        t = trainer.at
        if snapshots is not None and t % stride == 0:
            snapshots.append(trainer.snapshot())
        before = trainer.mean(course.probe)
        stepped = trainer.step(batches[t], float(course.rates[t]))
        bits = stepped.nats.sum() / slots.bytes[batches[t]].sum() / np.log(2)
        rows.append((stepped.loss, bits, stepped.gradient, course.rates[t], before))
        nats.append(stepped.nats)
        tick(t + 1, len(batches))
    table = np.array(rows, np.float64).reshape(-1, len(fields(History)))
    return History(*table.T), nats
