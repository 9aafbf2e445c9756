"""Train, find the spikes, say what they come from, and show it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.errors import MissingExtraError
from corpusgate.model.ablation import Ablation, OrderSlot
from corpusgate.pipeline.ablation.order import record_order
from corpusgate.pipeline.ablation.study import Study
from corpusgate.pipeline.ablation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch
    from numpy.typing import NDArray

    from corpusgate.model.ablation import Arm
    from corpusgate.pipeline.ablation.corpus import TrainingText
    from corpusgate.pipeline.ablation.inquiry import Inquiry
    from corpusgate.pipeline.ablation.options import AblateOptions
    from corpusgate.pipeline.ablation.replay import Tape

    Progress: TypeAlias = Callable[[str, int, int], None]


def ablate(
    text: TrainingText, options: AblateOptions, progress: Progress | None = None
) -> Ablation:
    """Train the proxy on the raw view in a frozen order and judge every spike.

    The same text and options give the same result to the bit on one CPU and build. On CUDA
    deterministic kernels are asked for, but that path has never run on a GPU.

    Args:
        text: the records of one split.
        options: what to train and how much to spend.
        progress: called with the name of the stage, what is done and what there is to do.

    Raises:
        MissingExtraError: torch is not installed.
        ConfigError: the order or the device cannot be followed.
        InputError: the file of the order cannot be read.
    """
    try:
        from corpusgate.pipeline.ablation.training import pick_device, single_thread
    except ImportError as error:
        raise MissingExtraError.of("torch", "train", "ablate") from error

    device = pick_device(options.device)
    rows = record_order(text, options)
    if not len(rows):
        why = "underpowered: there is no record to train on"
        return Ablation(alpha=options.alpha, underpowered=why, settings=_settings(options))
    left_out = len(text) - len(np.unique(rows))
    kept, rows = np.unique(rows, return_inverse=True)
    text = text.take(kept.tolist())
    with single_thread(device):
        return _Work(text, rows, options, device, progress or _silent).done(left_out)


def _silent(stage: str, done: int, total: int) -> None:
    """No progress to show."""


@dataclass(frozen=True, eq=False)
class _Work:
    """One ablation at work."""

    text: TrainingText
    rows: NDArray[np.int64]
    options: AblateOptions
    device: torch.device
    progress: Progress

    def done(self, left_out: int) -> Ablation:
        """All runs, in order."""
        options = self.options
        self.progress("ablate: content", 0, 1)
        vocabulary = Vocabulary.train(self.text.raw, options.vocabulary)
        study = Study.of(self.text, self.rows, "raw", vocabulary, options)
        self.progress("ablate: content", 1, 1)
        found, tape, spent = self._run("raw", study)
        arms, confirming = self._confirm(study, tape, found)
        inquiries, notes = [found], self._notes(study, found, left_out)
        spent += confirming
        control, reason = self._control(vocabulary)
        if control:
            inquiries.append(control[0])
            spent += control[1]
        a_pass = len(np.unique(np.concatenate(study.batches)))
        return Ablation(
            order=_order(study),
            runs=tuple(i.run for i in inquiries),
            spikes=tuple(spike for i in inquiries for spike in i.spikes),
            named=found.named,
            arms=arms,
            passes=round(spent / a_pass, 2),
            alpha=options.alpha,
            false_rate=_number(study.content.false_rate),
            underpowered=study.underpowered,
            settings=_settings(options, study, tape),
            notes=tuple(note for note in (*notes, reason) if note),
        )

    def _run(self, name: str, study: Study) -> tuple[Inquiry, Tape, float]:
        """Train one view and look into what stands out; also the slots worked through."""
        from corpusgate.pipeline.ablation.inquiry import inquire
        from corpusgate.pipeline.ablation.proxy import train

        pulse = self.options.pulse if name == "pulse" else None
        tape = train(study, self.device, pulse, partial(self.progress, f"ablate: train {name}"))
        found = inquire(name, study, tape, partial(self.progress, f"ablate: replay {name}"))
        return found, tape, tape.trainer.trained + tape.trainer.scored / 3

    def _control(self, vocabulary: Vocabulary) -> tuple[tuple[Inquiry, float] | None, str]:
        """The run under a pulse on the clean view, or why there is none."""
        pulse = self.options.pulse
        if not pulse:
            return None, ""
        texts = self.text.view(pulse.view)
        rows = self.rows[[texts[row] is not None for row in self.rows.tolist()]]
        if not len(rows):
            return None, "control not run: the clean copy holds no record"
        study = Study.of(self.text, rows, pulse.view, vocabulary, self.options)
        if pulse.step + pulse.width >= len(study.batches):
            steps = len(study.batches)
            return (
                None,
                f"control not run: the pulse at step {pulse.step} lies beyond {steps} steps",
            )
        found, _, spent = self._run("pulse", study)
        return (found, spent), ""

    def _confirm(self, study: Study, tape: Tape, found: Inquiry) -> tuple[tuple[Arm, ...], float]:
        """The arms of the confirmation, where there is something to confirm."""
        if not self.options.confirm or not found.rows:
            return (), 0.0
        from corpusgate.pipeline.ablation.confirm import confirm

        tick = partial(self.progress, "ablate: confirm")
        return confirm(study, tape, found.rows, self.device, tick)

    def _notes(self, study: Study, found: Inquiry, left_out: int) -> list[str]:
        """What a reader of the verdicts must know about how they were reached."""
        options, content, notes = self.options, study.content, []
        if left_out:
            total = left_out + len(self.text)
            notes.append(
                f"{left_out} of {total} records were left out: {len(study.batches)} steps of "
                f"{options.batch} are the most one run may take (max_steps)"
            )
        if options.blind:
            notes.append("blind: what other checks found was withheld from reference and verdict")
        if not study.underpowered:
            sound = study.sound[study.slots.row]
            clean = [t for t, batch in enumerate(study.batches) if sound[batch].all()]
            notes.append(
                f"the content test alarmed on {int(content.rejected[clean].sum())} of "
                f"{len(clean)} steps without a flagged record, and in "
                f"{100 * content.false_rate:.0f} % of runs with the sound records dealt out anew "
                f"(limit {100 * options.alpha:.0f} % over all runs)"
            )
        if found.spikes and not found.exact:
            notes.append("a replayed step did not come out as it was logged: verdicts are unsafe")
        return notes


def _order(study: Study) -> tuple[OrderSlot, ...]:
    """The frozen order, one row a place."""
    text, slots = study.text, study.slots
    return tuple(
        OrderSlot(
            step,
            place,
            text.id[row],
            text.source[row],
            text.record[row],
            int(slots.start[i]),
            int(slots.end[i]),
            int(slots.length[i]),
            int(slots.bytes[i]),
            text.stratum[row],
        )
        for step, batch in enumerate(study.batches)
        for place, i in enumerate(batch.tolist())
        for row in (int(slots.row[i]),)
    )


def _settings(
    options: AblateOptions, study: Study | None = None, tape: Tape | None = None
) -> tuple[tuple[str, str], ...]:
    """The options, and what they came to."""
    given = [(f.name, str(getattr(options, f.name))) for f in fields(options) if f.name != "pulse"]
    if options.pulse:
        pulse = options.pulse
        given.append(("pulse", f"step {pulse.step}, {pulse.width} steps, x {pulse.factor:g}"))
    if study and tape:
        given += [
            ("steps", str(len(study.batches))),
            ("times over the data", str(study.passes)),
            ("tokens known", str(study.vocabulary.size)),
            ("weights", str(sum(w.numel() for w in tape.trainer.weights))),
            ("sound records", f"{int(study.sound.sum())} of {len(study.text)}"),
        ]
    return tuple(given)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
