"""Quarantine: the bytes that were set aside, a file a source, and an index with the reasons."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from corpusgate.pipeline.ledger import Entry, quarantine_name
from corpusgate.pipeline.places import place
from corpusgate.pipeline.read.pieces import oversize_bytes
from corpusgate.pipeline.read.profile import Segment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from corpusgate.pipeline.finished import Finished
    from corpusgate.pipeline.shards import ShardReader

PLACE = ("source", "record", "line", "row_group", "offset", "length", "check")


def write_quarantine(done: Finished, out: Path, stage: str) -> None:
    """The bytes that a stage set aside, a file a source, and an index with the reasons."""
    rows = []
    (out / "quarantine" / stage).mkdir(parents=True, exist_ok=True)
    for number, runs in done.runs():
        path_name, at = quarantine_name(stage, done.profiles[number].key), 0
        with ExitStack() as stack:
            file = None
            for entry, item in _set_aside(runs, stage):
                if file is None:
                    path = place(out, path_name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    file = stack.enter_context(path.open("wb"))
                pieces = (
                    oversize_bytes(done.paths[number], item)
                    if isinstance(item, Segment)
                    else [item]
                )
                size = sum(file.write(piece) for piece in pieces)
                held = {name: getattr(entry, name) for name in PLACE}
                rows.append({**held, "file": path_name, "at": at, "size": size})
                at += size
    _write_index(out / "quarantine" / stage / "index.parquet", rows)


def _write_index(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = {"source", "check", "file"}
    names = (
        "source",
        "record",
        "line",
        "row_group",
        "offset",
        "length",
        "check",
        "file",
        "at",
        "size",
    )
    schema = pa.schema([(n, pa.string() if n in text else pa.int64()) for n in names])
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), path, compression="zstd")


def run_entries(reader: ShardReader, i: int) -> Iterator[Entry]:
    """Ledger rows of a run, in order."""
    for batch in reader.batches(i, "ledger"):
        for row in batch.to_pylist():
            yield Entry(**row)


def _set_aside(
    runs: Sequence[tuple[ShardReader, int]], stage: str
) -> Iterator[tuple[Entry, bytes | Segment]]:
    for reader, i in runs:
        items = reader.aside(i, stage)
        for entry in run_entries(reader, i):
            if entry.quarantine == stage:
                yield entry, next(items)
