"""Corpus: the sources of a job, surveyed now or by an earlier stage."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from corpusgate.errors import InputError
from corpusgate.pipeline.discover import discover
from corpusgate.pipeline.map import survey_sources
from corpusgate.pipeline.outputs import read_sources
from corpusgate.pipeline.unit import Work

if TYPE_CHECKING:
    from corpusgate.api.job import Job
    from corpusgate.pipeline.read.profile import Profile

INPUTS = "inputs.json"
MAPPED = ("decode", "clean", "tokenize")


@dataclass(frozen=True)
class Corpus:
    """Surveyed sources, in order, and what was met on the way to them."""

    paths: tuple[Path, ...]
    profiles: tuple[Profile, ...]
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def documents(self) -> dict[str, int]:
        """Records by split, in the order of the audit."""
        found: dict[str, int] = {}
        for profile in self.profiles:
            found[profile.split] = found.get(profile.split, 0) + profile.records
        return found

    def work(self, job: Job, stages: tuple[str, ...], *, export: bool = False) -> Work:
        """What the units of this corpus share."""
        config = job.config
        tokenizer = config.tokenize.tokenizer if "tokenize" in stages else None
        resolved = str(config.resolve(tokenizer)) if tokenizer else None
        return Work(
            stages=stages,
            decode=config.decode,
            clean=config.clean,
            grouping=config.compare.grouping,
            documents=tuple(self.documents.items()),
            checks=tuple(check for check in job.checks() if check.needs in stages),
            tokenize=replace(config.tokenize, tokenizer=resolved),
            export=export,
        )


def open_corpus(job: Job) -> Corpus:
    """The corpus of a job: from an earlier stage's folder where there is one, else surveyed.

    Raises:
        InputError: an earlier stage is to be continued, but its sources are not to be found.
    """
    config = job.config
    found = discover(job.inputs, config.input.splits)
    for line in (*found.warnings, *found.errors):
        job.say(line)
    if job.start and (folder := job.find("sources.parquet")):
        return _continued(job, folder, {s.key: s.path for s in found.sources})
    profiles = survey_sources(found.sources, config.input, config.decode, job.engine, job.progress)
    faults = tuple(f"{p.key}: {p.fault}" for p in profiles if unreadable(p))
    paths = tuple(source.path for source in found.sources)
    return Corpus(paths, profiles, found.warnings, (*found.errors, *faults))


def unreadable(profile: Profile) -> bool:
    """Whether a source could not be read to its end: what exit code 2 is for."""
    return profile.fault.startswith(("unreadable", "container"))


def _continued(job: Job, folder: Path, paths: dict[str, Path]) -> Corpus:
    profiles = read_sources(folder)
    if not paths:
        paths = _recorded_paths(folder)
    lost = [p.key for p in profiles if p.key not in paths or not paths[p.key].exists()]
    if lost:
        message = (
            f"{folder}: its source {lost[0]} is not to be found from here; "
            "name the files or the folder again beside --from"
        )
        raise InputError("sources-lost", message)
    held = json.loads((folder / INPUTS).read_text(encoding="utf-8"))
    del job
    ordered = tuple(paths[p.key] for p in profiles)
    return Corpus(ordered, profiles, tuple(held["warnings"]), tuple(held["errors"]))


def _recorded_paths(folder: Path) -> dict[str, Path]:
    run = folder / "run.json"
    if not run.is_file():
        return {}
    held = json.loads(run.read_text(encoding="utf-8"))
    return {key: Path(path) for key, path in held.get("sources", {}).items()}


def write_inputs(corpus: Corpus, out: Path) -> None:
    """inputs.json: what was met on the way to the sources."""
    held = {"warnings": corpus.warnings, "errors": corpus.errors}
    text = json.dumps(held, indent=1, sort_keys=True, ensure_ascii=True)
    (out / INPUTS).write_text(text + "\n", encoding="utf-8")
