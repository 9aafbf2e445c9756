"""Rebuild: sources from the outputs alone, to give them back or to show that nothing is lost."""

from __future__ import annotations

import hashlib
from itertools import groupby
from typing import TYPE_CHECKING, Any

from corpusgate.errors import InputError
from corpusgate.pipeline.ledger import WHOLE, Entry, entries, restore
from corpusgate.pipeline.outputs import read_sources
from corpusgate.pipeline.places import place
from corpusgate.pipeline.read.columnar_undo import rebuilt_sha256, restore_rows
from corpusgate.pipeline.read.container import compressor
from corpusgate.pipeline.read.profile import COLUMNAR, Profile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path


def _by_source(
    folder: Path, profiles: Sequence[Profile]
) -> Iterator[tuple[Profile, Iterator[Entry]]]:
    """Each source with its ledger rows, which lie in the order of the sources."""
    groups = groupby(entries(folder), key=lambda entry: entry.source)
    held = next(groups, None)
    for profile in profiles:
        if held is not None and held[0] == profile.key:
            yield profile, held[1]
            held = next(groups, None)
        else:
            yield profile, iter(())


def account(
    folder: Path, profiles: Sequence[Profile], progress: Callable[[str, int, int], None]
) -> dict[str, dict[str, Any]]:
    """What became of each source, and whether it can be rebuilt from the outputs alone.

    Streams are rebuilt and hashed byte for byte, columnar sources row by row.
    """
    held: dict[str, dict[str, Any]] = {}
    for number, (profile, rows) in enumerate(_by_source(folder, profiles), 1):
        tally = _Tally(rows)
        rebuilt: bool | None = None
        if profile.format and profile.format not in COLUMNAR:
            hashed = hashlib.sha256()
            for data in restore(folder, profile.key, tally):
                hashed.update(data)
            rebuilt = hashed.hexdigest() == profile.stream_sha256
        elif profile.format:
            rebuilt = rebuilt_sha256(folder, profile.key, tally) == profile.stream_sha256
        tally.exhaust()
        held[profile.key] = {
            "split": profile.split, "records": profile.records, "edits": tally.edits,
            "quarantined": tally.quarantined, "changed": tally.changed,
            "bytes": profile.stream_bytes, "rebuilt": rebuilt,
        }  # fmt: skip
        progress("rebuild", number, len(profiles))
    return held


class _Tally:
    """Ledger rows, counted as they pass."""

    def __init__(self, rows: Iterator[Entry]) -> None:
        self._rows = rows
        self.edits = self.quarantined = self.changed = 0
        self._last = WHOLE

    def __iter__(self) -> Iterator[Entry]:
        for entry in self._rows:
            self.edits += 1
            if entry.quarantine:
                self.quarantined += 1
            elif entry.record not in (self._last, WHOLE):
                self.changed += 1
                self._last = entry.record
            yield entry

    def exhaust(self) -> None:
        """Count what nobody took."""
        for _ in self:
            pass


def undo(folder: Path, out: Path) -> list[Path]:
    """Give every source back from the outputs of an audit: split/relative path below `out`.

    Compressed sources are compressed anew; their decompressed stream is the same.

    Raises:
        InputError: the folder holds no clean copy and ledger, or a source comes out otherwise
            than it was read.
    """
    if not (folder / "sources.parquet").is_file():
        raise InputError("no-ledger", f"{folder}: holds no sources.parquet; nothing to undo")
    written = []
    for profile, rows in _by_source(folder, read_sources(folder)):
        target = place(out, profile.key)
        if not profile.format:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if profile.format in COLUMNAR:
            if restore_rows(folder, target, profile.key, rows) != profile.stream_sha256:
                raise _differs(target, folder)
        else:
            _write_stream(folder, target, profile, rows)
        written.append(target)
    return written


def _write_stream(folder: Path, target: Path, profile: Profile, rows: Iterator[Entry]) -> None:
    hashed = hashlib.sha256()
    compress, flush = compressor(profile.container)
    with target.open("wb") as file:
        for data in restore(folder, profile.key, rows):
            hashed.update(data)
            file.write(compress(data))
        file.write(flush())
    if hashed.hexdigest() != profile.stream_sha256:
        raise _differs(target, folder)


def _differs(target: Path, folder: Path) -> InputError:
    message = (
        f"{target}: is not what was read; the clean copy or the ledger in {folder} "
        "was changed since"
    )
    return InputError("undo-differs", message)
