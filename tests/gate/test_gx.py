"""Great Expectations judges as the native evaluator does."""

from __future__ import annotations

import subprocess
import sys
from operator import ge, gt, le, lt
from typing import Any

import pytest
from gate.policies import FEW, Case, cases, falsify, is_nan
from hypothesis import given

from corpusgate.errors import MissingExtraError
from corpusgate.integrations import gx
from corpusgate.integrations.gx import evaluate_gx
from corpusgate.model import Judgement, Rule
from corpusgate.pipeline import gate
from corpusgate.pipeline.gate import Policy, evaluate

pytest.importorskip("great_expectations")


JUDGED: dict[str, Judgement] = {}
"""What Great Expectations said of a case: it is slow, and wrong native gates ask it again."""


def by_gx(case: Case) -> Judgement:
    key = repr(case)
    if key not in JUDGED:
        JUDGED[key] = case.judged_by(evaluate_gx)
    return JUDGED[key]


def agree(case: Case) -> None:
    assert by_gx(case) == case.judged_by(evaluate), "law: the evaluators differ"


@FEW
@given(cases())
def test_both_evaluators_agree(case: Case) -> None:
    agree(case)


@pytest.mark.parametrize(
    ("op", "wrong"), [("<=", lt), ("<", le), (">=", gt), (">", ge), ("==", ge), ("!=", lt)]
)
def test_a_wrong_operator_is_found(monkeypatch: pytest.MonkeyPatch, op: Any, wrong: Any) -> None:
    monkeypatch.setitem(gate.OPERATORS, op, wrong)
    falsify(agree)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda value: 0.0 if is_nan(value) else value,  # NaN passes where 0 does
        lambda value: 0.0 if value is None else value,  # and so does an absent metric
        lambda value: None if is_nan(value) else value,  # infinity is a number
        lambda value: value or None,  # zero is missing
    ],
)
def test_a_wrong_idea_of_missing_is_found(monkeypatch: pytest.MonkeyPatch, wrong: Any) -> None:
    monkeypatch.setattr(gate, "_finite", wrong)
    falsify(agree)


def test_a_suite_compiled_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    between = gx._between
    monkeypatch.setattr(gx, "_between", lambda *args, **_strict: between(*args))
    monkeypatch.setattr(sys.modules[__name__], "JUDGED", {})
    falsify(agree)


def test_the_suite_is_what_a_user_of_great_expectations_knows() -> None:
    policy = Policy((Rule("empty-text.share", "<", 0.5), Rule("empty-text.share", "!=", 0.25)))
    suite = gx.compile_suite(policy.bind([], ["train"], {"empty-text"}))
    kinds = [(e.expectation_type, e.column, e.meta["why"]) for e in suite.expectations]
    assert kinds == [
        ("expect_column_max_to_be_between", "empty-text.share.train", "is a number"),
        ("expect_column_values_to_not_be_in_set", "empty-text.share.train", "!= 0.25"),
        ("expect_column_max_to_be_between", "empty-text.share.train", "< 0.5"),
    ]


def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "great_expectations", None)
    with pytest.raises(MissingExtraError, match=r"corpusgate\[gx\]"):
        evaluate_gx(Policy(), {}, (), (), 1)


QUIET = """
import sys, socket
import corpusgate.integrations.gx as gx
assert not {"great_expectations", "pandas"} & set(sys.modules), "loaded before it was asked for"
from corpusgate.model import Rule
from corpusgate.pipeline.gate import Policy
asked = []
def refuse(*where, **_):
    asked.append(where)
    raise OSError("no network")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
rule = Rule("a.b", "<=", 1)
judgement = gx.evaluate_gx(Policy((rule,)), {"a.b.train": 1.0}, ["train"], {"a"}, 1)
assert judgement.verdict == "pass" and not asked, (judgement, asked)
"""


def test_it_is_lazy_silent_and_stays_off_the_network() -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUIET], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
