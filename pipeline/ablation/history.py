"""What a run logs, and the steps of it that stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.stats.robust import detrended_z

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Mask: TypeAlias = NDArray[np.bool_]

# steps before one that its line is drawn through, and the fewest (measured prototype)
_WINDOW, _LEAST = 40, 20
# robust z that makes a step a candidate: losses either way, gradient and probe upward
# (measured: 1 to 8 false candidates in 4,000 clean steps, each of which must still earn its
# verdict)
_LOSS_Z, _OTHER_Z = 5.0, 6.0
# spreads below which a wiggle means nothing: losses (a quarter of the measured spread
# between batches, .18 bits per byte), log of the gradient norm, probe (measured prototype)
_LOSS_FLOOR, _GRADIENT_FLOOR, _PROBE_FLOOR = 0.045, 0.1, 0.015
# nats by which a probe that rose says that the weights were damaged (measured: optimizer
# faults .27 to 74, bad records at most .004 on long texts)
RISE = 0.08
# steps before one among which the probe's lowest point is looked for
RISE_WINDOW = 12
# candidates this close are one incident
_CLOSE = 6
# steps at an incident's start among which its step is the most extreme one
_HEAD = 3


@dataclass(frozen=True, eq=False)
class History:
    """Curves of one run, one value a step, each taken before the step was learned from."""

    loss: Floats
    bits: Floats
    gradient: Floats
    rate: Floats
    probe: Floats

    def __len__(self) -> int:
        return len(self.loss)


@dataclass(frozen=True, eq=False)
class Screened:
    """Robust z of the curves, and the rise of the probe."""

    z: dict[str, Floats]
    rise: Floats
    """Probe above its lowest point of the 12 steps before, nats."""
    flagged: Mask

    def loudest(self, step: int) -> tuple[str, float]:
        """The curve that stands out most at a step, with its z."""
        name = max(sorted(self.z), key=lambda k: abs(float(self.z[k][step])))
        return name, float(self.z[name][step])


def screen(history: History) -> Screened:
    """Steps whose curves leave the line through the steps before them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log_gradient = np.log(history.gradient)
    z = {
        "bits per byte": detrended_z(history.bits, _WINDOW, _LEAST, _LOSS_FLOOR)[1],
        "loss": detrended_z(history.loss, _WINDOW, _LEAST, _LOSS_FLOOR)[1],
        "gradient norm": detrended_z(log_gradient, _WINDOW, _LEAST, _GRADIENT_FLOOR)[1],
        "probe loss": detrended_z(history.probe, _WINDOW, _LEAST, _PROBE_FLOOR)[1],
    }
    probe = history.probe
    rise = np.array(
        [probe[t] - np.min(probe[max(0, t - RISE_WINDOW) : t + 1]) for t in range(len(probe))]
    )
    flagged = (
        (np.abs(z["bits per byte"]) > _LOSS_Z)
        | (np.abs(z["loss"]) > _LOSS_Z)
        | (z["gradient norm"] > _OTHER_Z)
        | (z["probe loss"] > _OTHER_Z)
        | ~np.isfinite(history.loss + history.gradient + history.probe)
    )
    return Screened(z, np.nan_to_num(rise), flagged)


def incidents(history: History, screened: Screened, rejected: Mask) -> list[int]:
    """Steps to look into: those whose content was rejected, and the head of every other stir.

    What follows an incident before the probe is back where it was belongs to it: a state
    in disorder makes more than one step stand out.
    """
    steps = np.flatnonzero(rejected).tolist()
    loud = np.max(np.abs(np.stack(list(screened.z.values()))), axis=0)
    stirs: list[list[int]] = []
    for t in np.flatnonzero(screened.flagged & ~rejected).tolist():
        if rejected[max(0, t - _CLOSE) : t].any() and not _rate_departs(history, t):
            continue
        same = bool(stirs) and (t - stirs[-1][-1] <= _CLOSE or not _calm(history, stirs[-1][0], t))
        # where the probe begins to rise a graver incident begins, whatever stirred before
        if same and not screened.rise[t] >= RISE > screened.rise[stirs[-1]].max():
            stirs[-1].append(t)
        else:
            stirs.append([t])
    for stir in stirs:
        head = [t for t in stir if t <= stir[0] + _HEAD]
        steps.append(max(head, key=lambda t: float(np.nan_to_num(loud[t], nan=np.inf))))
    return sorted(steps)


def rate_ratio(history: History, step: int) -> float:
    """Largest learning rate of the 6 steps up to one, over the median of its neighbours."""
    near = history.rate[max(0, step - _CLOSE) : step + 1]
    usual = np.median(history.rate[max(0, step - 25) : step + 26])
    return float(near.max() / usual) if usual else float("inf")


# times its neighbours' rate that no schedule reaches in 25 steps after warm-up
RATE_DEPARTS = 2.0


def _rate_departs(history: History, step: int) -> bool:
    return rate_ratio(history, step) > RATE_DEPARTS


def _calm(history: History, start: int, step: int) -> bool:
    """Whether the probe came back to where it stood before an incident."""
    before = np.min(history.probe[max(0, start - RISE_WINDOW) : start + 1])
    return bool(np.nanmin(history.probe[start + 1 : step + 1], initial=np.inf) < before + RISE)
