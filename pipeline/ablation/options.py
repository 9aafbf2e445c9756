"""Settings of an ablation, each limit with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from corpusgate.errors import ConfigError
from corpusgate.pipeline.ablation.corpus import View

Size: TypeAlias = Literal["tiny", "small"]
Device: TypeAlias = Literal["auto", "cpu", "cuda"]


@dataclass(frozen=True)
class Pulse:
    """A learning-rate fault made on purpose: `width` steps at `factor` times the rate."""

    step: int
    width: int = 3
    factor: float = 60.0
    """The measured control pulses were x60 to x150 for 3 steps (docs/ablate.md)."""
    view: View = "clean"
    """What the run trains on: the clean copy, where the data cannot be at fault, or raw."""


@dataclass(frozen=True)
class AblateOptions:
    """What to train, in which order, and how much to spend on the verdicts."""

    order: str = "shuffled:0"
    """"file", "shuffled:SEED", or the path of a .parquet or .jsonl of record ids."""
    batch: int = 16
    block: int = 128
    """Tokens of a slot; a longer record takes several."""
    size: Size = "tiny"
    vocabulary: int = 2048
    seed: int = 0
    device: Device = "auto"
    smoke: bool = False
    """A few dozen steps, to see that it runs; its verdicts are underpowered."""
    alpha: float = 0.05
    """Family-wise error that all verdicts of one audit share."""
    q: float = 0.02
    """False share among the named records; at .02 the measured precision was near 1."""
    replays: int = 9
    """Replays of a suspect step with random records in its place."""
    blind: bool = False
    """Withhold what other checks found, from the reference and from the verdict."""
    confirm: bool = True
    """Train again without the named records, where records are named."""
    passes: int | None = None
    """Times over the data; None takes as many as reach 80 steps, at most 4."""
    max_steps: int = 600
    """Steps of one run; the records that do not fit are left out, and the result says so."""
    pulse: Pulse | None = None
    """If given, a second run on the clean view under this fault: the control."""

    def __post_init__(self) -> None:
        smallest = {"batch": 2, "block": 8, "vocabulary": 257, "replays": 2, "max_steps": 1}
        for name, least in smallest.items():
            if getattr(self, name) < least:
                raise ConfigError(
                    "ablate-option",
                    f"ablate: {name} is {getattr(self, name)}, give at least {least}",
                )
        for name in ("alpha", "q"):
            if not 0 < getattr(self, name) < 1:
                raise ConfigError(
                    "ablate-option", f"ablate: {name} is {getattr(self, name)}, give 0 < {name} < 1"
                )


# what --smoke cuts a run to
SMOKE_STEPS = 36
# enough for the trailing line (40 steps) and a null from other steps' records
ENOUGH_STEPS = 60
# a run that repeats its data more often than this learns it by heart
MOST_PASSES = 4
# steps that a short corpus is repeated to reach
GOAL_STEPS = 80
