"""The native gate: what binds, what shuts, which code, and its file."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from gate.policies import FEW, Case, cases, falsify, is_nan
from hypothesis import given

from corpusgate.errors import ConfigError, InputError
from corpusgate.model import Judgement, Rule, Severity
from corpusgate.pipeline import gate
from corpusgate.pipeline.gate import Policy, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NOISE = Rule("control-chars.share", "<=", 0.01)
SHIFT = Rule("length-shift.ks", "<=", 0.1, scope="against-train")


def states(judgement: Judgement) -> dict[str, str]:
    return {outcome.metric: outcome.state for outcome in judgement.outcomes}


def judge(*rules: Rule, metrics: Mapping[str, float | None], **more: Any) -> Judgement:
    given_ = {"splits": ("train", "val"), "requested": {r.check for r in rules}, "records": 10}
    return evaluate(Policy(rules), metrics, **{**given_, **more})


def test_a_rule_without_split_holds_each_split_to_the_limit() -> None:
    metrics = {"control-chars.share.train": 0.01, "control-chars.share.val": 0.02}
    judgement = judge(NOISE, metrics=metrics)
    assert states(judgement) == {
        "control-chars.share.train": "pass",
        "control-chars.share.val": "fail",
    }
    assert (judgement.verdict, judgement.exit_code) == ("fail", 1)


def test_a_split_that_is_not_listed_but_measured_is_judged_too() -> None:
    metrics = {f"control-chars.share.{s}": 0.0 for s in ("train", "val")}
    judgement = judge(NOISE, metrics={**metrics, "control-chars.share.extra": 1.0})
    assert states(judgement)["control-chars.share.extra"] == "fail"


def test_a_measure_whose_name_begins_alike_is_another() -> None:
    metrics = {"control-chars.share.train": 0.0, "control-chars.shares.train": 1.0}
    assert list(states(judge(NOISE, metrics=metrics, splits=("train",)))) == [
        "control-chars.share.train"
    ]


def test_a_shift_is_wanted_of_every_split_but_train() -> None:
    assert states(judge(SHIFT, metrics={"length-shift.ks.val": 0.0})) == {
        "length-shift.ks.val": "pass"
    }
    missing = judge(SHIFT, metrics={"length-shift.ks.val": 0.0}, splits=("train", "val", "test"))
    assert states(missing)["length-shift.ks.test"] == "missing"


def test_the_first_split_stands_in_for_a_train_that_there_is_not() -> None:
    missing = judge(SHIFT, metrics={}, splits=("a", "b"))
    assert states(missing) == {"length-shift.ks.b": "missing"}


def test_a_measure_that_not_every_split_has_is_not_missed() -> None:
    rule = Rule("label-shift.drift", "<", 0.1, scope="measured")
    metrics = {"label-shift.drift.val": 0.0}
    assert states(judge(rule, metrics=metrics, splits=("train", "val", "test"))) == {
        "label-shift.drift.val": "pass"
    }


def test_a_measure_of_training_is_wanted_of_train_alone() -> None:
    rule = Rule("noisy-batch.batches", "<=", 0, scope="train")
    assert states(judge(rule, metrics={})) == {"noisy-batch.batches.train": "missing"}


def test_a_rule_that_names_a_split_takes_the_place_of_the_general_one() -> None:
    metrics = {"length-shift.ks.val": 0.2, "length-shift.ks.test": 0.2}
    splits = ("train", "val", "test")
    judgement = judge(SHIFT, Rule("length-shift.ks.val", "<=", 0.3), metrics=metrics, splits=splits)
    assert states(judgement) == {"length-shift.ks.test": "fail", "length-shift.ks.val": "pass"}


def test_a_split_may_hold_dots() -> None:
    rule = Rule("control-chars.share.v1.0", "<=", 0.0)
    assert rule.split == "v1.0"
    judgement = judge(rule, metrics={"control-chars.share.v1.0": 0.0}, splits=("v1.0",))
    assert judgement.verdict == "pass"


@pytest.mark.parametrize(
    ("severity", "verdict", "state"),
    [
        (Severity.ERROR, "fail", "fail"),
        (Severity.WARNING, "pass", "warn"),
        (Severity.INFO, "pass", "warn"),
    ],
)
def test_only_an_error_shuts_the_gate(severity: Severity, verdict: str, state: str) -> None:
    rule = replace(NOISE, severity=severity)
    judgement = judge(rule, metrics={"control-chars.share.train": 1.0}, splits=("train",))
    assert judgement.verdict == verdict
    assert states(judgement) == {"control-chars.share.train": state}


@pytest.mark.parametrize("severity", Severity)
def test_a_missing_metric_is_an_error_whatever_the_rule_weighs(severity: Severity) -> None:
    judgement = judge(replace(NOISE, severity=severity), metrics={})
    assert (judgement.verdict, judgement.exit_code) == ("error", 2)


def test_rules_of_checks_that_were_not_requested_do_not_bind() -> None:
    judgement = judge(NOISE, metrics={"control-chars.share.train": 1.0}, requested=frozenset())
    assert judgement == Judgement("pass")


BROKEN = {"control-chars.share.train": 1.0, "control-chars.share.val": 0.0}


@pytest.mark.parametrize(
    ("metrics", "records", "errors", "code"),
    [
        ({**BROKEN, "control-chars.share.val": math.nan}, 10, 0, 2),  # missing beats broken
        (BROKEN, 10, 1, 2),  # unreadable beats broken
        (BROKEN, 0, 1, 2),
        (BROKEN, 0, 0, 1),  # broken beats empty
        ({}, 0, 0, 3),  # empty beats pass; all that is missing was counted over nothing
        ({}, 0, 1, 2),
        (dict.fromkeys(BROKEN, 0.0), 10, 0, 0),
    ],
)
def test_exit_codes_take_precedence(
    metrics: Mapping[str, float | None], records: int, errors: int, code: int
) -> None:
    assert judge(NOISE, metrics=metrics, records=records, errors=errors).exit_code == code


@pytest.mark.parametrize(
    "rule",
    [
        Rule("control-chars.share", "!=", math.nan),  # every value would pass
        Rule("control-chars.share", "<", math.inf),
        Rule("control-chars", "<", 1),
        Rule("control-chars..train", "<", 1),
        Rule("control-chars.share", "=<", 1),  # type: ignore[arg-type]
        Rule("control-chars.share", "<", 1, scope="all"),  # type: ignore[arg-type]
    ],
)
def test_a_rule_that_cannot_be_judged_is_refused(rule: Rule) -> None:
    with pytest.raises(ConfigError) as caught:
        Policy((rule,))
    assert caught.value.slug == "unusable-rule"
    assert rule.metric in str(caught.value)


def measured(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def law_7(case: Case) -> None:
    """What should have been measured and was not never passes, and is never a verdict of pass."""
    judgement = case.judged_by(evaluate)
    for rule in case.policy.rules:
        parts = rule.metric.split(".", 2)
        if parts[0] not in case.requested:
            assert not [o for o in judgement.outcomes if o.metric.startswith(parts[0] + ".")], (
                "law: a rule bound that was not requested"
            )
            continue
        reference = "train" if "train" in case.splits else "".join(case.splits[:1])
        wanted = {
            "split": list(case.splits),
            "train": ["train"],
            "against-train": [s for s in case.splits if s != reference],
            "measured": [],
        }[rule.scope]
        names = [rule.metric] if parts[2:] else [f"{rule.metric}.{split}" for split in wanted]
        if not names and any(name.startswith(rule.metric + ".") for name in case.metrics):
            continue
        for name in names or [rule.metric]:
            if measured(case.metrics.get(name)):
                continue
            found = {o.state for o in judgement.outcomes if o.metric == name}
            assert found == {"missing"}, "law: a metric is missing and a rule on it was judged"
            assert judgement.verdict != "pass", "law: passed on a missing metric"
            assert judgement.exit_code == 2 or not case.records, "law: missing is no error"


def law_of_states(case: Case) -> None:
    """A rule passes exactly when its metric is a number and compares."""
    for o in case.judged_by(evaluate).outcomes:
        value = case.metrics.get(o.metric)
        assert (o.state == "missing") == (not measured(value)), "law: a number is not missing"
        if value is None or o.state == "missing":
            continue
        below, same = value < o.limit, value == o.limit
        held = {
            "<": below,
            "<=": below or same,
            "==": same,
            "!=": not same,
            ">": not (below or same),
            ">=": not below,
        }[o.op]
        assert held == (o.state == "pass"), "law: passed and broken were mistaken"


@FEW
@given(cases())
def test_law_7(case: Case) -> None:
    law_7(case)
    law_of_states(case)


def _bind_what_is_there(policy: Policy, *args: Any) -> tuple[tuple[str, Rule], ...]:
    metrics = args[0]
    return tuple(bound for bound in BIND(policy, *args) if bound[0] in metrics)


def _bind_all(policy: Policy, metrics: Any, splits: Any, requested: Any) -> Any:
    return BIND(policy, metrics, splits, {*requested, *(r.check for r in policy.rules)})


BIND = Policy.bind


@pytest.mark.parametrize(
    ("place", "name", "wrong"),
    [
        (gate, "_finite", lambda value: 0.0 if is_nan(value) else value),  # NaN is a number
        (gate, "_finite", lambda value: value),  # and infinity is
        (gate, "_scope", lambda _scope, _splits: []),  # only splits that were measured
        (Policy, "bind", _bind_what_is_there),  # vacuous: absent metrics are passed over
        (Policy, "bind", _bind_all),
        (gate, "judge", lambda outcomes, *_: Judgement("pass", tuple(outcomes))),
    ],
)
def test_law_7_can_fail(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, wrong: Any) -> None:
    monkeypatch.setattr(place, name, wrong)

    def law(case: Case) -> None:
        law_7(case)
        law_of_states(case)

    falsify(law)


@FEW
@given(cases())
def test_the_order_of_rules_and_metrics_changes_nothing(case: Case) -> None:
    turned = replace(
        case,
        policy=Policy(case.policy.rules[::-1]),
        metrics=dict(reversed(list(case.metrics.items()))),
        splits=case.splits[::-1],
    )
    assert gate.to_json(turned.judged_by(evaluate)) == gate.to_json(case.judged_by(evaluate))


@FEW
@given(cases())
def test_gate_json_reads_back(case: Case) -> None:
    judgement = case.judged_by(evaluate)
    text = gate.to_json(judgement)
    assert gate.from_json(text) == judgement
    assert text.isascii()
    assert json.loads(text)["exit_code"] == judgement.exit_code


def test_gate_json_is_written_the_same(tmp_path: Path) -> None:
    judgement = judge(NOISE, metrics=dict.fromkeys(BROKEN, 0.5), errors=3)
    path = tmp_path / "gate.json"
    gate.write(judgement, path)
    assert path.read_bytes() == gate.to_json(judgement).encode("ascii")
    assert b"\r" not in path.read_bytes()
    assert gate.read(path) == judgement
    assert gate.read(path).errors == 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda table: {**table, "verdict": "pass"},  # and an exit code of 1
        lambda table: {**table, "verdict": "open"},
        lambda table: {**table, "version": 99},
        lambda table: {k: v for k, v in table.items() if k != "outcomes"},
        lambda table: [table],
    ],
)
def test_a_gate_json_that_contradicts_itself_is_refused(tmp_path: Path, spoil: Any) -> None:
    path = tmp_path / "gate.json"
    judgement = judge(NOISE, metrics=BROKEN)
    path.write_text(json.dumps(spoil(json.loads(gate.to_json(judgement)))))
    with pytest.raises(InputError, match=r"gate\.json"):
        gate.read(path)


def test_a_gate_json_that_is_not_there_or_no_text_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe{")
    for name in ("none", "bytes"):
        with pytest.raises(InputError, match=name):
            gate.read(tmp_path / name)
