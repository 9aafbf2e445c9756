"""An audit as data: report.json with its schema, metrics.json, findings.parquet."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corpusgate.model import UNKNOWN
from corpusgate.reports import headline
from corpusgate.reports.escape import json_text, strict
from corpusgate.reports.shape import VERSION, ReportShape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusgate.model import Example, Finding, Outcome, Report, Spike


def report_json(report: Report) -> str:
    """report.json: strict JSON of the shape that `schema` describes."""
    return json_text(ReportShape.model_validate(strict(_report(report))).model_dump())


def metrics_json(report: Report) -> str:
    """metrics.json: `check.measure.split` to number, null where it was counted over nothing."""
    return json_text(report.metrics)


def schema() -> dict[str, Any]:
    """The JSON Schema of report.json."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return dialect | ReportShape.model_json_schema()


def findings_parquet(report: Report) -> bytes:
    """findings.parquet: a row for each example of a finding, one without an example if it has none.

    `finding` numbers the findings in the order of the page.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    fact = pa.struct([("name", pa.string()), ("value", pa.string())])
    columns = pa.schema(
        [("finding", pa.int32())]
        + [(name, pa.string()) for name in ("check", "split", "severity", "message", "remedy")]
        + [("value", pa.float64()), ("limit", pa.float64()), ("count", pa.int64())]
        + [("source", pa.string()), ("record", pa.int64())]
        + [("line", pa.int64()), ("offset", pa.int64()), ("excerpt", pa.string())]
        + [("evidence", pa.list_(fact))]
    )
    sink = pa.BufferOutputStream()
    table = pa.Table.from_pylist(list(strict(list(_rows(report)))), schema=columns)
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _rows(report: Report) -> Iterator[dict[str, Any]]:
    for number, finding in enumerate(headline.ranked(report)):
        shown = {"finding": number, **_finding(finding)}
        examples = shown.pop("examples")
        yield from ({**shown, **example} for example in examples or [{}])


def _report(report: Report) -> dict[str, Any]:
    encodings = ("split", "encoding", "records", "quarantined")
    return {
        "version": VERSION,
        "title": report.title,
        "verdict": report.judgement.verdict,
        "headline": headline.headline(report),
        "lead": headline.lead(report),
        "cause": report.cause,
        "todo": headline.todo(report),
        "errors": report.errors,
        "warnings": report.warnings,
        "splits": {name: asdict(count) for name, count in report.splits.items()},
        "findings": [_finding(finding) for finding in headline.ranked(report)],
        "states": dict(report.states),
        "metrics": dict(report.metrics),
        "rules": [_rule(outcome) for outcome in report.judgement.outcomes],
        "spikes": [_spike(spike) for spike in report.spikes],
        "encodings": [dict(zip(encodings, row, strict=True)) for row in report.encodings],
        "tokenizer": [asdict(note) for note in report.tokenizer],
        "cleaning": [asdict(note) for note in report.cleaning],
        "account": [asdict(note) for note in report.account],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "check": finding.check,
        "split": finding.split,
        "severity": finding.severity.label,
        "message": finding.message,
        "value": finding.value,
        "limit": finding.limit,
        "count": finding.count,
        "remedy": finding.remedy,
        "examples": [_example(example) for example in finding.examples],
    }


def _example(example: Example) -> dict[str, Any]:
    return {
        "source": example.source,
        "record": example.record,
        "line": None if example.line == UNKNOWN else example.line,
        "offset": None if example.offset == UNKNOWN else example.offset,
        "excerpt": example.excerpt,
        "evidence": [{"name": name, "value": value} for name, value in example.evidence],
    }


def _rule(outcome: Outcome) -> dict[str, Any]:
    return {**asdict(outcome), "severity": outcome.severity.label}


def _spike(spike: Spike) -> dict[str, Any]:
    return {**asdict(spike), "records": [_example(record) for record in spike.records]}
