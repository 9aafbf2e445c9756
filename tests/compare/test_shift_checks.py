"""The checks of shifts: their pages, their limits, their words."""

from __future__ import annotations

import math
import random
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import generators
import pytest
from counted_splits import Splits, compared, evidence_of
from text_blocks import block_of

import corpusgate.checks
from corpusgate.checks.label_shift import LabelShift
from corpusgate.checks.length_shift import LengthShift
from corpusgate.checks.token_shift import TokenShift
from corpusgate.model import Comparison, Severity, Shift, ShiftCheck, Unobserved
from corpusgate.model.shift import percent

if TYPE_CHECKING:
    from corpusgate.model import Finding

CHECKS: tuple[ShiftCheck, ...] = (LabelShift(), LengthShift(), TokenShift())
LABELS = {"seed": 1, "train": 200, "val": 40, "train_share": 0.9, "val_share": 0.5}
LENGTHS = {"seed": 2, "train": 200, "val": 60, "factor": 4.5}
TOKENS = {"seed": 2, "train": 300, "val": 100, "foreign": 0.2}


def page_corpus(check: ShiftCheck, heading: str) -> Splits:
    path = Path(corpusgate.checks.__path__[0]) / f"{check.name().replace('-', '_')}.md"
    section = path.read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    (fence,) = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    params = tomllib.loads(fence)
    return getattr(generators, params.pop("generator"))(params)


def judged(check: ShiftCheck, splits: Splits) -> tuple[list[Finding], dict[str, float]]:
    """Findings and metrics, which must tell the same by the check's own rules."""
    return concluded(check, compared(splits))


def concluded(check: ShiftCheck, comparison: Comparison) -> tuple[list[Finding], dict[str, float]]:
    evidence = evidence_of(comparison, {})
    found, metrics = list(check.conclude(evidence)), dict(check.metrics(evidence))
    for shift in comparison.shifts:
        broken = [
            rule.severity
            for rule in check.rules()
            if metrics.get(f"{rule.metric.partition('.')[2]}.{shift.split}", 0) >= rule.value
        ]
        told = [f.severity for f in found if f.split == shift.split and f.severity > Severity.INFO]
        assert told == ([max(broken)] if broken else [])
    return found, metrics


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
def test_the_page_holds(check: ShiftCheck) -> None:
    (finding,), _ = judged(check, page_corpus(check, "Flagged"))
    assert (finding.check, finding.split) == (check.name(), "val")
    assert finding.severity >= Severity.WARNING
    assert judged(check, page_corpus(check, "Passed"))[0] == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
def test_rules_are_the_limits_and_bind_to_splits_held_against_train(check: ShiftCheck) -> None:
    warning, error = check.rules()
    assert (warning.severity, error.severity) == (Severity.WARNING, Severity.ERROR)
    scope = "measured" if check.name() == "label-shift" else "against-train"
    assert warning.scope == error.scope == scope
    assert warning.op == error.op == "<"
    assert warning.value < error.value
    assert warning.check == check.name()
    assert check.observe(block_of(["a"])) == Unobserved() == Unobserved() + Unobserved()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
def test_nothing_compared_is_nothing_said(check: ShiftCheck) -> None:
    alone = compared({"train": [{"text": "a", "label": "b"}]})
    assert concluded(check, alone) == ([], {})
    none = replace(evidence_of(alone, {}), stages={})
    assert list(check.conclude(none)) == []
    assert not check.applies(evidence_of(alone, {}))
    assert not check.applies(none)


