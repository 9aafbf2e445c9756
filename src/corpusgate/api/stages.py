"""Stages: each a prefix of one pipeline; what it leaves is the same alone or in an audit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from corpusgate.api.below import run_ablate, sentences, write_charts, write_report
from corpusgate.api.corpus import MAPPED, Corpus, open_corpus, write_inputs
from corpusgate.api.sweep import sweep
from corpusgate.errors import InputError
from corpusgate.pipeline import compare_files
from corpusgate.pipeline.clean_copy import write_clean
from corpusgate.pipeline.compare import compare
from corpusgate.pipeline.count_files import read_counts
from corpusgate.pipeline.map import run_map
from corpusgate.pipeline.outputs import write_decode, write_tokens, write_totals
from corpusgate.pipeline.rebuild import account
from corpusgate.pipeline.records import RecordTables, split_facts
from corpusgate.pipeline.tokenize import load
from corpusgate.text.visible import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.api.job import Job
    from corpusgate.model import Report
    from corpusgate.pipeline.finished import Finished
    from corpusgate.pipeline.map import Mapper


def run_mapped(  # noqa: PLR0913 - each by its name
    job: Job,
    corpus: Corpus,
    stages: Sequence[str],
    write: Sequence[str],
    *,
    export: bool = False,
    mapper: Mapper | None = None,
) -> Finished:
    """Run the map through `stages` and write the outputs of those in `write`."""
    work = corpus.work(job, tuple(stages), export=export)
    tokenizer, fault = _tokenizer(work.tokenize.tokenizer)
    if fault:
        job.say(fault)
        work = replace(work, tokenize=replace(work.tokenize, tokenizer=None))
    done = run_map(corpus.paths, corpus.profiles, work, mapper or job.mapper(), job.progress)
    checks = work.checks
    for stage in write:
        sweep(job.out, stage)
        if stage == "decode":
            write_inputs(corpus, job.out)
            write_decode(done, job.out, export=export)
        elif stage == "clean":
            write_clean(done, job.out, work.clean, work.decode)
            held = account(job.out, corpus.profiles, job.progress)
            text = escaped(json.dumps(held, indent=1, sort_keys=True))
            (job.out / "account.json").write_text(text + "\n", encoding="utf-8")
        elif stage == "tokenize":
            write_tokens(done, job.out)
            text = escaped(json.dumps(tokenizer, indent=1, sort_keys=True))
            (job.out / "tokenizer.json").write_text(text + "\n", encoding="utf-8")
        write_totals(done, job.out, stage, checks)
    return done


def _tokenizer(path: str | None) -> tuple[dict[str, object], str]:
    """Which tokenizer the counts are of, for tokenizer.json; why it cannot be read, if so."""
    if not path:
        return {"requested": False, "fault": ""}, ""
    try:
        facts = load(path).facts()
    except InputError as error:
        return {"requested": True, "fault": str(error)}, str(error)
    return {"requested": True, "fault": "", **facts}, ""


def run_compare(job: Job, corpus: Corpus) -> None:
    """compare.json and plots/: each split held against train."""
    sweep(job.out, "compare")
    folder = job.find("tokens") or job.out
    records = job.find("records") or job.out
    with RecordTables(records, folder) as tables:
        facts = split_facts(tables, corpus.documents, read_counts(folder))
    comparison = compare(facts, job.config.compare)
    job.progress("compare", 1, 1)
    (job.out / "compare.json").write_text(compare_files.to_json(comparison), encoding="utf-8")
    write_charts(comparison.charts, job.out / "plots")


def decode(job: Job) -> Corpus:
    """Survey and decode."""
    corpus = open_corpus(job)
    run_mapped(job, corpus, ("decode",), ("decode",), export=job.export)
    return corpus


def clean(job: Job) -> Corpus:
    """The clean copy; the quarantine of decode with it, so that the folder can be undone."""
    corpus = open_corpus(job)
    if job.start:
        run_mapped(job, corpus, ("decode", "clean"), ("clean",))
    else:
        run_mapped(job, corpus, ("decode", "clean"), ("decode", "clean"))
    return corpus


def tokenize(job: Job) -> Corpus:
    """Lengths, hashes, tokens and round trips of the cleaned records."""
    corpus = open_corpus(job)
    run_mapped(job, corpus, MAPPED, ("tokenize",) if job.start else MAPPED)
    return corpus


def compare_splits(job: Job) -> Corpus:
    """Each split held against train."""
    corpus = open_corpus(job)
    if job.find("tokens") is None or not job.start:
        run_mapped(job, corpus, MAPPED, MAPPED)
    run_compare(job, corpus)
    return corpus


def ablate(job: Job) -> list[str]:
    """A proxy's runs and verdicts, in ablation/ beside earlier stages, else in `job.out` itself.

    Returns:
        A line for each verdict.
    """
    corpus = open_corpus(job)
    sweep(job.out, "ablate")
    folder = job.out / "ablation" if job.start else job.out
    return sentences(run_ablate(job, corpus, folder))


def report(job: Job) -> Report:
    """The page and its data, from what earlier stages left."""
    return write_report(job, open_corpus(job))


STAGES = {
    "decode": decode, "clean": clean, "tokenize": tokenize, "compare": compare_splits,
}  # fmt: skip
