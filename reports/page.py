"""The page of an audit: one HTML file that needs no script and fetches nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from corpusgate.model import UNKNOWN, Severity
from corpusgate.reports import evidence, figure, figures, headline, markdown
from corpusgate.reports.escape import html
from corpusgate.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corpusgate.model import Chart, Example, Finding, Report, Spike
    from corpusgate.reports.figure import Figure

# What is shown in full, and what at most: a page that cannot be opened shows nothing. The rest
# is in findings.parquet, and the page says so.
OPEN_EXAMPLES = 3
MOST_EXAMPLES = 12
ALL_EXAMPLES = 400
"""Over all findings; each shows one at least."""
MOST_FINDINGS = 300
MOST_RECORDS = 40
_EXCERPT = 600
_EXCERPT_LINES = 12

_TITLES = {
    "inputs": "Inputs",
    "findings": "Findings",
    "spikes": "Loss spikes",
    "details": "In detail",
    "splits": "Splits",
    "encodings": "Encodings",
    "tokenizer": "Tokenizer",
    "account": "Every byte",
    "checks": "Checks and limits",
}
"""The sections by their ids, in the order of the page."""

# Classes of page.css.
_VERDICTS = {"pass": "ok", "fail": "error", "error": "error", "empty": "warning"}
_STATES = {"pass": "ok", "fail": "error", "warn": "warning", "missing": "error"}

_ANCHOR = re.compile(r"[a-z][a-z0-9-]{0,60}")


@dataclass(frozen=True)
class Group:
    """The findings of one check, which stand together."""

    check: str
    anchor: str
    findings: tuple[Finding, ...]
    page: Markup | None
    """What the check's own page says, if it has one."""

    @property
    def severity(self) -> Severity:
        """The gravest of its findings."""
        return max(finding.severity for finding in self.findings)


