"""Engines: map units to shards, here or in other processes, and skip what is finished."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from corpusgate.pipeline.read.profile import to_json
from corpusgate.pipeline.shards import ShardReader, write_shard
from corpusgate.pipeline.tokenize import load
from corpusgate.pipeline.unit import Run, Unit, Work, process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corpusgate.pipeline.read.profile import Profile, Segment
    from corpusgate.pipeline.tokenize import Loaded

A = TypeVar("A")
B = TypeVar("B")

# Large enough that starting a unit costs nothing beside it, small enough that two processes
# share a corpus of some tens of MB evenly.
UNIT_BYTES = 16 << 20


class Engine(Protocol):
    """Maps a function over items; results come in the order of the items."""

    def map(self, function: Callable[[A], B], items: Sequence[A]) -> Iterator[B]:
        """Results of `function`, one for each item, in order."""


@dataclass(frozen=True)
class Serial:
    """Everything in this process."""

    def map(self, function: Callable[[A], B], items: Sequence[A]) -> Iterator[B]:
        """One after the other."""
        return map(function, items)


@dataclass(frozen=True)
class Processes:
    """A pool of processes of this machine, started afresh (nothing inherited but its code)."""

    workers: int = 0

    def map(self, function: Callable[[A], B], items: Sequence[A]) -> Iterator[B]:
        """In any order, given back in that of the items."""
        workers = min(self.workers or os.cpu_count() or 1, len(items))
        if workers <= 1:
            yield from map(function, items)
            return
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            yield from pool.map(function, items)


def engine_of(name: str, workers: int = 0) -> Engine:
    """The engine of a name: serial or processes."""
    return Processes(workers) if name == "processes" else Serial()


def units_of(paths: Sequence[Path], profiles: Sequence[Profile], size: int) -> list[Unit]:
    """Bundle the segments of sources, in order, into units of about `size` bytes.

    A source that can only be read from its start stays in one unit.
    """
    units: list[list[Run]] = [[]]
    have = 0
    for path, profile in zip(paths, profiles, strict=True):
        pieces: list[list[Segment]] = []
        if profile.sequential or not profile.segments:
            pieces = [list(profile.segments)]
        else:
            pieces = [[segment] for segment in profile.segments]
        for piece in pieces:
            if have >= size:
                units.append([])
                have = 0
            last = units[-1][-1] if units[-1] else None
            if last is not None and last.profile is profile:
                joined = Run(path, profile, (*last.segments, *piece))
                units[-1][-1] = joined
            else:
                units[-1].append(Run(path, profile, tuple(piece)))
            have += sum(_weight(profile, segment) for segment in piece)
    return [Unit(i, tuple(runs)) for i, runs in enumerate(units) if runs]


def _weight(profile: Profile, segment: Segment) -> int:
    extent = segment.end - segment.start
    if profile.format in {"parquet", "arrow", "dataset"}:
        return extent * profile.stream_bytes // max(profile.records, 1)
    return extent


@cache
def code_version() -> str:
    """Hash of the package's own source: a unit is done again when the code has changed."""
    import corpusgate

    hashed = hashlib.blake2b(digest_size=8)
    root = Path(corpusgate.__file__).parent
    homes = [root, *(root / name for name in ("pipeline", "checks"))]
    for home in homes:
        for path in sorted(home.rglob("*.py")):
            hashed.update(path.read_bytes())
    return hashed.hexdigest()


def unit_key(unit: Unit, work: Work) -> str:
    """Name of a unit's shard: everything that its content depends on."""
    shared = {
        "work": {k: _plain(v) for k, v in vars(work).items() if k != "checks"},
        "checks": [[check.name(), _plain(check)] for check in work.checks],
        "tokenizer": _file_hash(work.tokenize.tokenizer),
        "code": code_version(),
        "runs": [
            [_bare(run.profile), [asdict(segment) for segment in run.segments]]
            for run in unit.runs
        ],
    }  # fmt: skip
    text = json.dumps(shared, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@lru_cache(maxsize=4096)
def _bare(profile: Profile) -> str:
    held = json.loads(to_json(profile))
    del held["segments"]
    return json.dumps(held, sort_keys=True)


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _file_hash(path: str | None) -> str:
    if not path:
        return ""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=1)
def _loaded(path: str) -> Loaded:
    return load(path)


@dataclass(frozen=True)
class _Task:
    """What a worker needs for one unit."""

    unit: Unit
    work: Work
    folder: Path


def _finish(task: _Task) -> Path:
    if not task.folder.is_dir():
        tokenizer = task.work.tokenize.tokenizer
        loaded = _loaded(tokenizer) if tokenizer and "tokenize" in task.work.stages else None
        write_shard(task.folder, process(task.unit, task.work, loaded))
    return task.folder


def run_units(
    units: Sequence[Unit],
    work: Work,
    cache_folder: Path,
    engine: Engine,
    progress: Callable[[int, int], None],
) -> list[ShardReader]:
    """Shards of all units, in order; those that lie finished in the cache are not redone."""
    folders = [cache_folder / "units" / unit_key(unit, work) for unit in units]
    missing = [
        _Task(unit, work, folder)
        for unit, folder in zip(units, folders, strict=True)
        if not folder.is_dir()
    ]
    done = len(units) - len(missing)
    progress(done, len(units))
    for _ in engine.map(_finish, missing):
        done += 1
        progress(done, len(units))
    return [ShardReader(folder) for folder in folders]
