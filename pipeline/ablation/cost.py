"""What an ablation will cost, before it starts: passes over the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.pipeline.ablation.options import GOAL_STEPS, MOST_PASSES
from corpusgate.pipeline.ablation.order import most_steps
from corpusgate.pipeline.ablation.study import PROBE

if TYPE_CHECKING:
    from corpusgate.pipeline.ablation.corpus import TrainingText
    from corpusgate.pipeline.ablation.options import AblateOptions

# a byte-level BPE of 2,048 tokens gives 2.5 to 4 bytes a token on English and Chinese text
BYTES_A_TOKEN = 3.0
# arms beside the run itself: without the named, without random ones, the clean copy
ARMS = 3
# one step looked into, in steps of training: 9 replays with the probe after each 15, scores of
# the steps around and of like records 11, the way from the last snapshot 5 (measured: 33)
REPLAY_STEPS = 33
# steps that stand out in a run of a corpus with noise in 5 % of its records (measured: 11 to 16)
CANDIDATES = 12


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
    # each step is trained on once and scores the probe, forward alone
    share = steps / a_pass * (1 + PROBE / options.batch / 3)
    sure, most = runs * share, (runs + arms) * share + CANDIDATES * REPLAY_STEPS / a_pass
    sentence = (
        f"ablate: about {steps:,} steps of {options.batch} x {options.block} tokens a run; "
        f"{sure:.1f} passes over the data, up to {most:.1f} if something stands out"
    )
    return Cost(steps, most, sentence)
