"""Discover: from paths, folders and patterns to sources, each with its split."""

from __future__ import annotations

import glob
import os
import re
import stat
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from corpusgate.pipeline.places import named
from corpusgate.pipeline.read.container import SUFFIXES
from corpusgate.pipeline.read.profile import Source
from corpusgate.pipeline.read.sniff import BY_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Names of splits as the hubs of data sets spell them.
KEYWORDS = {
    "train": "train", "training": "train", "val": "val", "valid": "val", "validation": "val",
    "dev": "val", "eval": "val", "test": "test", "testing": "test",
}  # fmt: skip
ORDER = {"train": 0, "val": 1, "test": 2}

# Files that stand beside data and are none: documentation, licences, code, configuration.
BESIDE = re.compile(
    r"(?i)^(readme|licen[cs]e|copying|notice|changelog|authors|citation)\b|"
    r"\.(md|rst|toml|ya?ml|py|ipynb|sh|html?|css|js|png|jpe?g|gif|svg|pdf|lock|cfg|ini|dvc)$|"
    r"^(dataset_infos?|state|dataset_dict|tokenizer|tokenizer_config)\.json$"
)
SHARD = re.compile(r"[-_.]?\d+(?:[-_]?of[-_]?\d+)?$|[-_.]part[-_.]?\d+$")


@dataclass(frozen=True)
class Found:
    """Sources in the order of the audit, and what was met on the way.

    `errors` end the audit with exit code 2 when the rest is done; `warnings` are told.
    """

    sources: tuple[Source, ...] = ()
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass
class _Walk:
    warnings: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    out: str = ""
    """Real path of the folder of the results."""

    def root(self, given: str) -> Iterator[tuple[Path, str]]:
        """(file, name below the root) of a path, folder or pattern that was given."""
        if glob.has_magic(given) and not os.path.lexists(given):
            matches = sorted(glob.glob(given, recursive=True))  # noqa: PTH207 (any root)
            if not matches:
                self.errors.append(f"{given}: no file matches; check the pattern")
            for match in matches:
                yield from self.root(match)
            return
        path = Path(given)
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            hint = "the link leads nowhere" if path.is_symlink() else "check the spelling"
            self.errors.append(f"{given}: no such file or folder; {hint}")
            return
        except OSError as error:
            self.errors.append(f"{given}: {(error.strerror or str(error)).lower()}")
            return
        if stat.S_ISDIR(mode):
            before = len(self.warnings) + len(self.errors)
            found = list(self._folder(path, path))
            if not found and before == len(self.warnings) + len(self.errors):
                self.warnings.append(f"{given}: holds no file of data; {LOOKED_FOR}")
            yield from found
        elif stat.S_ISREG(mode):
            yield path, named(path.name)
        else:
            self.errors.append(
                f"{given}: {_kind(mode)}, not a file; write what it gives to a file first"
            )

    def _folder(self, root: Path, folder: Path) -> Iterator[tuple[Path, str]]:
        real = os.path.realpath(folder)
        if real in self.seen:
            self.warnings.append(f"{folder}: a link back to a folder already read; left out")
            return
        self.seen.add(real)
        if folder != root and real == self.out:
            return
        if folder != root and _is_audit(folder):
            self.warnings.append(f"{folder}: the results of an audit; left out")
            return
        if _is_dataset(folder):
            yield folder, _below(root, folder)
            return
        try:
            names = sorted(os.listdir(folder))  # noqa: PTH208 (a name may not be UTF-8)
        except OSError as error:
            self.errors.append(f"{folder}: {(error.strerror or str(error)).lower()}")
            return
        for name in names:
            if not name.startswith("."):
                yield from self._entry(root, folder / name)

    def _entry(self, root: Path, path: Path) -> Iterator[tuple[Path, str]]:
        try:
            mode = path.stat().st_mode
        except OSError as error:
            loop = "a link that leads to itself" if error.errno == LOOP else "a dangling link"
            self.warnings.append(f"{path}: {loop}; left out")
            return
        if stat.S_ISDIR(mode):
            yield from self._folder(root, path)
        elif not stat.S_ISREG(mode):
            self.warnings.append(f"{path}: {_kind(mode)}, not a file; left out")
        elif is_data(path.name):
            real = os.path.realpath(path)
            if real in self.seen:
                self.warnings.append(f"{path}: a link to a file already read; left out")
                return
            self.seen.add(real)
            yield path, _below(root, path)