def page(report: Report) -> str:
    """The page; the same report gives the same bytes."""
    findings = headline.ranked(report)[:MOST_FINDINGS]
    anchors = _anchors(finding.check for finding in findings)
    shown = figures_of(report)
    template = environment().get_template("page.html.jinja")
    return template.render(
        report=report,
        headline=headline.headline(report),
        lead=headline.lead(report),
        todo=headline.todo(report),
        findings=findings,
        hidden_findings=len(report.findings) - len(findings),
        anchors=anchors,
        most=max(1, min(MOST_EXAMPLES, ALL_EXAMPLES // max(1, len(findings)))),
        groups=_groups(report, findings, anchors),
        figures=shown,
        sections=_sections(report, shown),
        states=_states(report),
        unmet=_unmet(report),
        told=_ranked(spike for spike in report.spikes if spike.verdict != "chance"),
        by_chance=[spike for spike in report.spikes if spike.verdict == "chance"],
        total=_total(report),
    )


@cache
def environment() -> Environment:
    """Templates in which every value goes through `escape.html`, none forgotten."""
    env = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        finalize=html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(
        chance=figures.chance,
        clip=clip,
        evidence=evidence.rows,
        figure=figures.figure,
        inline=markdown.inline,
        layout=lambda pairs: " stacked" if evidence.is_comparison(pairs) else "",
        integer=figures.integer,
        listed=listed,
        percent=figures.percent,
        size=figures.size,
        state=_STATES.get,
        text=partial(visible.plain, keep=""),
        verdict=_VERDICTS.get,
        where=where,
    )
    env.globals.update(
        css=Markup(_source("page.css")),  # noqa: S704 - our own file
        limits={"open": OPEN_EXAMPLES, "records": MOST_RECORDS},
        measured=measured,
        plural=figures.plural,
    )
    return env


def _source(name: str) -> str:
    return files("corpusgate.reports").joinpath(name).read_text("utf-8")


def listed(names: Sequence[str]) -> Markup:
    """Names with commas between them."""
    return Markup(", ").join(html(name) for name in names)


def clip(text: str) -> str:
    """An excerpt of bearable length."""
    lines = text[:_EXCERPT].split("\n")
    kept = "\n".join(lines[:_EXCERPT_LINES])
    return kept if len(kept) == len(text) else f"{kept} \u2026"


def where(example: Example) -> str:
    """The file and the line of a record, or its number where a source has no lines."""
    if example.line == UNKNOWN:
        return f"{example.source}, record {figures.integer(example.record)}"
    return f"{example.source}:{example.line}"


def measured(report: Report, finding: Finding) -> tuple[str, str, str]:
    """(measure, value, limit) of a finding as written; shares and rates in per cent.

    The measure is the one whose metric has the finding's value; "" if none has.
    """
    prefix, suffix = f"{finding.check}.", f".{finding.split}"
    measure = next(
        (
            name.removeprefix(prefix).removesuffix(suffix)
            for name, value in sorted(report.metrics.items())
            if value == finding.value and name.startswith(prefix) and name.endswith(suffix)
        ),
        "",
    )
    write = figures.percent if measure.endswith(("share", "rate")) else figures.figure
    value, limit = (
        "" if number is None else write(number) for number in (finding.value, finding.limit)
    )
    return measure, value, limit


def figures_of(report: Report) -> dict[str, list[Figure]]:
    """The figures by the section that shows them."""
    shown: dict[str, list[Figure]] = {"spikes": [], "splits": [], "tokenizer": []}
    for number, chart in enumerate(report.charts, 1):
        shown[_section(chart)].append(figure.build(chart, f"chart-{number}"))
    return shown


def _section(chart: Chart) -> str:
    return chart.section or ("spikes" if chart.kind == "lines" else "splits")


def _anchors(checks: Iterable[str]) -> dict[str, str]:
    """An id for each check: its name, or a number if the name could not be one."""
    anchors: dict[str, str] = {}
    for number, check in enumerate(dict.fromkeys(checks), 1):
        usable = _ANCHOR.fullmatch(check) and check not in _TITLES
        anchors[check] = check if usable else f"check-{number}"
    return anchors


def _groups(report: Report, findings: Sequence[Finding], anchors: Mapping[str, str]) -> list[Group]:
    groups = []
    for check, anchor in anchors.items():
        own = tuple(finding for finding in findings if finding.check == check)
        text = report.pages.get(check)
        groups.append(Group(check, anchor, own, markdown.render(text) if text else None))
    return groups


def _sections(report: Report, shown: Mapping[str, Sequence[Figure]]) -> dict[str, str]:
    """The sections that have something to say, for the navigation."""
    filled = {
        "inputs": report.errors or report.warnings,
        "findings": report.judgement.verdict != "empty",
        "spikes": report.spikes or shown["spikes"] or _unmet(report),
        "details": report.findings,
        "splits": report.splits,
        "encodings": report.encodings,
        "tokenizer": report.tokenizer or shown["tokenizer"],
        "account": report.account or report.cleaning,
        "checks": report.states or report.metrics,
    }
    return {name: title for name, title in _TITLES.items() if filled[name]}


def _unmet(report: Report) -> str:
    """Why there is no run to look at, if the check of its batches says so."""
    state = report.states.get("noisy-batch", "")
    return _why(state) if state.startswith("not-run") else ""


def _ranked(spikes: Iterable[Spike]) -> list[Spike]:
    """Verdicts on the data first, those of the control after those of the data's own run."""
    gravity = ("data", "both")
    return sorted(spikes, key=lambda s: (s.run != "raw", s.verdict not in gravity, s.step))


def _states(report: Report) -> dict[str, list[Any]]:
    """The checks by what became of them; with the reason where one did not run."""
    states: dict[str, list[Any]] = {"measured": [], "unwanted": [], "unmet": []}
    for check, state in sorted(report.states.items()):
        if state == "measured":
            states["measured"].append(check)
        elif state == "not-requested":
            states["unwanted"].append(check)
        else:
            states["unmet"].append((check, _why(state)))
    return states


def _why(state: str) -> str:
    return state.removeprefix("not-run").removeprefix(":").strip() or state


def _total(report: Report) -> dict[str, int]:
    counts = report.splits.values()
    return {
        "records": sum(count.records for count in counts),
        "kept": sum(count.kept for count in counts),
        "quarantined": sum(count.quarantined for count in counts),
        "bytes": sum(count.bytes for count in counts),
        "encodings": len({encoding for _, encoding, _, _ in report.encodings}),
    }
