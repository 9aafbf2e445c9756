"""Each verdict needs its own evidence; candidates are found and grouped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from corpusgate.pipeline.ablation.history import History, incidents, rate_ratio, screen
from corpusgate.pipeline.ablation.verdict import Effect, StepEvidence, judge, reasons, sentence

NOTHING = Effect(0.02, -0.2, 0.24, 0.1)
SPIKE = Effect(1.2, 0.9, 1.5, 0.1)
QUIET = StepEvidence(
    step=80, tests=200, curve="loss", z=5.5, p=0.3, adjusted=1.0, rejected=False, bits=NOTHING,
    nats=NOTHING, rise=0.0, probe_z=0.0, rate_ratio=1.0, arms=None, low_rate=None, mix_p=0.5,
    off_share=0.0, persists=0.0, harm=NOTHING, batch=16, named=0, explained=0, checks=(),
    known=True, kin_share=0.05, finite=True, underpowered="", blind=False,
)  # fmt: skip
ODD = replace(
    QUIET, p=1e-5, adjusted=0.002, rejected=True, bits=SPIKE, named=12, explained=11,
    checks=("control-chars",),
)  # fmt: skip
BROKEN = replace(QUIET, rise=2.0, probe_z=40.0, arms=5, low_rate=0.1)
HEALED = {"rise": 0.3, "probe_z": 9.0, "arms": 0, "low_rate": 0.9}


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        (QUIET, "chance"),
        (ODD, "data"),
        (replace(ODD, bits=NOTHING, nats=SPIKE), "data"),
        (replace(ODD, bits=Effect(-1.2, -1.5, -0.9, 0.1)), "data"),
        (replace(ODD, **HEALED), "data"),
        # each condition of DATA alone
        (replace(ODD, rejected=False, adjusted=0.1), "inconclusive"),
        (replace(ODD, bits=NOTHING), "inconclusive"),
        (replace(ODD, bits=Effect(0.05, 0.04, 0.06, 0.001)), "inconclusive"),
        (replace(ODD, bits=Effect(0.5, 0.1, 0.9, 0.4)), "inconclusive"),
        (replace(ODD, rise=0.3, probe_z=9.0, arms=3, low_rate=0.9), "inconclusive"),
        (replace(ODD, explained=5), "inconclusive"),
        (replace(ODD, named=0, explained=0), "inconclusive"),
        (replace(ODD, known=False), "inconclusive"),
        (replace(ODD, known=False, explained=0, blind=True), "data"),
        # the learning rate: the probe, random records, the rate
        (BROKEN, "optimizer"),
        (replace(BROKEN, low_rate=0.9, rate_ratio=60.0), "optimizer"),
        (replace(BROKEN, low_rate=0.9), "inconclusive"),
        (replace(BROKEN, arms=3), "inconclusive"),
        (replace(BROKEN, rise=0.07), "chance"),
        (replace(BROKEN, rise=0.1, probe_z=3.0), "chance"),
        (replace(BROKEN, rise=0.1, probe_z=3.0, step=10), "optimizer"),
        (replace(ODD, rise=2.0, probe_z=40.0, arms=5, low_rate=0.1), "both"),
        (replace(ODD, rise=2.0, probe_z=40.0, arms=5, low_rate=0.1, explained=0), "optimizer"),
        # mix and order
        (replace(QUIET, mix_p=1e-4), "mix"),
        (replace(QUIET, mix_p=1e-4, off_share=0.5), "order"),
        (replace(QUIET, persists=0.75), "order"),
        (replace(ODD, persists=0.75, mix_p=1e-4, off_share=0.5), "data"),
        (replace(QUIET, adjusted=0.1), "inconclusive"),
        (replace(BROKEN, finite=False), "numerics"),
        (replace(ODD, underpowered="underpowered: 12 steps"), "inconclusive"),
        (replace(BROKEN, underpowered="underpowered: 12 steps"), "inconclusive"),
    ],
)
def test_a_verdict_needs_all_of_its_evidence(evidence: StepEvidence, verdict: str) -> None:
    found, why = judge(evidence)
    assert found == verdict
    said = sentence("raw", evidence, found, why)
    assert said.startswith(f"Step {evidence.step} of run raw: ")
    assert said.endswith(".")
    if verdict in ("optimizer", "mix", "order", "chance"):
        assert "not" in said
        assert "named" not in said
    notes = {note.name: note.value for note in reasons(evidence, why)}
    assert notes["rule"] == why
    assert notes["named"] == f"{evidence.named} of 16"


def curves(steps: int = 120, seed: int = 0) -> History:
    rng = np.random.default_rng(seed)
    at = np.arange(steps)
    down = 3 * np.exp(-at / 30)
    return History(
        loss=4 + down + rng.normal(0, 0.05, steps),
        bits=2 + down / 2 + rng.normal(0, 0.05, steps),
        gradient=np.exp(rng.normal(0, 0.1, steps)),
        rate=np.linspace(3e-3, 3e-4, steps),
        probe=4 + down,
    )


NONE = np.zeros(120, bool)


def test_smooth_curves_have_no_candidates() -> None:
    history = curves()
    assert incidents(history, screen(history), NONE) == []


@pytest.mark.parametrize("name", ["loss", "bits", "gradient", "probe"])
def test_a_step_that_leaves_any_curve_is_a_candidate(name: str) -> None:
    history = curves()
    curve = getattr(history, name).copy()
    curve[70] *= 3
    history = replace(history, **{name: curve})
    assert incidents(history, screen(history), NONE) == [70]


def test_a_dip_of_the_loss_counts_and_one_of_the_gradient_does_not() -> None:
    history = curves()
    bits, gradient = history.bits.copy(), history.gradient.copy()
    bits[60] -= 1.5
    gradient[90] /= 30
    history = replace(history, bits=bits, gradient=gradient)
    assert incidents(history, screen(history), NONE) == [60]


def test_an_incident_lasts_until_the_probe_is_back() -> None:
    history = curves()
    probe, loss = history.probe.copy(), history.loss.copy()
    probe[61:] += np.linspace(3, 0.2, 59)
    loss[61:] += np.linspace(3, 0.2, 59)
    loss[[75, 100]] += 4
    history = replace(history, probe=probe, loss=loss)
    found = screen(history)
    assert found.rise[61] == pytest.approx(3, abs=0.2)
    steps = incidents(history, found, NONE)
    assert len(steps) == 1
    assert 61 <= steps[0] <= 64


def test_a_rise_of_the_probe_is_an_incident_of_its_own() -> None:
    history = curves()
    probe, gradient = history.probe.copy(), history.gradient.copy()
    gradient[[58, 60]] *= 30
    probe[62:] += np.linspace(3, 0.2, 58)
    history = replace(history, probe=probe, gradient=gradient)
    steps = incidents(history, screen(history), NONE)
    assert len(steps) == 2
    assert steps[0] in (58, 60)
    assert 62 <= steps[1] <= 65


def test_odd_content_is_looked_into_and_its_wake_is_not() -> None:
    history = curves()
    loss = history.loss.copy()
    loss[[51, 53]] += 2
    history = replace(history, loss=loss)
    rejected = NONE.copy()
    rejected[[3, 51]] = True
    assert incidents(history, screen(history), rejected) == [3, 51]
    rate = history.rate.copy()
    rate[50:53] *= 60
    hot = replace(history, rate=rate)
    assert rate_ratio(hot, 53) > 50
    assert rate_ratio(history, 53) < 2
    assert incidents(hot, screen(hot), rejected) == [3, 51, 53]


def test_what_is_no_number_is_a_candidate() -> None:
    history = curves()
    loss, gradient = history.loss.copy(), history.gradient.copy()
    loss[40], gradient[40] = np.nan, np.inf
    history = replace(history, loss=loss, gradient=gradient)
    assert incidents(history, screen(history), NONE) == [40]
