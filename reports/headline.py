"""What a reader who stops after one line should know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusgate.model import Severity
from corpusgate.reports.figures import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusgate.model import Finding, Report

# A list of what to do first that is longer than three is not read (the page's own rule).
FIRST = 3


def ranked(report: Report) -> tuple[Finding, ...]:
    """The findings, the gravest first; equals stay in the order of the audit."""
    return tuple(sorted(report.findings, key=lambda finding: -finding.severity))


def headline(report: Report) -> str:
    """The verdict in a few words, with what it counts."""
    judgement = report.judgement
    states = [outcome.state for outcome in judgement.outcomes]
    match judgement.verdict:
        case "fail":
            broken = states.count("fail")
            counted = plural(broken, "limit") + " broken" if broken else _count(report, "error")
            return f"Gate shut: {counted}"
        case "error":
            unread, missing = len(report.errors), states.count("missing")
            # a judgement counts what could not be read, and the checks that could not run
            failed = judgement.errors - unread
            reasons = [f"{plural(unread, 'input')} could not be read"] if unread else []
            reasons += [f"{plural(failed, 'check')} could not run"] if failed > 0 else []
            reasons += [f"{plural(missing, 'metric')} missing"] if missing else []
            return "No verdict: " + (", ".join(reasons) or "the audit could not be finished")
        case "empty":
            return "Nothing to audit: no record was read"
        case _:
            warnings = _count(report, "warning")
            found = "" if warnings.startswith("0") else f"{warnings}, "
            return f"Gate open: {found}no limit broken"


def _count(report: Report, label: str) -> str:
    return plural(sum(finding.severity.label == label for finding in report.findings), label)


def lead(report: Report) -> str:
    """The cause if one was found, else what weighs most."""
    if first := report.cause or _only_in_the_policy(report):
        return first
    if report.judgement.verdict == "error" and report.errors:
        return report.errors[0]
    missing = [o.metric for o in report.judgement.outcomes if o.state == "missing"]
    findings = ranked(report)
    # of records that all were set aside nothing is measured: say why they were
    told = bool(findings) and findings[0].severity is Severity.ERROR
    if report.judgement.verdict == "error" and missing and not told:
        more = f" and {len(missing) - FIRST} more" if len(missing) > FIRST else ""
        names = ", ".join(f"`{name}`" for name in missing[:FIRST])
        return f"The policy limits {names}{more}, which this audit did not measure."
    if findings:
        return findings[0].message
    if report.judgement.verdict == "pass":
        return "No check found anything to show."
    return ""


def _only_in_the_policy(report: Report) -> str:
    """Limits that are broken though no finding weighs as an error: those of the policy itself."""
    grave = {f.check for f in report.findings if f.severity is Severity.ERROR}
    broken = [
        f"`{o.metric}` is {o.value:.6g}, the policy asks for {o.op} {o.limit:g}"
        for o in report.judgement.outcomes
        if o.state == "fail" and o.metric.split(".", 1)[0] not in grave and o.value is not None
    ]
    return "; ".join(broken[:FIRST]) + "." if broken else ""


def todo(report: Report) -> tuple[str, ...]:
    """Up to three things to do first; the remedies of the gravest findings if none is stated."""
    return tuple(dict.fromkeys(report.todo or _remedies(report)))[:FIRST]


def _remedies(report: Report) -> Iterator[str]:
    for finding in ranked(report):
        if finding.remedy and finding.severity > Severity.INFO:
            yield finding.remedy
