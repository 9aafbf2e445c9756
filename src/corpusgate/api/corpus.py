"""Corpus: the sources of a job, surveyed now or by an earlier stage."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from corpusgate.api.sweep import claim
from corpusgate.checks.empty_source import REMEDY as EMPTY_REMEDY
from corpusgate.checks.empty_source import held_by
from corpusgate.checks.unreadable_source import REMEDY, faulty
from corpusgate.errors import InputError
from corpusgate.model import SourceFacts
from corpusgate.pipeline.damage import reading
from corpusgate.pipeline.discover import discover
from corpusgate.pipeline.map import survey_sources
from corpusgate.pipeline.outputs import read_sources
from corpusgate.pipeline.read.sniff import named_container, named_format
from corpusgate.pipeline.unit import Work
from corpusgate.text.visible import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.api.job import Job
    from corpusgate.pipeline.read.profile import Profile

INPUTS = "inputs.json"
TOLD = 10
"""Faulty files named on the terminal before the rest is only counted."""
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
        InputError: an earlier stage is to be continued, but what it left or its sources are
            not to be found.
        ConfigError: the folder of the results cannot be used.
    """
    config = job.config
    claim(job.out, (path for path, _ in job.inputs))
    found = discover(job.inputs, config.input.splits, job.out)
    for line in (*found.warnings, *found.errors):
        job.say(line)
    if job.start and (folder := job.find("sources.parquet")):
        return _continued(folder, {s.key: s.path for s in found.sources})
    if job.start and not job.inputs:
        folders = ", ".join(str(folder) for folder in job.start)
        message = f"{folders}: no stage has run there; name the data, or run `corpusgate decode`"
        raise InputError("no-earlier-stage", message)
    profiles = survey_sources(found.sources, config.input, config.decode, job.engine, job.progress)
    paths = tuple(source.path for source in found.sources)
    faults = [fault_of(*held) for held in zip(paths, profiles, strict=True)]
    for line in _told([fault for fault in faults if fault]):
        job.say(line)
    unread = (f for p, f in zip(profiles, faults, strict=True) if unreadable(p))
    return Corpus(paths, profiles, found.warnings, (*found.errors, *unread))


def unreadable(profile: Profile) -> bool:
    """Whether a source could not be read to its end: what exit code 2 is for."""
    return profile.fault.startswith(("unreadable", "container"))


def source_facts(profile: Profile) -> SourceFacts:
    """A profile as the checks see it."""
    return SourceFacts(
        profile.source, profile.split, profile.container, named_container(profile.source),
        profile.format, named_format(profile.source), profile.text, profile.encodings.encodings,
        profile.records, profile.stream_bytes, profile.fault,
        tuple(
            (s.first_record, s.first_line + 1, s.start, s.end - s.start)
            for s in profile.segments
            if s.oversize
        ),
    )  # fmt: skip


def fault_of(path: Path, profile: Profile) -> str:
    """What is wrong with a source as a whole and what to do about it, or the empty string."""
    facts = source_facts(profile)
    if not profile.fault and not profile.records:
        return f"{path}: {held_by(facts)}. {EMPTY_REMEDY}"
    for _, what, kind in faulty((facts,), {}):
        return f"{path}: {what.rstrip('.')}. {REMEDY[kind].format(source=path.name)}"
    return ""


def _told(faults: Sequence[str]) -> list[str]:
    more = len(faults) - TOLD
    tail = [f"and {more:,} more such files; the report lists them"] if more > 0 else []
    return [*faults[:TOLD], *tail]


def _continued(folder: Path, paths: dict[str, Path]) -> Corpus:
    profiles = read_sources(folder)
    if not paths:
        paths = recorded_paths(folder)
    lost = [p.key for p in profiles if p.key not in paths or not paths[p.key].exists()]
    if lost:
        message = (
            f"{folder}: its source {lost[0]} is not to be found from here; "
            "name the files or the folder again beside --from"
        )
        raise InputError("sources-lost", message)
    ordered = tuple(paths[p.key] for p in profiles)
    with reading(folder / INPUTS):
        held = json.loads((folder / INPUTS).read_text(encoding="utf-8"))
        return Corpus(ordered, profiles, tuple(held["warnings"]), tuple(held["errors"]))


def recorded_paths(folder: Path) -> dict[str, Path]:
    """Where the sources of an earlier stage lay, by key, if its run.json is there."""
    run = folder / "run.json"
    if not run.is_file():
        return {}
    with reading(run):
        held = json.loads(run.read_text(encoding="utf-8"))
        return {key: Path(path) for key, path in held.get("sources", {}).items()}


def write_inputs(corpus: Corpus, out: Path) -> None:
    """inputs.json: what was met on the way to the sources."""
    held = {"warnings": corpus.warnings, "errors": corpus.errors}
    text = escaped(json.dumps(held, indent=1, sort_keys=True))
    (out / INPUTS).write_text(text + "\n", encoding="utf-8")
