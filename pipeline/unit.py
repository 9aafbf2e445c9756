"""A unit of work: a bundle of segments on its way from bytes to shards and partials."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.pipeline.clean import CleanOptions, clean, set_aside
from corpusgate.pipeline.decode import DecodeOptions
from corpusgate.pipeline.document_groups import (
    GroupCounts,
    Grouping,
    count_tokens,
    count_words,
    group_of,
)
from corpusgate.pipeline.edits import Cleaned, source_bytes
from corpusgate.pipeline.ledger import Entry
from corpusgate.pipeline.read.assemble import build
from corpusgate.pipeline.read.columnar import blocks as columnar_blocks
from corpusgate.pipeline.read.columnar_clean import (
    clean_columnar,
    clean_table,
    set_aside_columnar,
    whole_rows,
)
from corpusgate.pipeline.read.pieces import pieces
from corpusgate.pipeline.read.profile import COLUMNAR, Profile, Segment
from corpusgate.pipeline.rows import (
    decode_rows,
    export_rows,
    export_schema,
    oversize_row,
    records_schema,
    token_rows,
)
from corpusgate.pipeline.texts import clean_block
from corpusgate.pipeline.token_summary import TokenizerSummary
from corpusgate.pipeline.tokenize import TokenizeOptions, tokenize
from corpusgate.pipeline.totals import TOKENIZER, Totals
from corpusgate.text.characters import Kind
from corpusgate.text.screen import screen_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from corpusgate.model import Block, Check, Partial
    from corpusgate.pipeline.tokenize import Loaded


@dataclass(frozen=True)
class Work:
    """What every unit of a run shares: options, checks, which stages' outputs are wanted."""

    stages: tuple[str, ...]
    decode: DecodeOptions
    clean: CleanOptions
    grouping: Grouping
    documents: tuple[tuple[str, int], ...]
    """Records of each split, as surveyed."""
    checks: tuple[Check[Any], ...]
    tokenize: TokenizeOptions = field(default_factory=TokenizeOptions)
    export: bool = False
    """Whether the texts themselves are wanted, for `records.parquet`."""


@dataclass(frozen=True)
class Run:
    """Consecutive segments of one source within a unit."""

    path: Path
    profile: Profile
    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class Unit:
    """A bundle of runs; units are numbered in source order."""

    number: int
    runs: tuple[Run, ...]


@dataclass(eq=False)
class RunShard:
    """What a run leaves, in source order."""

    profile: Profile
    records: list[pa.Table] = field(default_factory=list)
    export: list[pa.Table] = field(default_factory=list)
    tokens: list[pa.Table] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    aside: dict[str, list[bytes | Segment]] = field(default_factory=lambda: defaultdict(list))
    """What is set aside, by stage, in the order of its entries; a Segment stands for the
    bytes of a record too long to be held."""
    clean: list[Any] = field(default_factory=list)
    """Bytes of the clean stream, or Arrow tables of a columnar source."""


@dataclass(eq=False)
class UnitShard:
    """What a unit leaves."""

    runs: list[RunShard]
    totals: Totals
    counts: dict[str, GroupCounts]
    """By split."""


def process(unit: Unit, work: Work, loaded: Loaded | None) -> UnitShard:
    """Read, decode, screen, clean and measure the segments of a unit. Pure."""
    totals: defaultdict[tuple[str, str], list[Partial]] = defaultdict(list)
    counts: defaultdict[str, list[GroupCounts]] = defaultdict(list)
    runs = []
    for run in unit.runs:
        out = RunShard(run.profile)
        runs.append(out)
        for segment, block in blocks(run, work):
            if block is None:
                _oversize(out, segment, work)
                continue
            _observe(totals, work, "decode", block)
            out.records.append(decode_rows(block))
            if work.export:
                out.export.append(export_rows(block))
            if work.stages == ("decode",):
                _aside_only(out, run, segment, block)
                continue
            cleaned = clean_run(run, block, work)
            _keep(out, run, segment, block, cleaned)
            after = clean_block(block, cleaned)
            _observe(totals, work, "clean", after)
            if "tokenize" in work.stages:
                ids, after = _tokenize(after, work, loaded)
                counts[block.split].append(_count(after, ids, work))
                _observe(totals, work, "tokenize", after)
                if after.tokens is not None:
                    summary = TokenizerSummary.of(after.tokens, int(after.readable.sum()))
                    totals[TOKENIZER, after.split].append(summary)
                out.tokens.append(token_rows(after))
    summed = {key: reduce(add, parts) for key, parts in sorted(totals.items())}
    return UnitShard(runs, summed, {k: GroupCounts.total(v) for k, v in sorted(counts.items())})


