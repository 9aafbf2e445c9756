"""Map: from sources to finished shards, by the survey and the units."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpusgate.pipeline.decode import DecodeOptions
from corpusgate.pipeline.engine import UNIT_BYTES, Engine, Serial, run_units, units_of
from corpusgate.pipeline.finished import Finished
from corpusgate.pipeline.read.options import ReadOptions
from corpusgate.pipeline.settle import settle_all
from corpusgate.pipeline.survey import Surveyed, survey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from corpusgate.pipeline.read.profile import Profile, Source
    from corpusgate.pipeline.unit import Work

    Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Mapper:
    """How the map runs: never what comes out of it."""

    cache: Path
    engine: Engine = field(default_factory=Serial)
    unit_bytes: int = UNIT_BYTES


@dataclass(frozen=True)
class _Survey:
    """One survey as a task that another process can take."""

    options: ReadOptions

    def __call__(self, source: Source) -> Surveyed:
        return survey(source, self.options)


def survey_sources(
    sources: Sequence[Source],
    options: ReadOptions,
    decode: DecodeOptions,
    engine: Engine,
    progress: Progress,
) -> tuple[Profile, ...]:
    """Profiles of sources, each read once."""
    done: list[Surveyed] = []
    for surveyed in engine.map(_Survey(options), sources):
        done.append(surveyed)
        progress("survey", len(done), len(sources))
    return settle_all(done, decode, options)


def run_map(
    paths: Sequence[Path],
    profiles: Sequence[Profile],
    work: Work,
    mapper: Mapper,
    progress: Progress,
) -> Finished:
    """Shards of all sources, those of the cache among them."""
    units = units_of(paths, profiles, mapper.unit_bytes)
    label = work.stages[-1]
    readers = run_units(
        units, work, mapper.cache, mapper.engine, lambda done, of: progress(label, done, of)
    )
    return Finished(tuple(readers), tuple(profiles), tuple(paths))
