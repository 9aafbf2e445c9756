"""Robust lines, scores and intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, theilslopes

from corpusgate.stats.robust import (
    bootstrap_interval,
    detrended_z,
    normal_scores,
    theil_sen,
)

VALUES = st.lists(st.integers(-1000, 1000).map(lambda v: v / 8), min_size=2, max_size=40)


@given(VALUES)
def test_the_slope_is_scipys(values: list[float]) -> None:
    slope, _ = theil_sen(values)
    assert slope == pytest.approx(theilslopes(values).slope)


@given(st.floats(-3, 3), st.floats(-9, 9), st.sets(st.integers(0, 29), max_size=6))
def test_a_fifth_of_wild_values_does_not_move_the_line(
    slope: float, start: float, wild: set[int]
) -> None:
    line = start + slope * np.arange(30)
    spoilt = line.copy()
    spoilt[sorted(wild)] += 1e6
    found = theil_sen(spoilt)
    clean = [i for i in range(30) if i not in wild]
    assert found[0] == pytest.approx(slope, abs=1e-6)
    assert np.median(spoilt[clean] - found[1] - found[0] * np.array(clean)) == pytest.approx(
        0, abs=1e-5
    )


def test_what_is_missing_is_left_out_of_the_line() -> None:
    line = 2.0 - 0.5 * np.arange(12)
    line[[3, 7]] = np.nan
    assert theil_sen(line) == pytest.approx((-0.5, 2.0))
    assert theil_sen([5.0]) == (0.0, 5.0)
    assert np.isnan(theil_sen([np.nan])[1])


def test_a_step_out_of_a_falling_line_stands_out_either_way_and_alone() -> None:
    rng = np.random.default_rng(2)
    curve = 6 - 0.02 * np.arange(100) + rng.normal(0, 0.05, 100)
    for height in (0.6, -0.6):
        spoilt = curve.copy()
        spoilt[70] += height
        residual, z = detrended_z(spoilt, 40, 20)
        assert residual[70] == pytest.approx(height, abs=0.2)
        assert np.flatnonzero(np.abs(z) > 5).tolist() == [70]
        assert np.sign(z[70]) == np.sign(height)


@given(st.integers(0, 10_000))
def test_no_value_looks_ahead(seed: int) -> None:
    curve = np.random.default_rng(seed).normal(size=60)
    changed = curve.copy()
    changed[45:] += 100
    assert np.array_equal(detrended_z(curve, 30, 10)[1][:45], detrended_z(changed, 30, 10)[1][:45])


def test_few_values_missing_ones_and_small_spreads_are_not_odd() -> None:
    curve = np.ones(40)
    curve[30] = np.nan
    curve[39] = 1.001
    _, z = detrended_z(curve, 20, 10, floor=0.01)
    assert np.all(z[:39] == 0)
    assert z[39] == pytest.approx(0.1)
    assert detrended_z([3.0, 9.0], 20, 10)[1].tolist() == [0, 0]


@given(VALUES, st.lists(st.integers(-2000, 2000).map(lambda v: v / 8), min_size=2, max_size=20))
def test_normal_scores_keep_the_order(pool: list[float], values: list[float]) -> None:
    score = normal_scores(values, pool)
    order = np.argsort(values, kind="stable")
    assert np.all(np.diff(score[order]) >= -1e-9)
    assert np.isfinite(score).all()


def test_scores_of_the_pool_are_normal_and_a_far_value_says_how_far() -> None:
    pool = np.random.default_rng(3).exponential(size=4000)
    score = normal_scores(pool, pool)
    assert np.mean(score) == pytest.approx(0, abs=0.03)
    inside = np.quantile(score, [0.05, 0.5, 0.95])
    assert inside == pytest.approx(norm.ppf([0.05, 0.5, 0.95]), abs=0.05)
    near, far = normal_scores([8.0, 80.0], pool)
    assert 2 < near < far / 5
    assert normal_scores([1.0, 2.0], []).tolist() == [0, 0]


def test_the_interval_covers_the_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    held = 0
    for seed in range(400):
        low, high = bootstrap_interval(rng.exponential(size=60), level=0.9, draws=300, seed=seed)
        held += low <= 1.0 <= high
    assert 0.84 <= held / 400 <= 0.94
    assert np.isnan(bootstrap_interval([])).all()
    assert bootstrap_interval([2.0, 2.0]) == (2.0, 2.0)
    assert bootstrap_interval([1, 2, 5], seed=1) == bootstrap_interval([1, 2, 5], seed=1)
