"""Compare: clean splits are left in peace at the stated rate, drifted ones are found."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import asdict, replace

import generators
import numpy as np
import pytest
from counted_splits import Splits, compared, facts_of, histogram

from corpusgate.errors import InputError
from corpusgate.model import Comparison
from corpusgate.pipeline.compare import CompareOptions, SplitFacts, compare
from corpusgate.pipeline.compare_files import from_json, plots, to_json
from corpusgate.pipeline.document_groups import Grouping

SHIFTED: Splits = generators.token_shift({"seed": 3, "train": 200, "val": 80, "foreign": 0.3})


def test_tokens_drift_and_are_named() -> None:
    (shift,) = compared(SHIFTED).shifts
    tokens = shift.tokens
    assert tokens is not None
    assert (tokens.unit, tokens.groups, tokens.reference_groups) == ("words", 80, 200)
    assert (tokens.p, tokens.group_documents) == (0.005, 1)
    assert tokens.excess > 0.05
    named = {carrier.token: carrier for carrier in tokens.carriers}
    assert "f1" in named
    assert (named["f1"].reference_share, named["f1"].z > 5) == (0, True)
    assert len(named) <= CompareOptions().named
    bits = [carrier.bits for carrier in tokens.carriers]
    assert bits == sorted(bits, reverse=True)
    words = Counter(word for row in SHIFTED["val"] for word in row["text"].split())
    assert named["f1"].share == pytest.approx(words["f1"] / words.total())
    assert tokens.tokens == words.total()


def test_any_cut_gives_the_same_comparison() -> None:
    options = CompareOptions(grouping=Grouping(units=16), permutations=39)
    whole = to_json(compare(facts_of(SHIFTED, options), options))
    assert to_json(compare(facts_of(SHIFTED, options, parts=7), options)) == whole


def test_groups_of_documents_find_what_documents_do() -> None:
    options = CompareOptions(grouping=Grouping(units=32))
    (shift,) = compared(SHIFTED, options).shifts
    assert shift.tokens is not None
    assert (shift.tokens.group_documents, shift.tokens.p) == (4, 0.005)
    assert shift.tokens.excess > 0.05


@pytest.mark.parametrize("units", [4096, 16])
def test_random_halves_are_flagged_at_the_stated_rate(units: int) -> None:
    options = CompareOptions(grouping=Grouping(units=units))
    pile = generators.token_shift({"seed": 0, "train": 120, "val": 0, "foreign": 0})["train"]
    for i, row in enumerate(pile):
        row["label"] = "abc"[i % 3]
    p: dict[str, list[float]] = {"tokens": [], "lengths": [], "labels": []}
    named = 0
    for seed in range(60):
        random.Random(seed).shuffle(pile)
        (shift,) = compared({"train": pile[:80], "val": pile[80:]}, options).shifts
        assert shift.tokens is not None
        assert shift.labels is not None
        named += bool(shift.tokens.carriers)
        for name, found in (
            ("tokens", shift.tokens),
            ("lengths", shift.lengths[0]),
            ("labels", shift.labels),
        ):
            p[name].append(found.p)
    # of 60 at 0.05 are due 3, at 0.01 0.6; more than 8 and 4 come up in 1 of 200 such tests
    assert np.sum(np.array(p["tokens"]) <= 0.05) <= 8
    assert np.sum(np.array(p["tokens"]) <= 0.01) <= 4
    assert np.sum(np.array(p["lengths"]) <= 0.01) <= 4
    assert np.sum(np.array(p["labels"]) <= 0.01) <= 4
    assert named <= 2


def test_shorter_documents_of_the_same_words_are_no_token_drift() -> None:
    flagged = 0
    for seed in range(10):
        splits = generators.token_shift({"seed": seed, "train": 80, "val": 40, "foreign": 0})
        for row in splits["val"]:
            row["text"] = " ".join(row["text"].split()[:10])
        (shift,) = compared(splits).shifts
        assert shift.tokens is not None
        flagged += shift.tokens.p <= 0.05
    # 0.5 are due; as they are, all ten would be flagged
    assert flagged <= 2


def test_the_figures_of_lengths_and_labels() -> None:
    train = SplitFacts(4, {"characters": histogram([1, 2, 3, 4])}, Counter(a=3, b=1))
    val = SplitFacts(2, {"characters": histogram([3, 5])}, Counter(b=2))
    (shift,) = compare({"train": train, "val": val}).shifts
    (lengths,) = shift.lengths
    assert (lengths.ks, lengths.wasserstein) == (0.5, 1.5)
    assert (lengths.median, lengths.reference_median) == (4, 2.5)
    assert shift.labels is not None
    assert [(s.label, s.share, s.reference_share) for s in shift.labels.shares] == [
        ("a", 0, 0.75), ("b", 1, 0.25),
    ]  # fmt: skip
    assert (shift.labels.labelled, shift.labels.reference_labelled) == (2, 4)
    assert shift.labels.method == "permutation"
    assert shift.absent == {
        "tokens": "train has no token or word to count; val has no token or word to count"
    }


def test_what_cannot_be_compared_is_said() -> None:
    assert compare({}).absent == "no split was read"
    alone = compare({"train": SplitFacts(3)})
    assert alone.shifts == alone.charts == ()
    assert alone.absent == "train is the only split: there is nothing to hold against it"
    texts = [{"text": "one two", "label": "a"}, {"text": "two", "label": "b"}]
    (shift,) = compared({"val": [{"text": " "}] * 3, "train": texts}).shifts
    assert shift.split == "val"
    assert shift.tokens is shift.labels is None
    assert shift.absent == {
        "tokens": "val has no token or word to count",
        "labels": "val has no label",
    }
    nothing = compare({"train": SplitFacts(0), "val": SplitFacts(0)}).shifts[0]
    assert set(nothing.absent) == {"lengths", "tokens", "labels"}


def test_each_split_is_held_against_train() -> None:
    splits = {"test": SHIFTED["train"][:50], "train": SHIFTED["train"][50:], "val": SHIFTED["val"]}
    comparison = compared(splits)
    assert (comparison.reference, [s.split for s in comparison.shifts]) == (
        "train",
        ["test", "val"],
    )
    clean, drifted = (shift.tokens for shift in comparison.shifts)
    assert clean is not None
    assert drifted is not None
    assert clean.p > 0.05 > drifted.p


def test_names_and_labels_cannot_hide_in_what_is_shown() -> None:
    rows = [{"text": "\u202e\u202e x", "label": "a\u202e"} for _ in range(40)]
    plain = [{"text": "x y", "label": "b"} for _ in range(40)]
    comparison = compared({"train": plain, "val": rows})
    text = json.dumps(json.loads(to_json(comparison)), ensure_ascii=False)
    assert "\u202e" not in text
    assert "RLO" in text
    assert "\u202e" not in "".join(plots(comparison).values())


def test_files_come_back_as_they_were() -> None:
    labelled = generators.label_shift(
        {"seed": 1, "train": 60, "val": 40, "train_share": 0.9, "val_share": 0.2}
    )
    for splits in (SHIFTED, labelled, {"train": SHIFTED["train"]}):
        comparison = compared(splits)
        text = to_json(comparison)
        assert from_json(text) == comparison
        assert to_json(from_json(text)) == text
        assert asdict(comparison)["reference"] == "train"


@pytest.mark.parametrize("text", ["", "[]", '{"reference": "train"}', '{"reference": 1'])
def test_another_file_is_refused_by_name(text: str) -> None:
    with pytest.raises(InputError, match=r"here\.json is no comparison .*corpusgate compare"):
        from_json(text, "here.json")


def chart(comparison: Comparison, name: str) -> dict[str, list[tuple[float | str, float]]]:
    (found,) = (each for each in comparison.charts if each.name == name)
    series: dict[str, list[tuple[float | str, float]]] = {}
    for x, y, split in found.rows:
        series.setdefault(split, []).append((x, y))
    return series


def test_charts_share_their_bins_and_account_for_every_document() -> None:
    wide = {"train": [{"text": "a" * 3**i} for i in range(8)], "val": [{"text": ""}, {"text": "b"}]}
    for splits in (SHIFTED, wide):
        lines = chart(compared(splits), "lengths-characters")
        assert set(lines) == set(splits)
        edges = [[x for x, _ in line] for line in lines.values()]
        assert edges[0] == edges[1] == sorted(set(edges[0]))
        for line in lines.values():
            assert sum(y for _, y in line) == pytest.approx(1)
            assert line[-1][1] == 0
    assert [c.log_x for c in compared(wide).charts if c.kind == "steps"] == [True]
    assert [c.log_x for c in compared(SHIFTED).charts if c.kind == "steps"] == [False]


def test_labels_beyond_the_bars_are_one_bar() -> None:
    train = SplitFacts(100, labels=Counter({f"l{i:02d}": i + 1 for i in range(30)}))
    val = replace(train, labels=Counter({f"l{i:02d}": 30 - i for i in range(30)}))
    bars = chart(compare({"train": train, "val": val}), "labels")
    assert len(bars["val"]) == 13
    assert [name for name, _ in bars["train"]][-1] == "all other labels"
    for series in bars.values():
        assert sum(y for _, y in series) == pytest.approx(1)


def test_plots_are_csv_for_any_name_of_a_split() -> None:
    files = plots(compared({"train": SHIFTED["train"], "../v a\u202el": SHIFTED["val"]}))
    assert set(files) == {"lengths-characters.csv", "tokens-.._v_a_l.csv"}
    for text in files.values():
        assert text.splitlines()[0] == "x,y,series"


def test_two_splits_whose_names_make_one_file_name_have_a_file_each():
    splits = {"train": SHIFTED["train"], "a b": SHIFTED["val"], "a?b": SHIFTED["val"]}
    comparison = compared(splits)
    assert len(plots(comparison)) == len(comparison.charts)
    assert len({chart.name for chart in comparison.charts}) == len(comparison.charts)
