"""The summary of an audit for a terminal: plain text, the verdict first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from corpusgate.reports import headline
from corpusgate.reports.figures import integer, plural
from corpusgate.reports.ticks import wide
from corpusgate.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusgate.model import Finding, Report

# A screen of findings; the page has them all.
MOST = 20

_line = partial(visible.plain, keep="")


def summary(report: Report, page: str = "") -> str:
    """What to know of an audit.

    Every line is safe to print as it is; it may hold square brackets, which are not markup.

    Args:
        report: the audit.
        page: where its page lies.
    """
    return "\n".join(_lines(report, page)) + "\n"


def _lines(report: Report, page: str) -> Iterator[str]:
    yield f"{headline.headline(report)} ({_line(report.title)})"
    if lead := headline.lead(report):
        yield _line(lead)
    findings = headline.ranked(report)
    if findings:
        yield ""
        yield from _table(findings[:MOST])
    if findings[MOST:]:
        yield f"and {plural(len(findings) - MOST, 'more finding')}"
    if todo := headline.todo(report):
        yield ""
        yield from (f"{number}. {_line(step)}" for number, step in enumerate(todo, 1))
    yield ""
    read = sum(count.records for count in report.splits.values())
    kept = sum(count.kept for count in report.splits.values())
    yield f"{plural(read, 'record')} read, {integer(kept)} kept, {integer(read - kept)} set aside"
    if page:
        yield f"The page: {_line(page)}"


def _table(findings: tuple[Finding, ...]) -> Iterator[str]:
    rows = [
        (finding.severity.label, _line(finding.check), _line(finding.split), _line(finding.message))
        for finding in findings
    ]
    widths = [max(wide(row[column]) for row in rows) for column in range(3)]
    for *short, message in rows:
        cells = [
            cell + " " * (width - wide(cell)) for cell, width in zip(short, widths, strict=True)
        ]
        yield "  ".join([*cells, message])
