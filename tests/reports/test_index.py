from __future__ import annotations

import json
from typing import Any

import pytest
import sample_report
from page_parser import Page
from pydantic import ValidationError

from corpusgate.model import Report
from corpusgate.reports.data import report_json
from corpusgate.reports.index import index


def told(report: Report) -> dict[str, Any]:
    return json.loads(report_json(report))


def test_each_audit_with_its_verdict_its_sentence_and_its_counts():
    shown = index(
        [
            ("Spike", "spike/report.html", told(sample_report.report())),
            ("Clean", "clean/report.html", told(sample_report.passing())),
            ("Nothing", "none/report.html", told(sample_report.empty())),
        ]
    )
    parsed = Page(shown)
    words = " ".join(parsed.text)
    assert "3 audits, 1 gate shut, 1 without a verdict" in words
    assert "Gate shut: 2 limits broken" in words
    assert "Twelve records with control characters" in words
    assert "13,784 records, 3 set aside; 2 errors, 2 warnings, 2 to know" in words
    assert parsed.links == ["spike/report.html", "clean/report.html", "none/report.html"]
    assert parsed.policy.startswith("default-src 'none'")


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", "//e.example/x", '"><b>', "a b\x00\u202e.html", "\u6625/r.html"]
)
def test_a_link_is_a_relative_path_whatever_it_was(href: str):
    (link,) = Page(index([("t", href, told(sample_report.passing()))])).links
    assert ":" not in link
    assert not link.startswith("/")


def test_no_audit_and_what_is_no_report():
    assert "No audit to show" in index([])
    with pytest.raises(ValidationError):
        index([("t", "a.html", {"verdict": "pass"})])
