from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files

import pytest
import sample_report
from page_parser import Page

from corpusgate.model import Chart, Example, Finding, Judgement, Outcome, Report, Severity, Spike
from corpusgate.reports.canvas import COLORS
from corpusgate.reports.headline import headline, lead, todo
from corpusgate.reports.page import MOST_FINDINGS, clip, measured, page, where

REPORT = sample_report.report()
SHOWN = page(REPORT)
PARSED = Page(SHOWN)
WORDS = re.sub(r"\s+", " ", "".join(PARSED.text))
CSS = files("corpusgate.reports").joinpath("page.css").read_text("utf-8")


def order(*parts: str) -> list[int]:
    return [WORDS.index(part) for part in parts]


def test_the_order_is_verdict_cause_what_to_do_counts_findings_details_spikes_account():
    found = order(
        "Gate shut: 2 limits broken", "Twelve records with control", "Train on the clean copy",
        "Take 11 leaked", "Loss spikes", "records read", "Severity", "What to do:" if False else "Examples" if False else "train.jsonl:2742",
        "What control-chars measures", "12 of its 16 records", "Loss of the proxy run",
        "the suspects, and why", "6 named records", "Length", "gb18030", "unknown tokens",
        "Every byte accounted for", "Measured control-chars",
    )  # fmt: skip
    assert found == sorted(found)


def test_the_same_report_gives_the_same_bytes_in_any_process():
    code = "import sample_report, sys; from corpusgate.reports.page import page; sys.stdout.buffer.write(page(sample_report.report()).encode())"
    where_ = str(files("corpusgate.reports").joinpath("..")) if False else sys.path
    shown = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        env={"PYTHONHASHSEED": "3", "PYTHONPATH": ":".join(where_)},
    ).stdout
    assert shown.decode() == SHOWN


def test_nothing_is_fetched_and_nothing_runs():
    assert PARSED.policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert "script" not in PARSED.policy
    assert not re.search(r"https?:|url\(|@import|srcset|<script", page(sample_report.passing()))
    assert not re.search(r"url\(|@import|https?:", CSS)
    assert all(link.startswith("#") for link in PARSED.links)
