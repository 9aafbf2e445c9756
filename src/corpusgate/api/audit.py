"""Audit: every stage in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.api.below import run_ablate, write_report
from corpusgate.api.corpus import MAPPED, Corpus, open_corpus
from corpusgate.api.stages import run_compare, run_mapped
from corpusgate.api.sweep import sweep
from corpusgate.pipeline import gate

if TYPE_CHECKING:
    from corpusgate.api.job import Job
    from corpusgate.model import Report


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
    sweep(job.out, "ablate")
    run_ablate(job, corpus, job.out / "ablation")
    report = write_report(job, corpus)
    gate.write(report.judgement, job.out / "gate.json")
    return Audited(report, corpus)
