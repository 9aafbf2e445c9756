"""Groups of documents: the same in any cut, equal in both splits, bounded; counts add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.errors import ConfigError
from corpusgate.model import record_ids
from corpusgate.pipeline.document_groups import (
    LEFT_OUT,
    GroupCounts,
    Grouping,
    align,
    count_tokens,
    count_words,
    group_of,
    reference_of,
)
from corpusgate.text.words import word_ids, words

SMALL = Grouping(units=16, documents=100_000)


def ids(number: int, seed: int = 1) -> np.ndarray:
    return record_ids(seed, np.arange(number))


def one_token_each(split: str, documents: dict[str, int], grouping: Grouping) -> GroupCounts:
    """Counts of a split whose every document is the token 7, once."""
    number = documents[split]
    groups = group_of(ids(number, len(split)), split, documents, grouping)
    return count_tokens(groups, [[7]] * number, grouping)


def test_a_record_has_its_group_in_any_cut_and_order() -> None:
    documents = {"train": 5000, "val": 800}
    whole = group_of(ids(5000), "train", documents, SMALL)
    cuts = np.array_split(ids(5000), 23)
    parts = [group_of(cut, "train", documents, SMALL) for cut in cuts]
    assert (np.concatenate(parts) == whole).all()
    assert (group_of(ids(5000)[::-1], "train", documents, SMALL)[::-1] == whole).all()
    other = group_of(ids(5000), "train", documents, Grouping(units=16, documents=100_000, seed=2))
    both = (other != LEFT_OUT) & (whole != LEFT_OUT)
    assert both.sum() > 100
    assert (other == whole)[both].mean() < 0.1


def test_in_small_splits_each_document_is_a_group() -> None:
    documents = {"train": 3000, "val": 400, "test": 0}
    for split in ("train", "val"):
        groups = group_of(ids(documents[split]), split, documents, Grouping())
        assert len(np.unique(groups)) == documents[split]
        assert groups.min() >= 0
    assert len(group_of(ids(0), "test", documents, Grouping())) == 0


@pytest.mark.parametrize(("train", "val"), [(40, 12), (5000, 700), (700, 5000), (9000, 33)])
def test_groups_are_of_equal_size_in_both_splits(train: int, val: int) -> None:
    documents = {"train": train, "val": val}
    sides = [one_token_each(split, documents, SMALL) for split in documents]
    counts, second, vocabulary = align(sides[0], sides[1], (train, val), SMALL)
    assert vocabulary.tolist() == [7]
    assert max(second.sum(), (~second).sum()) <= 2 * SMALL.units
    sizes = counts.toarray()[:, 0]
    expected = 1 << SMALL.level(val)
    if expected == 1:
        assert set(sizes) == {1}
        assert second.sum() == val
    else:
        for side in (second, ~second):
            # a group of 2**j hashed documents varies by the root of that
            error = 4 * np.sqrt(expected / side.sum())
            assert sizes[side].mean() == pytest.approx(expected, abs=error)
        assert second.sum() >= SMALL.units / 2 - 1  # one may be empty
    # no more of a split than it holds, no less than the groups would take
    assert sizes[second].sum() >= val - 2 * expected - 4 * np.sqrt(expected)


def test_a_huge_train_is_sampled_and_a_tiny_split_is_still_compared_finely() -> None:
    documents = {"train": 3_000_000, "val": 60_000, "test": 200}
    grouping = Grouping(units=64, documents=20_000)
    sample = record_ids(9, np.arange(300_000))
    groups = group_of(sample, "train", documents, grouping)
    # of 300,000 of 3,000,000 a tenth of the sample
    assert (groups != LEFT_OUT).sum() == pytest.approx(2000, rel=0.1)
    assert grouping.sampled("train", documents) == 20_000
    assert grouping.sampled("test", documents) == 200
    distinct = np.unique(groups[groups != LEFT_OUT])
    assert len(distinct) < 64 + 32 * 9
    assert (grouping.level(60_000), grouping.level(200)) == (9, 2)
    # val is sampled up to the bound, train no further than val's groups can use
    assert grouping.sampled("train", {"train": 3_000_000, "val": 70}) == 128
    assert grouping.sampled("train", {"train": 3_000_000}) == 64


def test_bounds_that_cannot_be_are_refused() -> None:
    for wrong in ({"units": 100}, {"units": 0}, {"documents": 0}, {"tokens": 0}):
        with pytest.raises(ConfigError):
            Grouping(**wrong)


def test_the_reference_is_train_or_the_first() -> None:
    assert reference_of(["val", "train"]) == "train"
    assert reference_of(["b", "a"]) == "b"


TEXTS = st.lists(st.text("ab \u6f22\ud800", max_size=8), max_size=12)


@given(TEXTS, st.randoms(use_true_random=False))
def test_counts_of_parts_add_up_in_any_order(texts: list[str], random: object) -> None:
    documents = {"train": len(texts)}
    groups = group_of(ids(len(texts)), "train", documents, Grouping())
    whole = count_words(groups, texts, Grouping())
    parts = [count_words(groups[[i]], [text], Grouping()) for i, text in enumerate(texts)]
    random.shuffle(parts)  # type: ignore[attr-defined]
    for total in (GroupCounts.total(parts), sum(parts, GroupCounts())):
        for name in ("groups", "token", "count"):
            assert getattr(total, name).tolist() == getattr(whole, name).tolist()
        assert list(total.names.items()) == list(whole.names.items())
    assert whole.count.sum() == sum(len(words(text)) for text in texts)


def test_names_are_of_a_sample_of_documents() -> None:
    number = 3000
    texts = [f"every w{i}" for i in range(number)]
    documents = {"train": number, "val": number}
    groups = group_of(ids(number), "train", documents, Grouping())
    counts = count_words(groups, texts, Grouping())
    assert len(np.unique(counts.token)) == number + 1
    # of places below 1,024 of 3,000
    assert len(counts.names) == pytest.approx(1024, rel=0.1)
    assert "every" in counts.names.values()
    assert counts.names == dict(zip(word_ids(n := counts.names.values()), n, strict=True))


def test_only_the_start_of_a_document_is_counted() -> None:
    grouping = Grouping(tokens=3)
    groups = np.zeros(1, np.int64)
    assert count_words(groups, ["a a a b " * 9], grouping).count.tolist() == [3]
    assert count_tokens(groups, [[5, 5, 5, 6]], grouping).count.tolist() == [3]
    left_out = np.array([LEFT_OUT])
    assert len(count_words(left_out, ["a"], grouping).count) == 0


def test_words_and_tokens_do_not_add_up() -> None:
    groups = np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="tokens and words"):
        count_words(groups, ["a"], Grouping()) + count_tokens(groups, [[1]], Grouping())
    assert GroupCounts.total([]).unit is None
