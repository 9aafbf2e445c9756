"""Label tests equal scipy's, hold their level where cells are sparse, and size the effect."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency, fisher_exact

from corpusgate.stats.contingency import contingency


def test_a_full_table_is_scipys() -> None:
    table = np.array([[120, 80, 44], [30, 41, 16]])
    found = contingency(*table, seed=0)
    scipy = chi2_contingency(table, correction=False)
    assert (found.method, found.merged, found.dof) == ("chi-square", 0, scipy.dof)
    assert found.chi2 == pytest.approx(scipy.statistic)
    assert found.p == pytest.approx(scipy.pvalue)
    assert found.cramers_v == pytest.approx(np.sqrt(scipy.statistic / table.sum()))


def test_a_sparse_table_is_dealt() -> None:
    table = np.array([[180, 4], [36, 4]])
    found = contingency(*table, seed=0)
    assert found.method == "permutation"
    # of two labels the deals are those of Fisher's exact test
    assert found.p == pytest.approx(fisher_exact(table).pvalue, abs=0.015)
    assert contingency(*table, seed=0) == found
    assert contingency(*table, seed=1).p != found.p


def test_sparse_tables_hold_their_level() -> None:
    rng = np.random.default_rng(3)
    shares = 1 / np.arange(1, 61)
    labels = rng.choice(60, 120, p=shares / shares.sum())
    p = []
    for seed in range(100):
        rng.shuffle(labels)
        sides = [np.bincount(side, minlength=60) for side in (labels[:90], labels[90:])]
        p.append(contingency(sides[0], sides[1], seed).p)
    # 5 of 100 are due; more than 11 come up in 1 of 200 such tests
    assert np.sum(np.array(p) <= 0.05) <= 11
    assert np.median(p) == pytest.approx(0.5, abs=0.2)


def test_fewer_records_than_labels_can_still_differ() -> None:
    train = np.full(100, 10)
    held_out = np.zeros(100, int)
    held_out[:3] = 7
    assert contingency(train, held_out, seed=0).p == pytest.approx(1 / 2000)


def test_the_effect_does_not_depend_on_sizes_or_on_the_number_of_labels() -> None:
    shares = np.array([[0.9, 0.1], [0.5, 0.5]])
    found = [
        contingency(*(shares * [[train], [val]]).astype(int), seed=0)
        for train, val in ((1000, 1000), (100_000, 1000))
    ]
    # Cohen's w of two equal groups: the square root of half the sum of (p - q)^2 / (p + q)
    expected = np.sqrt((0.16 / 1.4 + 0.16 / 0.6) / 2)
    assert [f.effect for f in found] == pytest.approx([expected, expected], abs=0.002)
    assert found[0].cramers_v == pytest.approx(expected, abs=0.002)
    assert found[1].cramers_v < 0.2
    rng = np.random.default_rng(0)
    many = rng.multinomial(400, np.full(200, 1 / 200), size=(10, 2))
    # 200 labels of 2 records each: as it is, w would be 0.5 by chance alone
    assert np.mean([contingency(*pair, seed=0).effect for pair in many]) < 0.15


def test_ends() -> None:
    alike = contingency(np.array([50, 50]), np.array([50, 50]), seed=0)
    assert (alike.p, alike.effect, alike.divergence) == (1.0, 0.0, 0.0)
    disjoint = contingency(np.array([1000, 0]), np.array([0, 1000]), seed=0)
    assert disjoint.effect == pytest.approx(1, abs=0.001)
    assert disjoint.divergence == 1
    one = contingency(np.array([70]), np.array([5]), seed=0)
    assert (one.p, one.dof, one.effect) == (1.0, 0, 0.0)


def test_free_texts_for_labels_are_bounded() -> None:
    first = np.zeros(6000, int)
    first[:3000] = 1
    found = contingency(first, 1 - first, seed=0)
    assert (found.dof, found.merged) == (1999, 4001)
    assert found.divergence == pytest.approx(1)
