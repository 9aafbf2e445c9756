"""Curves of an ablation for the page and for `dvc plots`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusgate.model import Chart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpusgate.model import Ablation, Spike

SECTION: Final = "spikes"
WORDED = 4
"""Marks that are told in words; of more, only the step."""
TITLES = {
    "raw": "Loss of the proxy on the data as they are",
    "pulse": "Control: the same proxy under a fault of the learning rate",
}
ARMS = {
    "raw": "all records",
    "without-named": "without the named records",
    "without-random": "without as many random ones",
    "clean": "the clean copy",
}


def charts(found: Ablation) -> tuple[Chart, ...]:
    """A curve for each run, and one that compares the arms of the confirmation."""
    return (*_runs(found), *_arms(found))


def _runs(found: Ablation) -> Iterator[Chart]:
    for run in found.runs:
        if not run.steps:
            continue
        spikes = [s for s in found.spikes if s.run == run.name and s.verdict != "chance"]
        rows = tuple((float(s.step), s.bits, "bits per byte") for s in run.steps)
        yield Chart(
            f"loss-{run.name}",
            "lines",
            TITLES.get(run.name, f"Loss of run {run.name}"),
            _told(spikes),
            "step",
            "bits per byte",
            rows,
            marks=_marks(spikes),
            section=SECTION,
        )


def _marks(spikes: Sequence[Spike]) -> tuple[tuple[float, str], ...]:
    """Steps to point at; with words as long as there is room for them."""
    if len(spikes) > WORDED:
        return tuple((float(s.step), str(s.step)) for s in spikes)
    return tuple((float(s.step), f"step {s.step}: {s.verdict}") for s in spikes)


def _told(spikes: Sequence[Spike]) -> str:
    if not spikes:
        return "No step stands out beyond chance."
    steps = ", ".join(str(s.step) for s in spikes)
    word = "step" if len(spikes) == 1 else "steps"
    return f"What stands out, at {word} {steps}, has its verdict above."


def _arms(found: Ablation) -> Iterator[Chart]:
    arms = {arm.name: arm for arm in found.arms}
    if not {"raw", "without-named"} <= set(arms):
        return
    named = found.verdicts("data", "both")
    for other in ("without-named", "clean", "without-random"):
        if other not in arms:
            continue
        rows = [
            (float(step), value, ARMS[name])
            for name in ("raw", other)
            for step, value in enumerate(arms[name].bits)
        ]
        yield Chart(
            f"loss-{other}",
            "lines",
            f"Trained again: {ARMS[other]}",
            _height(found, other),
            "step",
            "bits per byte",
            tuple(rows),
            marks=_marks(named),
            section=SECTION,
        )


def _height(found: Ablation, other: str) -> str:
    arms = {arm.name: arm for arm in found.arms}
    before, after = arms["raw"].height, arms[other].height
    if before is None or after is None:
        return "The same order with other records in the named places."
    return (
        f"The spikes stand {before:+.2f} bits per byte off their surroundings with all records "
        f"and {after:+.2f} with {ARMS[other]}."
    )