LOOP = 40  # ELOOP
LOOKED_FOR = "looked for .jsonl, .json, .csv, .tsv, .txt, .parquet, .arrow and the like"


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a FIFO"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _is_dataset(folder: Path) -> bool:
    return (folder / "dataset_info.json").is_file() and (folder / "state.json").is_file()


def _below(root: Path, path: Path) -> str:
    return named(path.relative_to(root).as_posix() if path != root else root.resolve().name)


def _is_audit(folder: Path) -> bool:
    return (folder / "sources.parquet").is_file() and (folder / "inputs.json").is_file()


def is_data(name: str) -> bool:
    """Whether a file met in a folder is taken for data."""
    path = PurePosixPath(name)
    if path.suffix.lower() in SUFFIXES:
        path = path.with_suffix("")
    if BESIDE.search(path.name):
        return False
    return path.suffix.lower() in BY_SUFFIX or not BESIDE.search(name)


def discover(
    inputs: Sequence[tuple[str, str]],
    splits: Mapping[str, Sequence[str]] | None = None,
    out: Path | None = None,
) -> Found:
    """Sources of (path, split) pairs; an empty split is guessed from the names.

    Args:
        inputs: what was given, with the split it was given for.
        splits: patterns (relative to a folder's root) by split; they go before any guess.
        out: the folder of the results, which is no data where it lies in a folder of it.
    """
    walk = _Walk(out=os.path.realpath(out) if out else "")
    given: list[Source] = []
    loose: list[Source] = []
    for path, split in inputs:
        for file, name in walk.root(path):
            source = Source(file, name, split)
            (given if split else loose).append(source)
    found = [*given, *_guessed(loose, splits or {})]
    ordered = sorted(found, key=lambda s: (ORDER.get(s.split, 3), s.split, s.name, str(s.path)))
    once = _once(ordered, walk.warnings)
    return Found(tuple(_distinct(once)), tuple(walk.warnings), tuple(walk.errors))


def _once(sources: Sequence[Source], warnings: list[str]) -> list[Source]:
    """The sources without those that a split holds already under the same or another name."""
    held: dict[tuple[str, str], Source] = {}
    for source in sources:
        key = source.split, os.path.realpath(source.path)
        if key in held:
            warnings.append(f"{source.path}: given twice for {source.split}; read once")
        else:
            held[key] = source
    return list(held.values())


def _keyword(name: str) -> tuple[str, str]:
    """(split, stem without shard number) that a relative path hints at, or ("", "")."""
    path = PurePosixPath(name.lower())
    stem = path.name.split(".", 1)[0]
    for part in (stem, *reversed(path.parts[:-1])):
        for word in re.split(r"[^a-z]+", part):
            if word in KEYWORDS:
                return KEYWORDS[word], SHARD.sub("", part)
    return "", ""


def _guessed(sources: Sequence[Source], splits: Mapping[str, Sequence[str]]) -> list[Source]:
    hints = {source.name: _keyword(source.name) for source in sources}
    stems: dict[str, set[str]] = {}
    for word, stem in hints.values():
        stems.setdefault(word, set()).add(stem)
    out = []
    for source in sources:
        word, stem = hints[source.name]
        split = word or "train"
        if word and word != "train" and len(stems[word]) > 1 and stem not in KEYWORDS:
            split = stem  # val and val_long are two splits, val-00000 and val-00001 are one
        for name, patterns in splits.items():
            if any(PurePosixPath(source.name).match(pattern) for pattern in patterns):
                split = name
        out.append(replace(source, split=split))
    return out


def _distinct(sources: Sequence[Source]) -> Iterator[Source]:
    """The sources under names that differ within a split."""
    count: dict[str, int] = {}
    for source in sources:
        count[source.key] = count.get(source.key, 0) + 1
    twice = [os.path.abspath(s.path) for s in sources if count[s.key] > 1]  # noqa: PTH100
    common = os.path.commonpath(twice) if twice else ""
    keys = {source.key for source in sources if count[source.key] == 1}
    for source in sources:
        if count[source.key] == 1:
            yield source
            continue
        name = named(os.path.relpath(os.path.abspath(source.path), common))  # noqa: PTH100
        distinct, number = replace(source, name=name), 1
        while distinct.key in keys:  # two names that differ in bytes which are no UTF-8
            number += 1
            distinct = replace(source, name=f"{number}/{name}")
        keys.add(distinct.key)
        yield distinct
