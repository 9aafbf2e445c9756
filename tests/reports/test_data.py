from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pyarrow.parquet as pq
import pytest
import sample_report

from corpusgate.model import Finding, Report
from corpusgate.reports.data import findings_parquet, metrics_json, report_json, schema
from corpusgate.reports.shape import ReportShape

REPORTS = [
    sample_report.report(),
    sample_report.passing(),
    sample_report.failing_to_measure(),
    sample_report.empty(),
]
REPORT = REPORTS[0]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.title)
def test_every_report_is_of_the_shape_that_the_schema_states(report: Report):
    told = json.loads(report_json(report))
    ReportShape.model_validate(told)
    jsonschema = pytest.importorskip("jsonschema")
    stated = schema()
    jsonschema.Draft202012Validator.check_schema(stated)
    jsonschema.validate(told, stated)


def test_the_schema_refuses_what_is_not_a_report():
    jsonschema = pytest.importorskip("jsonschema")
    told = json.loads(report_json(REPORT))
    for name, value in (("verdict", "maybe"), ("version", 2), ("metrics", {"a": "x"})):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**told, name: value}, schema())
    del told["states"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(told, schema())


def test_what_others_rely_on():
    told = json.loads(report_json(replace(REPORT, errors=("a.gz: truncated",))))
    assert told["version"] == 1
    assert told["verdict"] == "fail"
    assert told["splits"]["train"] == {
        "records": 13_084,
        "kept": 13_081,
        "quarantined": 3,
        "bytes": 1_912_406,
    }
    first = told["findings"][0]
    assert {"check", "split", "severity", "message", "value", "limit", "count"} <= set(first)
    assert first["severity"] == "error"
    assert set(first["examples"][0]) == {
        "source", "record", "line", "offset", "excerpt", "evidence",
    }  # fmt: skip
    assert first["examples"][0]["excerpt"] == "play \x00\x00\x01 jazz \u200bradio"
    assert told["states"]["control-chars"] == "measured"
    assert told["states"]["unknown-tokens"].startswith("not-run: ")
    assert told["metrics"]["control-chars.share.train"] == 0.0491
    assert told["metrics"]["unknown-tokens.rate.train"] is None
    assert told["errors"] == ["a.gz: truncated"]
    assert told["warnings"] == []
    assert told["spikes"][0]["verdict"] == "data"
    assert told["spikes"][0]["interval"] == [3.1, 3.7]


def test_a_columnar_record_has_no_line_and_no_offset():
    finding = REPORT.findings[0]
    example = type(finding.examples[0])(1, "a.parquet", 3, -1, -1)
    report = _with(finding, (example,))
    shown = json.loads(report_json(report))["findings"][0]["examples"][0]
    assert shown["line"] is None
    assert shown["offset"] is None


def _with(finding: Finding, examples: Any) -> Report:
    return replace(REPORT, findings=(replace(finding, examples=examples),))


def test_metrics_are_flat_and_sorted():
    told = json.loads(metrics_json(REPORT))
    assert list(told) == sorted(told)
    assert told["length-shift.ks.val"] == 0.2113
    assert told["unknown-tokens.rate.train"] is None


def test_a_row_for_each_example_and_one_for_a_finding_without():
    table = pq.read_table(io.BytesIO(findings_parquet(REPORT)))
    rows = table.to_pylist()
    examples = sum(max(1, len(finding.examples)) for finding in REPORT.findings)
    assert len(rows) == examples
    assert rows[0]["source"] == "train.jsonl"
    assert rows[0]["evidence"][0] == {"name": "U+0000", "value": "2"}
    assert "\ud800" not in rows[2]["excerpt"]
    assert "\u27e6U+D800\u27e7" in rows[2]["excerpt"]
    (bare,) = [row for row in rows if row["check"] == "length-shift"]
    assert bare["source"] is None
    assert bare["value"] == 0.2113
    assert findings_parquet(REPORT) == findings_parquet(REPORT)


def test_no_findings_give_a_table_with_its_columns():
    table = pq.read_table(io.BytesIO(findings_parquet(sample_report.empty())))
    assert table.num_rows == 0
    assert "evidence" in table.column_names
