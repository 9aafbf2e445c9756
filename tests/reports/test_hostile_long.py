"""Law 9: no output carries a control, bidi or invisible character, or markup, from the data."""

from __future__ import annotations

import json
import math
from typing import Any

import sample_report
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from page_parser import Page

from corpusgate.model import (
    Chart,
    Example,
    Finding,
    Judgement,
    Note,
    Outcome,
    Report,
    Severity,
    Spike,
    SplitCount,
)
from corpusgate.reports import charts, data, edits, index, page, text, verdict
from corpusgate.text.visible import is_hidden

FRAGMENTS = (
    "<script>alert(1)</script>", "</style>", "</title>", '"><img src=x onerror=alert(1)>',
    "' onload='x", "javascript:alert(1)", "http://e.example/x", "{{ 7 * 7 }}", "{% raw %}", "]]>",
    "<!--", "-->", "&lt;", "&#0;", "`", "[a](http://e.example)", "\\", "%s", "<svg/onload=x>",
    "\x00", "\x1b[31m", "\x7f", "\x85", "\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\u2028",
    "\U000e0041", "\ufe0f", "\ufdd0", "\ud800", "\udc80", "\u27e6NUL\u27e7", "\r\n", "\n\n# h\n",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from(FRAGMENTS) | st.characters(), max_size=5).map("".join)
FLOAT = st.floats() | st.just(0.5)
COUNT = st.integers(0, 10**12)


