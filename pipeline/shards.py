"""Shards: what a finished unit leaves on disk until the outputs are written from them."""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.pipeline.document_groups import GroupCounts
from corpusgate.pipeline.ledger import schema as ledger_schema
from corpusgate.pipeline.ledger import table as ledger_table
from corpusgate.pipeline.read.profile import COLUMNAR, Segment
from corpusgate.pipeline.totals import Totals, dump_totals, load_totals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.model import Check
    from corpusgate.pipeline.unit import RunShard, UnitShard

META = "unit.json"


def write_shard(folder: Path, shard: UnitShard) -> None:
    """Write a shard, whole or not at all: the folder appears when everything is in it."""
    if folder.is_dir():
        return
    part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    runs = [_write_run(part, i, run) for i, run in enumerate(shard.runs)]
    (part / "totals.json").write_text(dump_totals(shard.totals), encoding="utf-8")
    names = {}
    for i, (split, counts) in enumerate(sorted(shard.counts.items())):
        path = part / f"counts-{i}.npz"
        np.savez(path, groups=counts.groups, token=counts.token, count=counts.count)
        names[split] = (i, counts.unit, {str(k): v for k, v in counts.names.items()})
    (part / META).write_text(json.dumps({"runs": runs, "counts": names}), encoding="utf-8")
    try:
        part.rename(folder)
    except OSError:  # another worker was first, with the same bytes
        shutil.rmtree(part, ignore_errors=True)


def _write_run(part: Path, i: int, run: RunShard) -> dict[str, Any]:
    for name in ("records", "export", "tokens"):
        if tables := getattr(run, name):
            _write_tables(part / f"{i}.{name}.arrow", tables)
    _write_tables(part / f"{i}.ledger.arrow", [ledger_table(run.entries)])
    if run.clean:
        if run.profile.format in COLUMNAR:
            _write_tables(part / f"{i}.clean", run.clean)
        else:
            (part / f"{i}.clean").write_bytes(b"".join(run.clean))
    aside: dict[str, list[int | dict[str, Any]]] = {}
    for stage, items in sorted(run.aside.items()):
        sizes: list[int | dict[str, Any]] = []
        with (part / f"{i}.{stage}.aside").open("wb") as file:
            for item in items:
                if isinstance(item, Segment):
                    sizes.append(asdict(item))
                else:
                    sizes.append(file.write(item))
        aside[stage] = sizes
    return {"source": run.profile.key, "aside": aside}


def _write_tables(path: Path, tables: Sequence[pa.Table]) -> None:
    import pyarrow as pa

    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, tables[0].schema) as out:
        for table in tables:
            out.write_table(table)


class ShardReader:
    """A finished shard, read piece by piece."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._meta: dict[str, Any] = json.loads((folder / META).read_text(encoding="utf-8"))
        self.sources: tuple[str, ...] = tuple(run["source"] for run in self._meta["runs"])

    def batches(self, i: int, name: str) -> Iterator[pa.RecordBatch]:
        """Record batches of a run's table: records, export, tokens or ledger."""
        import pyarrow as pa

        path = self.folder / f"{i}.{name}.arrow"
        if not path.exists():
            return
        with pa.OSFile(str(path)) as file:
            yield from pa.ipc.open_stream(file)

    def clean_bytes(self, i: int) -> bytes:
        """A run's piece of the clean stream."""
        path = self.folder / f"{i}.clean"
        return path.read_bytes() if path.exists() else b""

    def clean_tables(self, i: int) -> Iterator[pa.Table]:
        """A run's cleaned rows of a columnar source."""
        import pyarrow as pa

        path = self.folder / f"{i}.clean"
        if not path.exists():
            return
        with pa.OSFile(str(path)) as file:
            for batch in pa.ipc.open_stream(file):
                yield pa.Table.from_batches([batch])

    def aside(self, i: int, stage: str) -> Iterator[bytes | Segment]:
        """What a run's stage set aside, in the order of its ledger entries."""
        items = self._meta["runs"][i]["aside"].get(stage, ())
        if not items:
            return
        with (self.folder / f"{i}.{stage}.aside").open("rb") as file:
            for item in items:
                yield Segment(**item) if isinstance(item, dict) else file.read(item)

    def sizes(self, i: int, stage: str) -> Iterator[int]:
        """Bytes of each thing that a run's stage set aside."""
        for item in self._meta["runs"][i]["aside"].get(stage, ()):
            yield item["end"] - item["start"] if isinstance(item, dict) else item

    def counts(self) -> dict[str, GroupCounts]:
        """Token counts by split."""
        found = {}
        for split, (i, unit, names) in sorted(self._meta["counts"].items()):
            with np.load(self.folder / f"counts-{i}.npz", allow_pickle=False) as held:
                arrays = [held[name] for name in ("groups", "token", "count")]
            groups, token, count = arrays
            known = {int(k): v for k, v in names.items()}
            found[split] = GroupCounts(unit, groups, token, count, known)
        return found

    def totals(self, checks: Sequence[Check[Any]]) -> Totals:
        """What the checks have seen in this unit."""
        text = (self.folder / "totals.json").read_text(encoding="utf-8")
        return load_totals(text, checks)


def merge_totals(parts: Sequence[Totals]) -> Totals:
    """The sum of totals."""
    merged: defaultdict[tuple[str, str], list[Any]] = defaultdict(list)
    for part in parts:
        for key, total in part.items():
            merged[key].append(total)
    out: Totals = {}
    for key in sorted(merged):
        total = merged[key][0]
        for other in merged[key][1:]:
            total = total + other
        out[key] = total
    return out


__all__ = ["ShardReader", "ledger_schema", "merge_totals", "write_shard"]
