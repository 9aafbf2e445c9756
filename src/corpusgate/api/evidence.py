"""Evidence: everything the checks conclude from, gathered from the outputs of the stages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpusgate.api.corpus import source_facts
from corpusgate.model import Check, Evidence, Finding, Partial, SplitCount
from corpusgate.pipeline import compare_files
from corpusgate.pipeline.damage import reading
from corpusgate.pipeline.totals import load_totals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusgate.api.corpus import Corpus
    from corpusgate.api.job import Job
    from corpusgate.model import Ablation, Comparison
    from corpusgate.pipeline.records import RecordTables

STATE = "state.json"
"""The file of ablation/ that says why no proxy was trained, where none was."""


@dataclass(frozen=True)
class Results:
    """What the stages left, as far as they ran."""

    totals: Mapping[tuple[str, str], Partial]
    comparison: Comparison | None
    ablation: Ablation | None
    tokenizer: Mapping[str, Any]
    account: Mapping[str, Mapping[str, Any]]
    tables: bool
    """Whether tokens/ stands beside records/."""
    absent: Mapping[str, str]
    """Stages that left nothing: "not-requested", or "not-run: why"."""


def gather(job: Job, checks: Sequence[Check[Any]]) -> Results:
    """Read what the stages left in the job's folders.

    Args:
        job: where to look.
        checks: whose totals are wanted.
    """
    missing: dict[str, str] = {}
    totals: dict[tuple[str, str], Partial] = {}
    for stage in ("decode", "clean", "tokenize"):
        folder = job.find(f"partials/{stage}.json")
        if folder is None:
            missing.setdefault(stage, "not-requested")
            continue
        path = folder / "partials" / f"{stage}.json"
        with reading(path):
            text = path.read_text(encoding="utf-8")
            totals |= load_totals(text, [check for check in checks if check.needs == stage])
    comparison = None
    if folder := job.find("compare.json"):
        with reading(folder / "compare.json"):
            text = (folder / "compare.json").read_text(encoding="utf-8")
            comparison = compare_files.from_json(text)
        if comparison.absent:
            missing["compare"] = "not-requested"
    else:
        missing.setdefault("compare", "not-requested")
    ablation = _ablation(job)
    if ablation is None:
        missing["ablate"] = str(_json(job, f"ablation/{STATE}").get("state", "not-requested"))
    return Results(
        totals,
        comparison,
        ablation,
        _json(job, "tokenizer.json"),
        _json(job, "account.json"),
        job.find("tokens") is not None,
        missing,
    )


def _json(job: Job, name: str) -> dict[str, Any]:
    folder = job.find(name)
    if folder is None:
        return {}
    with reading(folder / name):
        held: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
        return held


def _ablation(job: Job) -> Ablation | None:
    folder = job.find("ablation/verdicts.json")
    if folder is None:
        return None
    from corpusgate.pipeline.ablation.files import read

    return read(folder / "ablation")


def state_of(check: Check[Any], results: Results) -> str:
    """Whether a check measured: "measured", "not-requested" or "not-run: why"."""
    if check.needs == "records":
        return "measured" if results.tables else "not-requested"
    if check.tokenizer and "tokenize" not in results.absent:
        if not results.tokenizer.get("requested"):
            return "not-requested"
        if fault := results.tokenizer.get("fault"):
            return f"not-run: {fault}"
    return results.absent.get(check.needs, "measured")


def conclude(
    checks: Sequence[Check[Any]],
    results: Results,
    corpus: Corpus,
    tables: RecordTables,
) -> tuple[list[Finding], dict[str, float], dict[str, str]]:
    """Findings, metrics and states of all checks."""
    findings: list[Finding] = []
    metrics: dict[str, float] = {}
    states: dict[str, str] = {}
    stages = {
        "decode": tuple(source_facts(p) for p in corpus.profiles),
        "compare": results.comparison,
        "ablate": results.ablation,
        "tokenize": results.tokenizer,
    }
    for check in checks:
        name = check.name()
        states[name] = state_of(check, results)
        if states[name] != "measured":
            continue
        held: dict[str, Partial] = {
            split: results.totals.get((name, split), check.partial()) for split in corpus.documents
        }
        evidence = Evidence(held, corpus.documents, tables, stages, results.absent)
        if not check.applies(evidence):
            states[name] = "not-requested"
            continue
        findings += check.conclude(evidence)
        metrics |= {f"{name}.{key}": value for key, value in check.metrics(evidence).items()}
    findings.sort(key=lambda f: (-f.severity, f.check, f.split, f.message))
    return findings, dict(sorted(metrics.items())), states


def split_counts(corpus: Corpus, results: Results) -> dict[str, SplitCount]:
    """Records, kept, set aside and bytes of each split."""
    counts: dict[str, SplitCount] = {}
    for profile in corpus.profiles:
        held = results.account.get(profile.key, {})
        away = int(held.get("quarantined", 0))
        old = counts.get(profile.split, SplitCount())
        counts[profile.split] = SplitCount(
            old.records + profile.records,
            old.kept + profile.records - away,
            old.quarantined + away,
            old.bytes + profile.stream_bytes,
        )
    return counts