def some(strategy: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[Any]:
    return st.lists(strategy, max_size=most).map(tuple)


FACT = st.tuples(HOSTILE | st.sampled_from(["bytes", "before", "after", "U+0000"]), HOSTILE)
EXAMPLE = st.builds(
    Example,
    id=COUNT,
    source=HOSTILE,
    record=COUNT,
    line=st.integers(-1, 10**6),
    offset=st.integers(-1, 10**6),
    evidence=some(FACT, 3),
    excerpt=HOSTILE,
)
FINDING = st.builds(
    Finding,
    check=HOSTILE | st.sampled_from(["control-chars", "findings", "spikes", "chart-1-wide"]),
    split=HOSTILE,
    severity=st.sampled_from(Severity),
    message=HOSTILE,
    value=st.none() | FLOAT,
    limit=st.none() | FLOAT,
    count=COUNT,
    examples=some(EXAMPLE, 5),
    remedy=HOSTILE,
)
NOTE = st.builds(Note, HOSTILE, HOSTILE, HOSTILE)
CHART = st.builds(
    Chart,
    name=HOSTILE,
    kind=st.sampled_from(["lines", "bars", "steps"]),
    title=HOSTILE,
    sentence=HOSTILE,
    x=HOSTILE,
    y=HOSTILE | st.just("share of records"),
    rows=some(st.tuples(HOSTILE | FLOAT, FLOAT, HOSTILE), 5),
    marks=some(st.tuples(st.floats(0, 10), HOSTILE), 3),
    log_x=st.booleans(),
    section=st.sampled_from(["", "spikes", "splits", "tokenizer"]),
)
SPIKE = st.builds(
    Spike,
    run=HOSTILE,
    step=COUNT,
    verdict=HOSTILE,
    sentence=HOSTILE,
    p=st.none() | FLOAT,
    effect=st.none() | FLOAT,
    interval=st.none() | st.tuples(FLOAT, FLOAT),
    records=some(EXAMPLE),
    reasons=some(NOTE),
)
OUTCOME = st.builds(
    Outcome,
    metric=HOSTILE,
    op=st.sampled_from(["<=", "<"]),
    limit=FLOAT,
    severity=st.sampled_from(Severity),
    value=st.none() | FLOAT,
    state=st.sampled_from(["pass", "warn", "fail", "missing"]),
)
REPORT = st.builds(
    Report,
    title=HOSTILE,
    judgement=st.builds(
        Judgement, st.sampled_from(["pass", "fail", "error", "empty"]), some(OUTCOME)
    ),
    splits=st.dictionaries(HOSTILE, st.builds(SplitCount, COUNT, COUNT, COUNT, COUNT), max_size=2),
    findings=some(FINDING),
    states=st.dictionaries(HOSTILE | st.just("noisy-batch"), HOSTILE, max_size=2),
    metrics=st.dictionaries(HOSTILE, st.none() | FLOAT, max_size=2),
    todo=some(HOSTILE),
    cause=HOSTILE,
    charts=some(CHART, 1),
    spikes=some(SPIKE),
    cleaning=some(NOTE),
    encodings=some(st.tuples(HOSTILE, HOSTILE, COUNT, COUNT)),
    tokenizer=some(NOTE),
    account=some(NOTE),
    errors=some(HOSTILE),
    warnings=some(HOSTILE),
    pages=st.dictionaries(HOSTILE | st.just("control-chars"), HOSTILE, max_size=2),
)


def check_html(shown: str) -> Page:
    shown.encode("utf-8")
    assert not [char for char in shown if is_hidden(char) and char not in "\n\t"]
    parsed = Page(shown)
    assert len(set(parsed.ids)) == len(parsed.ids)
    return parsed


def check_line(shown: str) -> None:
    shown.encode("utf-8")
    assert not [char for char in shown if is_hidden(char) and char != "\n"]


# Drawing takes a tenth of a second: what fails is shown as it was found, not shrunk.
QUICK = settings(
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@settings(QUICK, max_examples=250)
@given(REPORT)
def test_every_output_is_safe_whatever_the_data_says(report: Report):
    parsed = check_html(page.page(report))
    assert {link.removeprefix("#") for link in parsed.links} <= set(parsed.ids)
    check_line(text.summary(report, report.title))
    as_json = data.report_json(report)
    check_line(as_json)
    told = verdict.verdict(report.judgement)
    check_line(told)
    assert told.count("\n") <= 1 + len(report.judgement.outcomes)
    check_line(data.metrics_json(report))
    check_html(index.index([(report.title, report.cause, json.loads(as_json))]))
    assert data.findings_parquet(report)[:4] == b"PAR1"
    for chart in report.charts:
        check_line(charts.vega_lite(chart))


@settings(QUICK, max_examples=250)
@given(CHART)
def test_every_chart_is_safe_whatever_the_data_says(chart: Chart):
    if charts.has_data(chart):
        for _, drawn in charts.drawings(chart, "c"):
            check_html(str(drawn))


@given(HOSTILE, HOSTILE, st.none() | st.binary(max_size=60), st.none() | st.binary(max_size=4))
def test_a_line_of_the_ledger_is_one_safe_line(
    source: str, check: str, old: bytes | None, new: bytes | None
):
    entry = {
        "source": source, "record": 1, "line": 2, "offset": 3, "length": 4, "check": check,
        "old": old, "new": new, "encoding": "gb18030", "quarantine": "", "quarantine_offset": 0,
    }  # fmt: skip
    for quarantine in ("", source):
        shown = edits.line({**entry, "quarantine": quarantine})
        check_line(shown)
        assert "\n" not in shown


def test_a_page_that_holds_markup_would_be_seen():
    shown = page.page(sample_report.report())
    check_html(shown)
    for bad in (
        "<script>",
        "<img src=x>",
        '<p onclick="x">',
        '<a href="http://e.example">',
        "\x00",
    ):
        try:
            check_html(shown.replace("<h2>Findings", f"{bad}<h2>Findings"))
        except AssertionError:
            continue
        raise AssertionError(bad)


def test_what_the_data_says_is_there_to_read():
    parsed = check_html(page.page(sample_report.report()))
    words = "".join(parsed.text)
    assert "</td><script>alert(1)</script><img src=x onerror=alert(1)>" in words
    assert math.isclose(words.count("NUL"), 10, abs_tol=8)
    assert "RLO" in words
    assert "TAG A" in words
