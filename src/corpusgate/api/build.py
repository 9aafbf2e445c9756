"""Build the Report: what the page, the JSON and the terminal show."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

from corpusgate import registry
from corpusgate.api.cause import cause
from corpusgate.api.evidence import Results, conclude, gather, split_counts
from corpusgate.api.excerpts import fetch, shown, shown_spikes, wanted_of
from corpusgate.model import Finding, Note, Report, Severity
from corpusgate.pipeline.gate import evaluate
from corpusgate.pipeline.records import RecordTables
from corpusgate.pipeline.token_summary import TokenizerSummary, notes
from corpusgate.pipeline.totals import TOKENIZER
from corpusgate.reports.figures import plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusgate.api.corpus import Corpus
    from corpusgate.api.job import Job
    from corpusgate.model import Check, Judgement, SplitCount
    from corpusgate.pipeline.gate import Policy

TRAIN = "train"


def build(job: Job, corpus: Corpus) -> Report:
    """The report of a job whose stages have run."""
    checks = job.checks()
    results = gather(job, checks)
    records, tokens = job.find("records"), job.find("tokens")
    with RecordTables(records or job.out, tokens or job.out) as tables:
        findings, metrics, states = conclude(checks, results, corpus, tables)
        encodings = _encodings(tables)
    errors = corpus.errors
    if fault := results.tokenizer.get("fault"):
        errors = (*errors, str(fault))
    judgement = judge(job, checks, metrics, states, corpus.documents, len(errors))
    spikes = results.ablation.spikes if results.ablation else ()
    held = fetch(job, corpus, wanted_of(findings, spikes, TRAIN))
    findings = [shown(finding, held) for finding in findings]
    counts = split_counts(corpus, results)
    return Report(
        title=job.config.report.title or _title(job),
        judgement=judgement,
        splits=counts,
        findings=tuple(findings),
        states=states,
        metrics=metrics,
        todo=todo(findings, results),
        cause=cause(results.ablation),
        charts=_charts(results),
        spikes=shown_spikes(spikes, held, TRAIN),
        encodings=encodings,
        tokenizer=_tokenizer_notes(results),
        account=_account(results, counts),
        pages={name: registry.page(name) for name in sorted({f.check for f in findings})},
        errors=errors,
        warnings=corpus.warnings,
    )


def judge(  # noqa: PLR0913, PLR0917 - what a verdict rests on
    job: Job,
    checks: Sequence[Check[Any]],
    metrics: Mapping[str, float | None],
    states: Mapping[str, str],
    documents: Mapping[str, int],
    errors: int,
    *,
    evaluator: str = "native",
    kept: Policy | None = None,
) -> Judgement:
    """The verdict of the policy over the metrics: that of the configuration, or the one kept.

    A check that was asked for and could not run is an error; noisy-batch only where ablation
    was asked for outright. A rule that the policy states itself binds in any case.
    """
    policy = kept or job.config.policy(checks)
    outright = kept.rules if kept else job.config.gate.rules
    stated = {rule.metric.split(".", 1)[0] for rule in outright}
    requested = [name for name, s in states.items() if s == "measured" or name in stated]
    excused = set() if job.config.ablate.run == "on" else {"noisy-batch"}
    failed = sum(s.startswith("not-run") for name, s in states.items() if name not in excused)
    decide = evaluate
    if evaluator == "gx":
        from corpusgate.integrations.gx import evaluate_gx

        decide = evaluate_gx
    return decide(
        policy, metrics, list(documents), requested, sum(documents.values()),
        errors=errors + failed,
    )  # fmt: skip


def _title(job: Job) -> str:
    from pathlib import Path

    first = job.inputs[0][0] if job.inputs else ""
    return Path(first).name or "audit"


def _encodings(tables: RecordTables) -> tuple[tuple[str, str, int, int], ...]:
    rows = tables.query(
        "SELECT split, coalesce(encoding, 'none'), count(*), "
        "count(*) FILTER (status IN ('unsure', 'undecodable')) "
        "FROM records GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2"
    )
    return tuple((str(a), str(b), int(c), int(d)) for a, b, c, d in rows)


def todo(findings: Sequence[Finding], results: Results) -> tuple[str, ...]:
    """What to do first, in order; a clean copy that holds nothing is no advice."""
    records, edits, away = (
        sum(int(held[name]) for held in results.account.values())
        for name in ("records", "changed", "quarantined")
    )
    first = []
    if (edits or away) and away < records:
        left = f", {away:,} set aside with their bytes" if away else ""
        changed = plural(edits, "record")
        first.append(f"Train on the clean copy: `clean/` ({changed} changed{left}).")
    said = "Train on the clean copy" if first else "\0"
    remedies = [f.remedy for f in findings if f.severity > Severity.INFO and f.remedy]
    return tuple(dict.fromkeys([*first, *(r for r in remedies if not r.startswith(said))]))


def _charts(results: Results) -> tuple[Any, ...]:
    charts = results.comparison.charts if results.comparison else ()
    if results.ablation is None:
        return tuple(charts)
    from corpusgate.pipeline.ablation.figures import charts as curves

    return (*curves(results.ablation), *charts)


def _tokenizer_notes(results: Results) -> tuple[Note, ...]:
    """What the tokenizer does, over all splits."""
    held = [total for (name, _), total in sorted(results.totals.items()) if name == TOKENIZER]
    total = reduce(add, (t for t in held if isinstance(t, TokenizerSummary)), TokenizerSummary())
    return notes(total, tuple(results.tokenizer.get("switched_off", ()))) if held else ()


def _account(results: Results, counts: Mapping[str, SplitCount]) -> tuple[Note, ...]:
    """Every byte accounted for."""
    held = list(results.account.values())
    if not held:
        return ()
    records = sum(c.records for c in counts.values())
    away = sum(c.quarantined for c in counts.values())
    edits = sum(int(h["edits"]) for h in held) - away
    size = sum(int(h["bytes"]) for h in held)
    streams = [h for h in held if h["rebuilt"] is not None]
    good = sum(bool(h["rebuilt"]) for h in streams)
    return (
        Note("records read", f"{records:,}", f"{records - away:,} kept, {away:,} set aside"),
        Note("edits", f"{edits:,}", "each in ledger.parquet, each can be undone"),
        Note("bytes read", f"{size:,}", f"in {len(held):,} sources"),
        Note(
            "sources rebuilt",
            f"{good:,} of {len(streams):,}",
            "from clean/, ledger.parquet and quarantine/ alone, byte for byte",
        ),
    )
