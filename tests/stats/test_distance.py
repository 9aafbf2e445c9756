"""Distances from counts equal those that scipy finds on the rows they count."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import ks_2samp, wasserstein_distance

from corpusgate.stats.distance import contributions, distance, jensen_shannon, median

LENGTHS = st.lists(st.integers(0, 40), min_size=1, max_size=60)


def histogram(rows: list[int]) -> tuple[np.ndarray, np.ndarray]:
    values, counts = np.unique(np.array(rows, np.int64), return_counts=True)
    return values, counts


@given(LENGTHS, LENGTHS)
def test_distances_of_rows_and_of_their_counts_are_the_same(a: list[int], b: list[int]) -> None:
    found = distance(histogram(a), histogram(b))
    rows = ks_2samp(a, b, method="exact")
    assert found.ks == pytest.approx(rows.statistic)
    assert found.p == pytest.approx(rows.pvalue, abs=1e-9)
    assert found.wasserstein == pytest.approx(wasserstein_distance(a, b))
    assert median(histogram(a)) == pytest.approx(np.median(a))


def test_the_order_of_values_does_not_matter() -> None:
    a, b = histogram([1, 1, 5, 9]), histogram([2, 7])
    turned = a[0][::-1], a[1][::-1]
    assert distance(turned, b) == distance(a, b)
    assert median(turned) == median(a)


def test_a_billion_documents_are_no_more_work_than_three() -> None:
    values = np.array([10, 20, 30], np.int64)
    big = np.array([500_000_000, 300_000_000, 200_000_000], np.int64)
    found = distance((values, big), (values, big + np.array([10_000, 0, 0])))
    assert found.ks < 1e-5
    assert 0 <= found.p <= 1


def test_of_many_documents_the_p_is_the_asymptotic_one() -> None:
    a, b = [*range(200)] * 2, [*range(12, 212)]
    found = distance(histogram(a), histogram(b))
    assert found.p == pytest.approx(ks_2samp(a, b, method="asymp").pvalue, abs=1e-9)


def test_one_document_proves_nothing() -> None:
    found = distance(histogram([3]), histogram([8]))
    assert (found.ks, found.wasserstein, found.p) == (1, 5, 1)
    # the one stands at either end of the twenty-one in 2 of 21 orders
    assert distance(histogram([*range(20)]), histogram([99])).p == pytest.approx(2 / 21)


def test_the_median_of_nothing_is_not_a_number() -> None:
    nothing = np.zeros(0, np.int64)
    assert math.isnan(median((nothing, nothing)))


COUNTS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30)


@given(COUNTS)
def test_divergence_is_scipys_squared(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs).T
    found = float(jensen_shannon(first, second))
    if first.sum() and second.sum():
        expected = jensenshannon(first, second, base=2) ** 2
        assert found == pytest.approx(np.nan_to_num(expected), abs=1e-9)
    assert found == pytest.approx(float(jensen_shannon(second, first)))
    assert contributions(first, second).sum() == pytest.approx(found)


def test_divergence_runs_from_0_to_1_and_over_rows() -> None:
    table = np.array([[1, 1, 0, 0], [0, 0, 2, 2], [3, 3, 0, 0]])
    assert jensen_shannon(table, table[0]).tolist() == [0, 1, 0]
    assert (contributions(table, table[0]) >= 0).all()
