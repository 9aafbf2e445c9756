"""Audit: every stage in order; and each stage that stands below the map alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from corpusgate.api.build import build, judge
from corpusgate.api.corpus import MAPPED, Corpus, open_corpus
from corpusgate.api.stages import run_compare, run_mapped, sweep
from corpusgate.errors import InputError, MissingExtraError
from corpusgate.pipeline import gate
from corpusgate.reports.data import findings_parquet, metrics_json, report_json
from corpusgate.reports.page import page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusgate.api.job import Job
    from corpusgate.model import Judgement, Report


@dataclass(frozen=True)
class Audited:
    """What an audit came to."""

    report: Report
    corpus: Corpus

    @property
    def exit_code(self) -> int:
        """The code that the command exits with."""
        return self.report.judgement.exit_code


def audit(job: Job) -> Audited:
    """Run every stage and leave everything in `job.out`."""
    job.out.mkdir(parents=True, exist_ok=True)
    corpus = open_corpus(job)
    run_mapped(job, corpus, MAPPED, MAPPED)
    run_compare(job, corpus)
    absent = run_ablate(job, corpus)
    report = write_report(job, corpus, absent)
    gate.write(report.judgement, job.out / "gate.json")
    return Audited(report, corpus)


def run_ablate(job: Job, corpus: Corpus) -> dict[str, str]:
    """ablation/, where it is asked for and can be; else the reason why not, by stage.

    Raises:
        MissingExtraError: it is asked for outright and torch is not installed.
    """
    sweep(job.out, "ablate")
    wanted = job.config.ablate.run
    if wanted == "off":
        return {"ablate": "not-requested"}
    if find_spec("torch") is None:
        if wanted == "on":
            raise MissingExtraError.of("torch", "train", "ablate")
        return {"ablate": "not-run: torch is not installed"}
    from corpusgate.pipeline.ablation.files import write
    from corpusgate.pipeline.ablation.run import ablate, plan
    from corpusgate.pipeline.views import training_text

    split = "train" if "train" in corpus.documents else next(iter(corpus.documents), "")
    work = corpus.work(job, ("decode", "clean"))
    text = training_text(corpus.paths, corpus.profiles, work, split)
    if not len(text):
        return {"ablate": "not-run: train holds no record"}
    job.say(plan(text, job.config.ablate).sentence)
    found = ablate(text, job.config.ablate, job.progress)
    write(found, job.out / "ablation")
    return {}


def write_report(job: Job, corpus: Corpus, absent: Mapping[str, str]) -> Report:
    """report.html, report.json, metrics.json, findings.parquet and gate.json."""
    report = build(job, corpus, absent)
    sweep(job.out, "report")
    (job.out / "report.html").write_text(page(report), encoding="utf-8")
    (job.out / "report.json").write_text(report_json(report), encoding="utf-8")
    (job.out / "metrics.json").write_text(metrics_json(report), encoding="utf-8")
    (job.out / "findings.parquet").write_bytes(findings_parquet(report))
    return report


def run_gate(job: Job, evaluator: str = "native") -> Judgement:
    """gate.json: the policy held against the metrics of an audit.

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
    held = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    sweep(job.out, "gate")
    found = judge(
        job, job.checks(), held["metrics"], held["states"],
        {name: int(split["records"]) for name, split in held["splits"].items()},
        len(held["errors"]), evaluator=evaluator,
    )  # fmt: skip
    gate.write(found, job.out / "gate.json")
    return found
