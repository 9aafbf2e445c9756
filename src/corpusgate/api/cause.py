"""The cause in one sentence or three: what an ablation says of a corpus as a whole."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.model import Ablation, Arm, Spike

RUN, CONTROL = "raw", "pulse"
SHOWN = 12
"""Steps that the sentence names."""


def cause(ablation: Ablation | None) -> str:
    """What the spikes of the proxy come from; empty where none stands out beyond chance."""
    if ablation is None:
        return ""
    own = [s for s in ablation.spikes if s.run == RUN and s.verdict != "chance"]
    data = [s for s in own if s.verdict in ("data", "both")]
    parts = [_data(ablation, data), _confirmed(ablation)] if data else [s.sentence for s in own[:1]]
    return " ".join(part for part in (*parts, _control(ablation)) if part)


def _data(ablation: Ablation, spikes: Sequence[Spike]) -> str:
    steps = ", ".join(str(s.step) for s in spikes[:SHOWN])
    more = f" and {len(spikes) - SHOWN} more" if len(spikes) > SHOWN else ""
    effect = median(s.effect for s in spikes if s.effect is not None)
    p = max(s.p for s in spikes if s.p is not None)
    checks = sorted({check for named in ablation.named for check in named.checks})
    flagged = sum(bool(named.checks) for named in ablation.named)
    known = f", {flagged:,} of them flagged by {' and '.join(checks)}" if checks else ""
    one = len(spikes) == 1
    return (
        f"The loss of the proxy spikes at {'step' if one else 'steps'} {steps}{more} because of "
        f"the records of {'that batch' if one else 'those batches'}: {effect:+.2f} bits per byte "
        f"against like records, p at most {p:.2g} over all steps. {len(ablation.named):,} records "
        f"are named{known}."
    )


def _confirmed(ablation: Ablation) -> str:
    """What training again without the named records, and on the clean copy, came to."""
    arms = {arm.name: arm for arm in ablation.arms}
    before, without = _height(arms.get("raw")), _height(arms.get("without-named"))
    if before is None or without is None:
        return ""
    sentence = (
        f"Trained again without them the spikes are {_word(arms['without-named'], before)} "
        f"({without:+.2f} bits per byte off their surroundings instead of {before:+.2f})"
    )
    clean, chance = _height(arms.get("clean")), _height(arms.get("without-random"))
    if clean is not None:
        sentence += f", on the clean copy {_word(arms['clean'], before)} ({clean:+.2f})"
    if chance is not None:
        sentence += f"; without as many random records they stay ({chance:+.2f})"
    return sentence + "."


def _height(arm: Arm | None) -> float | None:
    return None if arm is None else arm.height


def _word(arm: Arm, before: float) -> str:
    """Gone: no farther off than steps are as a rule; a stated word for each case."""
    if arm.height is None:
        return "not measured"
    if arm.usual is not None and abs(arm.height) <= 2 * abs(arm.usual):
        return "gone"
    return "smaller" if abs(arm.height) < abs(before) / 2 else "still there"


def _control(ablation: Ablation) -> str:
    """What the control run shows, where there is one."""
    if ablation.run(CONTROL) is None:
        return ""
    spikes = [s for s in ablation.spikes if s.run == CONTROL and s.verdict != "chance"]
    if not spikes:
        return "In the control, a fault of the learning rate made on purpose, nothing stood out."
    if any(s.verdict in ("data", "both") for s in spikes):
        return "In the control a spike was taken for the data: do not trust these verdicts."
    return (
        "A fault of the learning rate, made on purpose on the clean copy, was told apart "
        f"(step {spikes[0].step}: {spikes[0].verdict}, not the data)."
    )
