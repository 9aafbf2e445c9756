from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files

import pytest
import sample_report
from page_parser import Page

from corpusgate.model import Chart, Example, Finding, Outcome, Report, Severity
from corpusgate.reports.canvas import COLORS
from corpusgate.reports.page import MOST_FINDINGS, clip, measured, page, where

REPORT = sample_report.report()
BARE = replace(REPORT, charts=())
SHOWN = page(REPORT)
PARSED = Page(SHOWN)
CSS = files("corpusgate.reports").joinpath("page.css").read_text("utf-8")


def words(shown: str) -> str:
    return re.sub(r"\s+", " ", " ".join(Page(shown).text))


def test_the_order_is_verdict_cause_what_to_do_counts_findings_spikes_details_account():
    parts = (
        "Gate shut: 2 limits broken",
        "Twelve records with control",
        "Train on the clean copy",
        "Take 11 leaked",
        "Every byte",
        "records read",
        "Severity",
        "12 of its 16 records",
        "Loss of the proxy run",
        "the suspects, and why",
        "6 named records",
        "In detail",
        "limit 0.1",
        "train.jsonl:2742",
        "What control-chars measures",
        "What it measures",
        "its median is 31",
        "big5",
        "unknown tokens",
        "Every byte accounted for",
        "rebuilt from the outputs alone",
        "What cleaning changed",
        "token-shift",
        "the tokenizer has no unknown token",
        "5 limits of the gate",
    )
    text, at = words(SHOWN), 0
    for part in parts:
        assert part in text[at:], part
        at = text.index(part, at)


def test_the_same_report_gives_the_same_bytes_in_any_process():
    code = (
        "import sys, sample_report; from corpusgate.reports.page import page; "
        "sys.stdout.buffer.write(page(sample_report.report()).encode())"
    )
    environment = {"PYTHONHASHSEED": "3", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, env=environment
    )
    assert done.stdout.decode() == SHOWN


def test_nothing_is_fetched_and_nothing_runs():
    assert PARSED.policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert "script-src" not in PARSED.policy
    assert not re.search(r"https?:|url\(|@import|srcset|<script", page(sample_report.passing()))
    assert not re.search(r"url\(|@import|https?:|</", CSS)
    assert all(link.startswith("#") for link in PARSED.links)


def test_links_lead_somewhere_and_ids_are_unique():
    assert {link[1:] for link in PARSED.links} <= set(PARSED.ids)
    assert len(PARSED.ids) == len(set(PARSED.ids))
    assert "#control-chars" in PARSED.links
    assert "control-chars" in PARSED.ids


def test_no_clock_and_no_version():
    assert not re.search(r"\b20\d\d-\d\d|\d\d:\d\d|\b0\.1\.0\b", words(SHOWN))


def test_a_check_whose_name_is_a_section_gets_an_id_of_its_own():
    finding = replace(REPORT.findings[0], check="spikes")
    parsed = Page(page(replace(BARE, findings=(finding,))))
    assert "#check-1" in parsed.links
    assert len(parsed.ids) == len(set(parsed.ids))


def test_values_that_are_shares_are_in_per_cent_with_their_measure():
    assert measured(REPORT, REPORT.findings[0]) == ("share", "4.91\u00a0%", "0.1\u00a0%")
    assert measured(REPORT, REPORT.findings[2]) == ("ks", "0.211", "0.1")
    assert measured(REPORT, replace(REPORT.findings[0], value=7.0)) == ("", "7", "0.001")


def test_a_record_without_lines_or_offset_is_named_by_its_number():
    example = Example(1, "a.parquet", 2741, -1, -1)
    assert where(example) == "a.parquet, record 2,741"
    finding = replace(REPORT.findings[0], examples=(example,))
    text = words(page(replace(BARE, findings=(finding,), spikes=())))
    assert "a.parquet, record 2,741" in text
    assert "byte -1" not in text


def test_an_excerpt_has_a_bearable_length():
    assert clip("short\ntext") == "short\ntext"
    assert len(clip("x" * 5000)) < 700
    assert clip("\n" * 500).count("\n") < 20