def blocks(run: Run, work: Work) -> Iterator[tuple[Segment, Block | None]]:
    """(segment, block) of a run, screened; None for a record too long to be held."""
    profile = run.profile
    if profile.format in COLUMNAR:
        found: Any = columnar_blocks(run.path, profile, run.segments, work.decode)
    else:
        found = (
            (segment, piece and build(piece, profile, work.decode))
            for segment, piece in pieces(run.path, profile, run.segments)
        )
    for segment, block in found:
        if block is None or not len(block):
            if block is None or block.raw_size:
                yield segment, block
            continue
        yield segment, block.with_columns(bits=_bits(block))


def _bits(block: Block) -> NDArray[np.uint32]:
    """Classes of characters in each record: those of its texts together."""
    bits = screen_records(block.view, block.span, block.span_record, len(block))
    lone = [row for note, row in block.notes if note == "lone-surrogate"]
    bits[lone] |= np.uint32(Kind.LONE_SURROGATE)
    return bits


def _observe(
    totals: defaultdict[tuple[str, str], list[Partial]], work: Work, stage: str, block: Block
) -> None:
    for check in work.checks:
        if check.needs == stage:
            totals[check.name(), block.split].append(check.observe(block))


def clean_run(run: Run, block: Block, work: Work) -> Cleaned:
    """What cleaning makes of a block of a run."""
    if run.profile.format in COLUMNAR:
        return clean_columnar(block, work.clean)
    return clean(block, work.clean, run.profile.format)


def _keep(out: RunShard, run: Run, segment: Segment, block: Block, cleaned: Cleaned) -> None:
    """Put the clean piece, its edits and what was set aside into the shard."""
    if run.profile.format in COLUMNAR:
        table, rows = clean_table(run.path, run.profile, segment, cleaned)
        out.clean.append(table)
    else:
        out.clean.append(cleaned.data)
        rows = [source_bytes(block, *edit.at) for edit in cleaned.edits if edit.quarantine]
    away = iter(rows)
    for edit in cleaned.edits:
        out.entries.append(Entry.of(run.profile.key, edit, block.row_group))
        if edit.quarantine:
            out.aside[edit.quarantine].append(next(away))


def _aside_only(out: RunShard, run: Run, segment: Segment, block: Block) -> None:
    """What decoding alone sets aside."""
    if run.profile.format in COLUMNAR:
        edits = set_aside_columnar(block)
        rows = whole_rows(run.path, run.profile, segment, [edit.record for edit in edits])
    else:
        edits = set_aside(block)
        rows = [source_bytes(block, *edit.at) for edit in edits]
    for edit, data in zip(edits, rows, strict=True):
        out.entries.append(Entry.of(run.profile.key, edit, block.row_group))
        out.aside[edit.quarantine].append(data)


def _oversize(out: RunShard, segment: Segment, work: Work) -> None:
    """A record too long to be held: its row, and a mark where its bytes go."""
    profile, size = out.profile, segment.end - segment.start
    out.records.append(oversize_row(profile, segment, records_schema()))
    if work.export:
        out.export.append(oversize_row(profile, segment, export_schema()))
    out.entries.append(
        Entry(
            profile.key, segment.first_record, segment.first_line + 1, -1, segment.start, size,
            None, None, 0, "", "", "overlong-text", 0, "decode", -1,
        )
    )  # fmt: skip
    out.aside["decode"].append(segment)


def _tokenize(
    block: Block, work: Work, loaded: Loaded | None
) -> tuple[Sequence[Sequence[int]] | None, Block]:
    if loaded is None:
        return None, block
    ids, facts = tokenize(block, loaded, work.tokenize)
    return ids, block.with_columns(tokens=facts)


def _count(block: Block, ids: Sequence[Sequence[int]] | None, work: Work) -> GroupCounts:
    """Token counts of a block by group of documents; words where there is no tokenizer."""
    rows = np.flatnonzero(block.readable)
    groups = group_of(block.ids[rows], block.split, dict(work.documents), work.grouping)
    if ids is None:
        return count_words(groups, (block.text(row) for row in rows.tolist()), work.grouping)
    return count_tokens(groups, ids, work.grouping)
