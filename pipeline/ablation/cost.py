"""What an ablation will cost, before it starts: passes over the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.pipeline.ablation.options import GOAL_STEPS, MOST_PASSES
from corpusgate.pipeline.ablation.order import most_steps

if TYPE_CHECKING:
    from corpusgate.pipeline.ablation.corpus import TrainingText
    from corpusgate.pipeline.ablation.options import AblateOptions

# a byte-level BPE of 2,048 tokens gives 2.5 to 4 bytes a token on English and Chinese text
BYTES_A_TOKEN = 3.0
# arms beside the run itself: without the named, without random ones, the clean copy
ARMS = 3
# replays of a candidate, in steps: as it was, 9 replacements, a tenth of the rate, over 8 steps
REPLAY_STEPS = 90
CANDIDATES = 3


@dataclass(frozen=True)
class Cost:
    """Steps of a run and passes over the data that all runs may take, at most."""

    steps: int
    passes: float
    sentence: str


def plan(text: TrainingText, options: AblateOptions) -> Cost:
    """An estimate from the sizes of the records: nothing is tokenized or trained yet."""
    width = options.block * BYTES_A_TOKEN
    slots = sum(max(1, -(-len(t.encode("utf-8", "replace")) // int(width))) for t in text.raw)
    a_pass = max(1, -(-slots // options.batch))
    times = options.passes or max(1, min(MOST_PASSES, -(-GOAL_STEPS // a_pass)))
    steps = min(a_pass * times, most_steps(options))
    runs = 1 + bool(options.pulse)
    arms = ARMS if options.confirm else 0
    share = steps / a_pass
    sure, most = runs * share, (runs + arms) * share + CANDIDATES * REPLAY_STEPS / a_pass
    sentence = (
        f"ablate: about {steps:,} steps of {options.batch} x {options.block} tokens a run; "
        f"{sure:.1f} passes over the data, up to {most:.1f} if something stands out"
    )
    return Cost(steps, most, sentence)