def test_a_label_shift_is_told_by_its_labels() -> None:
    (finding,), metrics = judged(LabelShift(), generators.label_shift(LABELS))
    assert finding.message == (
        "40 labels of val are shared out otherwise than the 200 of train: no 50.0% against 10.0%, "
        "yes 50.0% against 90.0%; Cohen's w 0.43 (p < 0.0001), limit 0.1"
    )
    assert (finding.severity, finding.count, finding.limit) == (Severity.WARNING, 40, 0.1)
    assert metrics["drift.val"] == metrics["effect.val"] == finding.value
    assert metrics["divergence.val"] == pytest.approx(0.147, abs=0.001)
    swapped = generators.label_shift(LABELS | {"train_share": 1.0, "val_share": 0.2})
    assert judged(LabelShift(), swapped)[0][0].severity is Severity.ERROR


def test_labels_swapped_at_random_are_no_shift() -> None:
    # the pile of a shifted corpus, dealt anew: 20 or so of the 40 come to be what they are
    corpus = generators.label_shift(LABELS)
    pile = [row["label"] for rows in corpus.values() for row in rows]
    flagged = 0
    for seed in range(60):
        random.Random(seed).shuffle(pile)
        rows = [{"text": f"{i:03d}", "label": label} for i, label in enumerate(pile)]
        flagged += bool(judged(LabelShift(), {"train": rows[:200], "val": rows[200:]})[0])
    # 0.6 are due; more than 4 come up in 1 of 2,000 such tests
    assert flagged <= 4


def test_a_split_without_labels_is_not_judged() -> None:
    corpus = generators.label_shift(LABELS)
    corpus["test"] = [{"text": "x"}] * 9
    comparison = compared(corpus)
    found, metrics = concluded(LabelShift(), comparison)
    assert [f.split for f in found] == ["val"]
    assert not [name for name in metrics if name.endswith(".test")]
    assert LabelShift().applies(evidence_of(comparison, {}))
    unlabelled = compared({"train": corpus["test"], "val": corpus["test"]})
    assert not LabelShift().applies(evidence_of(unlabelled, {}))
    assert unlabelled.shifts[0].absent["labels"] == "train has no label; val has no label"
    assert concluded(LabelShift(), unlabelled) == ([], {})


def test_of_splits_drawn_alike_and_long_ones_only_the_long_are_told() -> None:
    corpus = generators.length_shift(LENGTHS | {"factor": 1.0})
    corpus["val_long"] = generators.length_shift(LENGTHS)["val"]
    (finding,), metrics = judged(LengthShift(), corpus)
    assert (finding.split, finding.severity, finding.count) == ("val_long", Severity.ERROR, 60)
    assert re.fullmatch(
        r"60 val_long documents are not as long as train's: median 3\d\d(\.5)? against \d\d(\.5)? "
        r"characters, 2\d\d characters apart on average; Kolmogorov-Smirnov distance 1\.00 "
        r"\(p < 0\.0001\), limit 0\.45",
        finding.message,
    )
    assert metrics["drift.val"] == 0.0
    assert metrics["ks.val"] > 0
    assert metrics["wasserstein.val_long"] > 200
    assert {"bytes_ks.val", "p.val", "wasserstein.val"} <= set(metrics)


def test_a_small_length_shift_is_a_warning_and_one_below_a_character_none() -> None:
    some = generators.length_shift({"seed": 3, "train": 400, "val": 300, "factor": 1.1})
    (finding,), metrics = judged(LengthShift(), some)
    assert finding.severity is Severity.WARNING
    assert 0.1 <= metrics["drift.val"] < 0.45
    tiny = {
        "train": [{"text": "a" * (i % 2)} for i in range(900)],
        "val": [{"text": "a"} for _ in range(300)],
    }
    found, metrics = judged(LengthShift(), tiny)
    assert (metrics["ks.val"], metrics["drift.val"], found) == (0.5, 0.0, [])


def test_lengths_in_tokens_are_told_beside() -> None:
    comparison = compared(generators.length_shift(LENGTHS))
    (shift,) = comparison.shifts
    tokens = replace(shift.lengths[0], unit="tokens", median=70.0, reference_median=16.0)
    both = replace(shift, lengths=(shift.lengths[0], tokens))
    (finding,), metrics = concluded(LengthShift(), replace(comparison, shifts=(both,)))
    assert ", median 70 against 16 tokens, " in finding.message
    assert metrics["tokens_ks.val"] == tokens.ks


