"""An index page over several audits: what each came to, and the way to its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from corpusgate.reports.figures import plural
from corpusgate.reports.page import environment
from corpusgate.reports.shape import ReportShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Row:
    """One audit of the index."""

    title: str
    href: str
    report: ReportShape

    @property
    def records(self) -> int:
        """Records read, over all splits."""
        return sum(split.records for split in self.report.splits.values())

    @property
    def quarantined(self) -> int:
        """Records set aside, over all splits."""
        return sum(split.quarantined for split in self.report.splits.values())

    def count(self, severity: str) -> int:
        """Findings of one severity."""
        return sum(finding.severity == severity for finding in self.report.findings)


def index(audits: Iterable[tuple[str, str, Mapping[str, Any]]]) -> str:
    """The index page; it looks like the pages it leads to.

    Args:
        audits: (title, path of the page relative to the index, what report.json holds).
    """
    rows = [
        # Quoted, and relative: no scheme and no host can stand in it.
        Row(
            title,
            quote(href.lstrip("/"), safe="/.-_~", errors="replace") or ".",
            ReportShape.model_validate(report),
        )
        for title, href, report in audits
    ]
    shut = sum(row.report.verdict == "fail" for row in rows)
    without = sum(row.report.verdict in {"error", "empty"} for row in rows)
    parts = [plural(len(rows), "audit")]
    parts += [f"{plural(shut, 'gate')} shut"] if shut else []
    parts += [f"{without} without a verdict"] if without else []
    worst = "fail" if shut or without else "pass"
    template = environment().get_template("index.html.jinja")
    return template.render(rows=rows, headline=", ".join(parts), verdict=worst)
