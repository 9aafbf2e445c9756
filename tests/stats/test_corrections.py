"""Corrections for many tests: what they promise, on values and on nulls."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from corpusgate.stats.corrections import benjamini_hochberg, conformal_p, draws_needed, holm

P = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40)


@given(P, st.floats(0.001, 0.5))
def test_holm_rejects_what_its_steps_reject(p: list[float], alpha: float) -> None:
    rejected = set()
    for k, i in enumerate(np.argsort(p, kind="stable").tolist()):
        if p[i] * (len(p) - k) > alpha:
            break
        rejected.add(i)
    assert set(np.flatnonzero(holm(p) <= alpha).tolist()) == rejected


@given(P)
def test_holm_lies_between_the_value_and_bonferroni(p: list[float]) -> None:
    adjusted = holm(p)
    assert np.all(adjusted >= p)
    assert np.all(adjusted <= np.minimum(1, np.array(p) * len(p)) + 1e-12)
    assert np.all(np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0)


def test_holm_leaves_out_what_was_not_tested_and_knows_a_larger_family() -> None:
    adjusted = holm([0.01, np.nan, 0.02])
    assert adjusted[[0, 2]] == pytest.approx([0.02, 0.02])
    assert np.isnan(adjusted[1])
    assert holm([0.01], tests=5) == pytest.approx([0.05])
    assert holm([]).shape == (0,)


def test_holm_holds_its_family_wise_error() -> None:
    rng = np.random.default_rng(0)
    wrong = np.mean([holm(rng.random(50)).min() <= 0.05 for _ in range(2000)])
    assert 0.035 <= wrong <= 0.065  # three standard errors about .05


@given(P)
def test_q_values_are_scipys(p: list[float]) -> None:
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))


@given(P)
def test_q_values_keep_the_order_of_p(p: list[float]) -> None:
    q = benjamini_hochberg(p)
    assert np.all(np.diff(q[np.argsort(p, kind="stable")]) >= -1e-15)
    assert np.all(q >= np.array(p) - 1e-15)


@given(st.lists(st.integers(-5, 5), min_size=0, max_size=30), st.integers(-6, 6))
def test_conformal_p_counts_scores_at_least_as_high(held: list[int], score: int) -> None:
    above = sum(h >= score for h in held)
    assert conformal_p([score], held)[0] == pytest.approx((1 + above) / (1 + len(held)))


def test_conformal_p_of_like_scores_is_at_most_its_level() -> None:
    rng = np.random.default_rng(1)
    p = np.concatenate([conformal_p(rng.normal(size=20), rng.normal(size=99)) for _ in range(300)])
    for level in (0.01, 0.05, 0.2):
        assert np.mean(p <= level) <= level + 3 * np.sqrt(level / len(p)) + 0.01


@given(st.integers(1, 5000), st.floats(0.001, 0.2))
def test_a_null_of_the_draws_needed_can_just_reject(tests: int, alpha: float) -> None:
    draws = draws_needed(tests, alpha)
    assert tests / (draws + 1) <= alpha * (1 + 1e-6)
    assert draws == 0 or tests / draws > alpha * (1 - 1e-6)
