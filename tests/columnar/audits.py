"""An audit of one columnar source, as small as it can be: survey, clean, ledger, quarantine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from corpusgate.pipeline.clean import CleanOptions
from corpusgate.pipeline.decode import DecodeOptions
from corpusgate.pipeline.ledger import Entry, quarantine_name
from corpusgate.pipeline.read.columnar import blocks, survey
from corpusgate.pipeline.read.columnar_clean import clean_columnar, clean_table, open_writer
from corpusgate.pipeline.read.columnar_dataset import changed_files
from corpusgate.pipeline.read.columnar_files import format_of, open_rows
from corpusgate.pipeline.read.columnar_undo import restore_rows
from corpusgate.pipeline.read.options import ReadOptions
from corpusgate.pipeline.read.profile import Profile, Source
from corpusgate.text.encodings import settle
from corpusgate.text.screen import screen_records

if TYPE_CHECKING:
    from pathlib import Path

    from corpusgate.model import Block


POEMS = [
    "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少春天的早晨人们都在睡觉",
    "床前明月光疑是地上霜举头望明月低头思故乡我们都在想念自己的家乡",
    "白日依山尽黄河入海流欲穷千里目更上一层楼站得高就可以看得更远",
]
FORMATS = ("parquet", "arrow", "stream", "feather", "dataset")


def write(path: Path, table: pa.Table, kind: str, rows: int = 3) -> Path:
    """A source of a format, `rows` rows a group."""
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=rows, compression="zstd")
    elif kind == "dataset":
        from datasets import Dataset, disable_progress_bars

        disable_progress_bars()
        shards = min(2, table.num_rows) or None
        Dataset(table).save_to_disk(str(path), num_shards=shards)
    else:
        opener = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
        options = pa.ipc.IpcWriteOptions(compression="lz4" if kind == "feather" else None)
        with pa.OSFile(str(path), "wb") as sink, opener(sink, table.schema, options=options) as out:
            for start in range(0, table.num_rows, rows):
                out.write_batch(table.slice(start, rows).combine_chunks().to_batches()[0])
    return path


@dataclass
class Audit:
    """What an audit of one source left."""

    profile: Profile
    folder: Path
    entries: list[Entry] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    texts: list[tuple[bytes, ...] | None] = field(default_factory=list)

    @property
    def clean(self) -> Path:
        return self.folder / "clean" / self.profile.key


def surveyed(path: Path, **options: object) -> Profile:
    source = Source(path, path.name, "train")
    profile, pool, invalid = survey(source, format_of(path), ReadOptions(**options))
    assert bool(pool) == bool(invalid)
    return replace(profile, encodings=settle(pool)) if pool else profile


def screened(path: Path, profile: Profile) -> list[tuple]:
    held = []
    for segment, block in blocks(path, profile, profile.segments, DecodeOptions()):
        bits = screen_records(block.view, block.span, block.span_record, len(block))
        held.append((segment, block.with_columns(bits=bits)))
    return held


def audit(path: Path, folder: Path, options: CleanOptions | None = None, **read: object) -> Audit:
    profile = surveyed(path, **read)
    assert not profile.fault
    done = Audit(profile, folder)
    done.clean.parent.mkdir(parents=True)
    places = {"decode": 0, "clean": 0}
    with open_writer(done.clean, path, profile) as writer:
        for segment, block in screened(path, profile):
            done.blocks.append(block)
            cleaned = clean_columnar(block, options or CleanOptions())
            done.texts += cleaned.texts
            table, aside = clean_table(path, profile, segment, cleaned)
            writer.write(table)
            rows = iter(aside)
            for edit in cleaned.edits:
                entry = Entry.of(profile.key, edit, block.row_group)
                if stage := edit.quarantine:
                    name = quarantine_name(stage, profile.key)
                    file = folder / name
                    file.parent.mkdir(parents=True, exist_ok=True)
                    with file.open("ab") as out:
                        size = out.write(next(rows))
                    entry = replace(entry, quarantine=name, quarantine_offset=places[stage])
                    places[stage] += size
                done.entries.append(entry)
            assert next(rows, None) is None
    done.entries = [*changed_files(path, done.clean, profile.key), *done.entries]
    return done


def bytes_of(path: Path) -> dict[str, bytes]:
    """Content by name of a file or a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}


def texts_of(audit: Audit) -> list[list[str]]:
    return [block.texts(row) for block in audit.blocks for row in np.arange(len(block)).tolist()]


def rows_of(path: Path) -> list[dict]:
    with open_rows(path) as rows:
        parts = range(rows.parts)
        return [row for part in parts for batch in rows.batches(part) for row in batch.to_pylist()]


def groups_of(path: Path) -> list[tuple[int, int]]:
    with open_rows(path) as rows:
        return list(rows.groups())


def undone(done: Audit, target: Path) -> Path:
    entries = iter(done.entries)
    found = restore_rows(done.folder, target, done.profile.key, entries)
    assert found == done.profile.stream_sha256
    return target
