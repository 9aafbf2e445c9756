"""Views: the texts of records, read again from their sources by place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import UNKNOWN, Status
from corpusgate.pipeline.ablation.corpus import TrainingText
from corpusgate.pipeline.read.csv_fields import values
from corpusgate.pipeline.read.fields import expand
from corpusgate.pipeline.read.json_text import parse, unescape
from corpusgate.pipeline.unit import Run, Work, blocks, clean_run
from corpusgate.text.characters import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from corpusgate.model import Block
    from corpusgate.pipeline.read.profile import Profile

CONTROL = Kind.NUL | Kind.C0 | Kind.DEL | Kind.C1
INVISIBLE = Kind.ZERO_WIDTH | Kind.BIDI_CONTROL | Kind.TAG | Kind.BOM


@dataclass(frozen=True)
class View:
    """One record as it stands in its source, as decoded, and as cleaned."""

    split: str
    source: str
    record: int
    raw: str
    """Source bytes read as UTF-8, errors replaced: what a naive loader feeds."""
    text: str | None
    clean: str | None
    data: bytes
    """The record's source bytes."""
    encoding: str


def views(
    paths: Sequence[Path], profiles: Sequence[Profile], work: Work,
    wanted: Mapping[str, set[int]],
) -> Iterator[View]:  # fmt: skip
    """Views of the wanted records (numbers by source key), in source order."""
    for path, profile in zip(paths, profiles, strict=True):
        numbers = sorted(wanted.get(profile.key, ()))
        if not numbers:
            continue
        keep = tuple(
            s
            for s in profile.segments
            if any(s.first_record <= n < s.first_record + s.records for n in numbers)
        )
        for block, view in _block_views(Run(path, profile, keep), work):
            for row in np.flatnonzero(np.isin(block.columns.record, numbers)).tolist():
                yield view(row)


def _block_views(run: Run, work: Work):  # type: ignore[no-untyped-def]
    for _, block in blocks(run, work):
        if block is None:
            continue
        cleaned = clean_run(run, block, work)

        def view(row: int, block: Block = block, cleaned: object = cleaned) -> View:
            texts = cleaned.texts[row]  # type: ignore[attr-defined]
            decoded = block.status[row] != Status.UNDECODABLE
            return View(
                block.split, block.source, int(block.columns.record[row]),
                raw_text(block, row, run.profile), block.text(row) if decoded else None,
                None if texts is None else b"\n".join(texts).decode("utf-8", "replace"),
                record_bytes(block, row), block.encodings[block.encoding[row]],
            )  # fmt: skip

        yield block, view


def record_bytes(block: Block, row: int) -> bytes:
    """A record's bytes as the source holds them (as UTF-8 where it is UTF-16 or UTF-32)."""
    if block.columns.start[row] == UNKNOWN or block.stream_offsets is not None:
        first, last = np.searchsorted(block.body_record, [row, row + 1]).tolist()
        return b"\n".join(block.view[low:high] for low, high in block.body[first:last].tolist())
    start = int(block.columns.start[row]) - block.base
    return block.view[start : start + int(block.columns.length[row])]


def raw_text(block: Block, row: int, profile: Profile) -> str:
    """A record's texts as a loader reads them that takes everything for UTF-8."""
    usable = not block.fault[row]
    if block.status[row] == Status.OK and usable:
        return block.text(row)
    body = record_bytes(block, row).decode("utf-8", "replace")
    if profile.format == "csv":
        held = values(body.encode(), profile.delimiter)
        named = dict(zip(profile.columns, held, strict=False))
        return "\n".join(named[name] for name in profile.text if name in named)
    if profile.format in {"json", "jsonl"}:
        data = body.encode()
        found = parse(data, expand(profile.text), ())
        if not found.fault:
            parts = (
                unescape(data[t.start : t.end]).decode("utf-8", "replace") for t in found.texts
            )
            return "\n".join(parts)
    return body


def training_text(
    paths: Sequence[Path], profiles: Sequence[Profile], work: Work, split: str
) -> TrainingText:
    """The records of a split in their views, with the character checks that flag each."""
    columns: dict[str, list[object]] = {
        name: [] for name in (
            "id", "source", "record", "line", "offset", "stratum", "raw", "clean", "checks"
        )
    }  # fmt: skip
    for path, profile in zip(paths, profiles, strict=True):
        if profile.split != split:
            continue
        for block, view in _block_views(Run(path, profile, profile.segments), work):
            flags = [_flags(block, row) for row in range(len(block))]
            for row in range(len(block)):
                held = view(row)
                columns["raw"].append(held.raw)
                columns["clean"].append(held.clean)
            columns["id"] += block.ids.tolist()
            columns["source"] += [block.source] * len(block)
            columns["record"] += block.columns.record.tolist()
            columns["line"] += block.columns.line.tolist()
            columns["offset"] += block.columns.start.tolist()
            columns["checks"] += flags
            columns["stratum"] += _strata(block)
    return TrainingText(**{name: tuple(held) for name, held in columns.items()})  # type: ignore[arg-type]


def _strata(block: Block) -> list[str]:
    from corpusgate.pipeline.rows import scripts

    return [f"{script}//{block.source}" for script in scripts(block)]


def _flags(block: Block, row: int) -> frozenset[str]:
    bits = int(block.bits[row])
    found = {
        "control-chars": bits & CONTROL,
        "invisible-chars": bits & INVISIBLE,
        "replacement-chars": bits & Kind.REPLACEMENT,
        "mixed-encoding": block.status[row] == Status.RECOVERED and block.stream_offsets is None,
        "undecodable-bytes": block.status[row] > Status.RECOVERED,
        "broken-record": bool(block.fault[row]),
    }
    return frozenset(name for name, flagged in found.items() if flagged)
