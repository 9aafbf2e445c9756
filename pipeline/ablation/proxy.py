"""Train the proxy in the frozen order, and log every step."""

from __future__ import annotations

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
    from corpusgate.pipeline.ablation.vocabulary import Slots

    Ints: TypeAlias = NDArray[np.int64]
    Tick: TypeAlias = Callable[[int, int], None]

# snapshots of a run; 32 of the tiny size are 140 MB
_SNAPSHOTS = 32


def trainer_of(study: Study, slots: Slots, device: torch.device) -> Trainer:
    """Fresh weights for a study's settings."""
    options = study.options
    return Trainer(
        slots,
        vocabulary=study.vocabulary.size,
        size=options.size,
        block=options.block,
        seed=options.seed,
        device=device,
    )


def train(study: Study, device: torch.device, pulse: Pulse | None, tick: Tick) -> Tape:
    """Train one view from the start to the end."""
    trainer = trainer_of(study, study.slots, device)
    steps = study.batches
    rates = schedule(len(steps), pulse)
    stride = -(-len(steps) // _SNAPSHOTS)
    snapshots: list[Snapshot] = []
    history, nats = follow(trainer, steps, rates, study.probe, tick, snapshots, stride)
    return Tape(
        trainer, steps, rates, study.probe, snapshots, nats, history, study.cells, study.pool
    )


def follow(
    trainer: Trainer,
    batches: Sequence[Ints],
    rates: NDArray[np.float64],
    probe: Ints,
    tick: Tick,
    snapshots: list[Snapshot] | None = None,
    stride: int = 1,
) -> tuple[History, list[NDArray[np.float64]]]:
    """Train on to the last batch; curves and slot losses from where the trainer stands.

    Args:
        trainer: at the step to go on from.
        batches: slots of every step of the run.
        rates: learning rate of every step of the run.
        probe: slots of the probe.
        tick: called with the steps done and their number.
        snapshots: filled with a snapshot before every `stride`-th step.
        stride: of the snapshots.
    """
    slots, rows, nats = trainer.slots, [], []
    while trainer.at < len(batches):
        t = trainer.at
        if snapshots is not None and t % stride == 0:
            snapshots.append(trainer.snapshot())
        before = trainer.mean(probe)
        stepped = trainer.step(batches[t], float(rates[t]))
        bits = stepped.nats.sum() / slots.bytes[batches[t]].sum() / np.log(2)
        rows.append((stepped.loss, bits, stepped.gradient, rates[t], before))
        nats.append(stepped.nats)
        tick(t + 1, len(batches))
    table = np.array(rows, np.float64).reshape(-1, 5)
    return History(*table.T), nats
