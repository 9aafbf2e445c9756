from __future__ import annotations

from dataclasses import replace

import sample_report

from corpusgate.reports.text import MOST, summary

REPORT = sample_report.report()


def test_the_verdict_comes_first_and_the_page_last():
    lines = summary(REPORT, "audit/report.html").splitlines()
    assert lines[0] == "Gate shut: 2 limits broken (spike)"
    assert lines[1] == REPORT.cause
    assert lines[3].split(maxsplit=3)[:3] == ["error", "control-chars", "train"]
    assert "1. Train on the clean copy" in "\n".join(lines)
    assert lines[-2] == "13,784 records read, 13,781 kept, 3 set aside"
    assert lines[-1] == "The page: audit/report.html"


def test_a_finding_is_one_line_in_columns():
    finding = replace(REPORT.findings[0], message="a\nerror  forged\x1b[2J", split="\u6625")
    lines = summary(replace(REPORT, findings=(finding, REPORT.findings[1]))).splitlines()
    assert lines[3].endswith("\u6625     a\u27e6LF\u27e7error  forged\u27e6ESC\u27e7[2J")
    assert lines[4].startswith("error  noisy-batch")


def test_a_long_list_is_cut():
    many = replace(REPORT, findings=REPORT.findings[:1] * (MOST + 7))
    assert "and 7 more findings" in summary(many)


def test_nothing_found_and_nothing_read():
    assert summary(sample_report.passing()).startswith("Gate open: no limit broken (clean)\n")
    assert "The page" not in summary(sample_report.passing())
    assert "0 records read, 0 kept, 0 set aside" in summary(sample_report.empty())