def test_a_huge_audit_gives_a_page_that_opens():
    examples = tuple(Example(i, f"f{i}.jsonl", i, i, i, (), "\x00 text " * 300) for i in range(40))
    findings = tuple(
        Finding(f"check-{i}", "train", Severity.WARNING, "m " * 40, 0.1, 0.0, 40, examples)
        for i in range(2000)
    )
    rows = tuple((float(i), 4.0 + (i * 7919 % 101) / 100, "all") for i in range(20_000))
    chart = Chart("loss", "lines", "Loss", "s", "step", "loss", rows)
    shown = page(replace(BARE, findings=findings, charts=(chart,)))
    assert len(shown) < 2_500_000
    assert f"{2000 - MOST_FINDINGS:,} more findings" in shown
    assert "1 of 40" in words(shown)


def test_the_sample_page_is_small():
    assert len(SHOWN.encode()) < 110_000


def test_passing_says_so_and_shows_no_empty_section():
    text = words(page(sample_report.passing()))
    assert "Gate open: no limit broken" in text
    assert "No check found anything" in text
    assert "There is one split, so nothing was compared" in text
    assert "No proxy model was trained: torch is not installed" in text
    assert "Not requested lossy-round-trip" in text
    assert "Every byte" not in text
    assert "Tokenizer" not in text


def test_an_error_names_the_metric_that_is_missing():
    text = words(page(sample_report.failing_to_measure()))
    assert "No verdict: 1 metric missing" in text
    assert "token-shift.excess-bits.val" in text


def test_inputs_that_could_not_be_read_come_before_the_findings():
    report = replace(
        sample_report.failing_to_measure(),
        errors=("a.jsonl.gz: the file ends early; fetch it again",),
        warnings=("b.jsonl: empty",),
    )
    text = words(page(report))
    assert "No verdict: 1 input could not be read, 1 metric missing" in text
    assert text.count("a.jsonl.gz: the file ends early") == 2
    assert text.index("b.jsonl: empty") < text.index("No check found anything")


def test_an_empty_audit_has_a_page():
    text = words(page(sample_report.empty()))
    assert "Nothing to audit" in text
    assert "Findings" not in text


def test_a_run_without_a_spike_says_so():
    text = words(page(replace(REPORT, spikes=())))
    assert "No step of the proxy run stands out" in text


def test_a_chart_without_data_says_so():
    chart = Chart("loss", "lines", "Loss", "s", "step", "loss", ())
    assert "There is nothing to draw" in words(page(replace(REPORT, charts=(chart,))))


def test_a_limit_on_nothing_measured_shows_as_missing():
    outcome = Outcome("a.b.c", "<=", 0.1, Severity.ERROR, None, "missing")
    judged = replace(REPORT.judgement, outcomes=(outcome,))
    assert '<span class="sev error">missing</span>' in page(replace(BARE, judgement=judged))


def _luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(a: str, b: str) -> float:
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


THEMES = [dict(re.findall(r"--(\w+):(#[0-9a-f]{6})\b", part)) for part in CSS.split("@media")[:2]]


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark"])
def test_everything_can_be_read_on_its_ground(theme: dict[str, str]):
    # WCAG 2.2, 1.4.3: 4.5 for text; 1.4.11: 3 for graphics.
    for ground in ("bg", "card"):
        for name in ("fg", "dim", "link", "err", "warn", "info", "ok"):
            assert _contrast(theme[name], theme[ground]) >= 4.5, (name, ground)
    for name in ("a", "b"):
        assert _contrast(theme[name], theme["bg"]) >= 3, name


def test_files_of_charts_have_the_colours_of_the_light_theme():
    for name, color in COLORS.items():
        assert name == "mark" or THEMES[0][name] == color


def test_every_class_of_a_template_is_styled():
    used = {word for part in re.findall(r'class="([^"]*)"', SHOWN) for word in part.split()}
    assert {name for name in used if f".{name}" not in CSS} <= {"info", "place", "k0", "about"}


def test_on_a_narrow_window_each_value_has_its_column_beside_it():
    for row in re.findall(r'<table class="cards">.*?</table>', SHOWN, re.S):
        cells = re.findall(r"<t[dh](?! scope=\"col\")[ >][^>]*>", row.split("</thead>")[1])
        assert cells
        assert all("data-th=" in cell for cell in cells)


def test_the_page_takes_what_the_model_allows():
    report = Report("t", REPORT.judgement, REPORT.splits, REPORT.findings, {}, {})
    assert "Gate shut" in words(page(report))
