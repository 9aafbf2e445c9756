"""The drift test: its level, its power, whom it names, and that length alone does not fool it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_array

from corpusgate.stats.distance import jensen_shannon
from corpusgate.stats.permutation import Permuted, permute, thin

VOCABULARY = 300


def documents(rng: np.random.Generator, number: int, tokens: float, boost: int = 0) -> np.ndarray:
    """Documents with a topic each: a token that came once comes again."""
    shares = 1 / np.arange(1, VOCABULARY + 1)
    shares[:5] *= 1 + boost
    topics = rng.dirichlet(12 * shares / shares.sum() + 1e-9, number)
    return np.array([rng.multinomial(rng.poisson(tokens), topic) for topic in topics])


def drift(first: np.ndarray, second: np.ndarray, seed: int = 0, *, like: bool = True) -> Permuted:
    counts = csr_array(np.concatenate([first, second]))
    side = np.arange(counts.shape[0]) >= len(first)
    tested = (counts.toarray() > 0).sum(axis=0) >= 10
    return permute(thin(counts, side, seed) if like else counts, side, tested, 199, seed)


def test_clean_halves_are_flagged_as_often_as_stated_and_named_never_more() -> None:
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        found.append(drift(documents(rng, 60, 30), documents(rng, 30, 30), seed))
    p = np.array([each.p for each in found])
    # of 60, 3 and 0.6 are due; more than 8 and 4 come up in 1 of 200 such tests
    assert np.sum(p <= 0.05) <= 8
    assert np.sum(p <= 0.01) <= 4
    assert np.mean([each.excess for each in found]) == pytest.approx(0, abs=0.002)
    assert sum(bool((each.token_p <= 0.05).any()) for each in found) <= 8


def test_a_test_of_tokens_would_flag_what_documents_explain() -> None:
    # the reason for all this: chi-square takes the tokens of a document for independent
    from scipy.stats import chi2_contingency

    flagged = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        sides = [documents(rng, 60, 30).sum(axis=0) for _ in range(2)]
        table = np.array(sides)[:, (sides[0] > 5) & (sides[1] > 5)]
        flagged += chi2_contingency(table).pvalue <= 0.01
    assert flagged >= 9


def test_a_drift_is_found_and_its_tokens_named() -> None:
    rng = np.random.default_rng(1)
    found = drift(documents(rng, 100, 40), documents(rng, 60, 40, boost=2))
    assert found.p == pytest.approx(0.005)
    assert found.excess > 0.005
    named = np.flatnonzero(found.token_p <= 0.05)
    assert set(named) & {0, 1, 2, 3, 4}
    assert (found.z[:5] > 0).all()


@pytest.mark.parametrize("tokens", [(150, 15), (15, 150), (40, 34)])
def test_lengths_alone_are_no_drift(tokens: tuple[int, int]) -> None:
    p, raw = [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        sides = documents(rng, 80, tokens[0]), documents(rng, 40, tokens[1])
        p.append(drift(*sides, seed).p)
        raw.append(drift(*sides, seed, like=False).p)
    assert np.sum(np.array(p) <= 0.05) <= 3
    if tokens == (150, 15):
        assert np.sum(np.array(raw) <= 0.05) >= 10


def test_thinning_takes_only_from_the_longer() -> None:
    rng = np.random.default_rng(0)
    counts = csr_array(np.concatenate([documents(rng, 50, 80), documents(rng, 20, 20)]))
    side = np.arange(70) >= 50
    thinned = thin(counts, side, 0)
    assert (thinned[side] != counts[side]).nnz == 0
    assert (thinned.toarray() <= counts.toarray()).all()
    assert thinned.sum(axis=1)[~side].mean() == pytest.approx(20, rel=0.1)
    assert counts.sum(axis=1)[~side].mean() > 70


def test_small_sets_agree_with_every_deal() -> None:
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 5, (8, 6))
    side = np.arange(8) >= 5
    everything = []
    for chosen in combinations(range(8), 3):
        mask = np.isin(np.arange(8), chosen)
        everything.append(float(jensen_shannon(counts[~mask].sum(0), counts[mask].sum(0))))
    exact = np.mean(np.array(everything) >= everything[-1] - 1e-12)
    found = permute(csr_array(counts), side, np.ones(6, bool), 4999, 0)
    assert found.divergence == pytest.approx(everything[-1])
    assert found.p == pytest.approx(exact, abs=0.03)
    assert found.excess == pytest.approx(everything[-1] - np.mean(everything), abs=0.005)


def test_z_is_standard_over_deals() -> None:
    rng = np.random.default_rng(2)
    counts = csr_array(documents(rng, 40, 30))
    z = []
    for seed in range(300):
        side = np.zeros(40, bool)
        side[np.random.default_rng(seed).permutation(40)[:13]] = True
        z.append(permute(counts, side, np.ones(VOCABULARY, bool), 1, 0).z[:20])
    assert np.mean(z, axis=0) == pytest.approx(np.zeros(20), abs=0.25)
    assert np.std(z, axis=0) == pytest.approx(np.ones(20), abs=0.2)


def test_deals_that_tie_are_counted() -> None:
    # no two documents share a token: every deal has a divergence of 1, up to rounding
    found = permute(csr_array(np.eye(30, dtype=int)), np.arange(30) >= 20, np.ones(30, bool), 99, 0)
    assert (found.p, found.divergence) == (1.0, pytest.approx(1))
    assert found.excess == pytest.approx(0, abs=1e-12)
    alike = permute(csr_array(np.ones((9, 4), int)), np.arange(9) >= 5, np.ones(4, bool), 99, 0)
    assert (alike.p, alike.z.tolist()) == (1.0, [0.0] * 4)


def test_untested_tokens_are_not_named() -> None:
    rng = np.random.default_rng(1)
    counts = csr_array(np.concatenate([documents(rng, 60, 40), documents(rng, 40, 40, boost=4)]))
    nothing = permute(counts, np.arange(100) >= 60, np.zeros(VOCABULARY, bool), 19, 0)
    assert (nothing.token_p == 1).all()
