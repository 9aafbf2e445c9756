"""Below the map: ablate, report and gate, from what the stages above left."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from corpusgate.api.build import TRAIN, build, judge
from corpusgate.api.evidence import STATE
from corpusgate.api.sweep import sweep
from corpusgate.errors import InputError, MissingExtraError
from corpusgate.model import Rule, Severity
from corpusgate.pipeline import gate
from corpusgate.pipeline.compare_files import tables
from corpusgate.pipeline.damage import reading
from corpusgate.reports.data import findings_parquet, metrics_json, report_json
from corpusgate.reports.page import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from corpusgate.api.corpus import Corpus
    from corpusgate.api.job import Job
    from corpusgate.model import Ablation, Chart, Judgement, Report


def run_ablate(job: Job, corpus: Corpus, folder: Path) -> Ablation | None:
    """What a proxy shows, into `folder`; or a file there that says why none was trained.

    Raises:
        MissingExtraError: it is asked for outright and torch is not installed.
    """
    for name in ("verdicts.json", STATE):
        (folder / name).unlink(missing_ok=True)
    found, state = _ablated(job, corpus)
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"state": state}, indent=1, ensure_ascii=True)
    (folder / STATE).write_text(text + "\n", encoding="utf-8")
    if found is not None:
        from corpusgate.pipeline.ablation.figures import charts
        from corpusgate.pipeline.ablation.files import write

        write(found, folder)
        write_charts(charts(found), folder / "plots")
    return found


def _ablated(job: Job, corpus: Corpus) -> tuple[Ablation | None, str]:
    """What a proxy shows, where it is asked for and can be; and the state of the stage."""
    wanted = job.config.ablate.run
    if wanted == "off":
        return None, "not-requested"
    if find_spec("torch") is None:
        if wanted == "on":
            raise MissingExtraError.of("torch", "train", "ablate")
        return None, "not-run: torch is not installed"
    from corpusgate.pipeline.ablation.cost import plan
    from corpusgate.pipeline.ablation.run import ablate
    from corpusgate.pipeline.views import training_text

    split = TRAIN if TRAIN in corpus.documents else next(iter(corpus.documents), "")
    work = corpus.work(job, ("decode", "clean"))
    text = training_text(corpus.paths, corpus.profiles, work, split)
    if not len(text):
        return None, "not-run: train holds no record"
    job.say(plan(text, job.config.ablate).sentence)
    return ablate(text, job.config.ablate, job.progress), "measured"


def write_charts(charts: Iterable[Chart], folder: Path) -> None:
    """The data of charts, a CSV file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in sorted(tables(charts).items()):
        (folder / name).write_text(text, encoding="utf-8")


def write_report(job: Job, corpus: Corpus) -> Report:
    """report.html, report.json, metrics.json, findings.parquet and gate.json."""
    report = build(job, corpus)
    sweep(job.out, "report")
    (job.out / "report.html").write_text(page(report), encoding="utf-8")
    (job.out / "report.json").write_text(report_json(report), encoding="utf-8")
    (job.out / "metrics.json").write_text(metrics_json(report), encoding="utf-8")
    (job.out / "findings.parquet").write_bytes(findings_parquet(report))
    return report


def run_gate(job: Job, evaluator: str = "native") -> Judgement:
    """gate.json: the policy held against the metrics of an audit.

    Without a configuration of its own it holds the audit to the limits that the audit was held
    to, which report.json lists.

    Args:
        job: `job.out` or a folder of `job.start` holds report.json.
        evaluator: "native" or "gx" (Great Expectations).

    Raises:
        InputError: no report is to be found.
    """
    folder = job.find("report.json")
    if folder is None:
        message = f"{job.out}: holds no report.json; run `corpusgate audit` or `report` first"
        raise InputError("no-report", message)
    with reading(folder / "report.json"):
        held = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        documents = {name: int(split["records"]) for name, split in held["splits"].items()}
        metrics, states, errors = held["metrics"], held["states"], len(held["errors"])
        kept = None if job.config.source else kept_policy(held["rules"])
    sweep(job.out, "gate")
    found = judge(
        job, job.checks(), metrics, states, documents, errors, evaluator=evaluator, kept=kept
    )
    gate.write(found, job.out / "gate.json")
    return found


def kept_policy(rules: Sequence[Mapping[str, Any]]) -> gate.Policy:
    """The limits that report.json lists, as a policy."""
    return gate.Policy(
        tuple(
            Rule(r["metric"], r["op"], float(r["limit"]), Severity[r["severity"].upper()])
            for r in rules
        )
    )


def sentences(found: Ablation | None) -> list[str]:
    """What an ablation says, a line for each spike."""
    if found is None:
        return ["no proxy was trained"]
    lines = [
        f"{spike.run} step {spike.step}: {spike.verdict}. {spike.sentence}"
        for spike in found.spikes
    ]
    return lines or [found.underpowered or "no spike stands out"]