def test_a_token_shift_names_its_tokens() -> None:
    (finding,), metrics = judged(TokenShift(), generators.token_shift(TOKENS))
    assert (finding.severity, finding.count, finding.limit) == (Severity.ERROR, 100, 0.005)
    assert finding.message.startswith("100 val documents use other words than train: 0.")
    assert re.search(r"; most in 'f1' \d\.\d\d% against 0\.00%, .* of train's$", finding.message)
    assert metrics["drift.val"] == metrics["sure_drift.val"] == metrics["excess.val"]


def drifted(p: float, excess: float, quantile: float = 0.001) -> list[Finding]:
    comparison = compared(generators.token_shift(TOKENS))
    tokens = comparison.shifts[0].tokens
    assert tokens is not None
    tokens = replace(tokens, p=p, excess=excess, quantile=quantile)
    shifts = (replace(comparison.shifts[0], tokens=tokens),)
    return concluded(TokenShift(), replace(comparison, shifts=shifts))[0]


@pytest.mark.parametrize(
    ("p", "excess", "severity"),
    [
        (0.005, 0.005, Severity.ERROR), (0.01, 0.0049, Severity.WARNING),
        (0.015, 0.5, Severity.WARNING), (0.05, 0.002, Severity.WARNING),
        (0.055, 0.5, None), (0.005, 0.0019, None), (1.0, -0.01, None),
    ],
)  # fmt: skip
def test_p_and_excess_decide_together(p: float, excess: float, severity: Severity | None) -> None:
    assert [f.severity for f in drifted(p, excess)] == ([severity] if severity else [])


def test_too_few_documents_are_called_so_unless_the_drift_shows_all_the_same() -> None:
    (finding,) = drifted(0.3, 0.004, quantile=0.0051)
    assert finding.severity is Severity.INFO
    assert finding.message.startswith("underpowered: 100 val documents are too few")
    assert (finding.value, finding.limit) == (0.0051, 0.005)
    assert drifted(0.3, 0.004, quantile=0.005) == []
    assert [f.severity for f in drifted(0.005, 0.1, quantile=0.05)] == [Severity.ERROR]
    few = generators.token_shift({"seed": 1, "train": 20, "val": 8, "foreign": 0})
    assert "underpowered" in judged(TokenShift(), few)[0][0].message


def test_what_was_not_counted_passes_no_rule() -> None:
    empty = Comparison("train", 5, (Shift("val", 0),))
    for check in (LengthShift(), TokenShift()):
        found, metrics = concluded(check, empty)
        assert found == []
        assert check.applies(evidence_of(empty, {}))
        assert math.isnan(metrics["drift.val"])


@pytest.mark.parametrize(
    ("share", "digits", "told"),
    [
        (0, 1, "0.0%"), (1, 1, "100.0%"), (0.5, 1, "50.0%"), (0.0004, 1, "0.04%"),
        (0.9999, 1, "99.99%"), (4e-7, 2, "0.00004%"), (1e-12, 1, "0.00000000%"),
    ],
)  # fmt: skip
def test_nothing_reads_0_or_100_per_cent_that_is_not(share: float, digits: int, told: str) -> None:
    assert percent(share, digits) == told


def test_a_control_corpus_has_no_finding_of_any_check() -> None:
    # Han characters in runs of 30 to 60, a number behind each; labels in turn
    draw = random.Random(5)
    splits = {
        name: [
            {"text": "\u8bcd" * draw.randint(30, 60) + f"{name[0]}{i}", "label": "ab"[i % 2]}
            for i in range(size)
        ]
        for name, size in (("train", 300), ("val", 60))
    }
    for row in splits["val"]:
        row["text"] = row["text"].replace("v", "t")
    for check in CHECKS:
        assert judged(check, splits)[0] == []
