from __future__ import annotations

from dataclasses import replace

import pytest
import sample_report

from corpusgate.model import Finding, Judgement, Outcome, Report, Severity
from corpusgate.reports.headline import headline, lead, ranked, todo

REPORT = sample_report.report()


def outcome(state: str) -> Outcome:
    return Outcome("a.b.c", "<=", 0.0, Severity.ERROR, None, state)  # type: ignore[arg-type]


def of(
    verdict: str,
    *states: str,
    inputs: int = 0,
    failed: int = 0,
    findings: tuple[Finding, ...] = (),
) -> Report:
    """A report of a verdict: inputs that could not be read, checks that could not run."""
    outcomes = tuple(map(outcome, states))
    judged = Judgement(verdict, outcomes, inputs + failed)  # type: ignore[arg-type]
    unread = tuple(f"input {n}" for n in range(inputs))
    return replace(sample_report.empty(), judgement=judged, findings=findings, errors=unread)


WARNING = Finding("a", "train", Severity.WARNING, "a warning", remedy="do b")
ERROR = Finding("b", "train", Severity.ERROR, "an error", remedy="do a")
INFO = Finding("c", "train", Severity.INFO, "to know", remedy="do c")


@pytest.mark.parametrize(
    ("report", "text"),
    [
        (of("fail", "fail", "pass"), "Gate shut: 1 limit broken"),
        (of("fail", findings=(ERROR, ERROR)), "Gate shut: 2 errors"),
        (of("error", "missing", "missing"), "No verdict: 2 metrics missing"),
        (of("error", inputs=1), "No verdict: 1 input could not be read"),
        (
            of("error", "missing", inputs=2),
            "No verdict: 2 inputs could not be read, 1 metric missing",
        ),
        (
            of("error", inputs=1, failed=3),
            "No verdict: 1 input could not be read, 3 checks could not run",
        ),
        (of("error", failed=1), "No verdict: 1 check could not run"),
        (of("error"), "No verdict: the audit could not be finished"),
        (of("empty"), "Nothing to audit: no record was read"),
        (of("pass"), "Gate open: no limit broken"),
        (of("pass", findings=(WARNING,)), "Gate open: 1 warning, no limit broken"),
    ],
)
def test_headline(report: Report, text: str):
    assert headline(report) == text


def test_the_lead_is_the_cause_else_what_weighs_most():
    assert lead(REPORT) == REPORT.cause
    assert lead(of("fail", findings=(WARNING, ERROR))) == "an error"
    assert "`a.b.c`" in lead(of("error", "missing"))
    assert "and 2 more" in lead(of("error", *["missing"] * 5))
    assert "`a.b.c`" in lead(of("error", "missing", findings=(WARNING,)))
    assert lead(of("error", "missing", findings=(WARNING, ERROR))) == "an error"
    assert lead(of("pass")) == "No check found anything to show."
    assert lead(of("empty")) == ""


def test_what_to_do_first_is_stated_or_the_gravest_remedies_and_at_most_three():
    assert todo(REPORT) == REPORT.todo
    assert todo(of("fail", findings=(INFO, WARNING, ERROR))) == ("do a", "do b")
    many = replace(REPORT, todo=("a", "a", "b", "c", "d"))
    assert todo(many) == ("a", "b", "c")


def test_equals_stay_in_the_order_of_the_audit():
    first, second = replace(WARNING, check="z"), replace(WARNING, check="a")
    assert ranked(of("pass", findings=(INFO, first, second))) == (first, second, INFO)


def test_a_limit_of_the_policy_alone_is_told_first() -> None:
    broken = Outcome("duplicate.share.train", "<=", 0.0, Severity.ERROR, 0.5, "fail")
    found = Finding("duplicate", "train", Severity.INFO, "1 of 2 records repeat")
    report = Report("x", Judgement("fail", (broken,)), {}, (found,), {}, {})
    assert lead(report) == "`duplicate.share.train` is 0.5, the policy asks for <= 0."
