"""The clean copy of a columnar source: its format, schema and groups, less what was set aside."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Self

import numpy as np

from corpusgate.pipeline.read.columnar_dataset import write_info
from corpusgate.pipeline.read.columnar_files import ArrowRows, changed, files_of, open_rows, shards
from corpusgate.pipeline.read.columnar_hash import RowHash
from corpusgate.pipeline.read.columnar_paths import kind_of, leaves, resolved
from corpusgate.pipeline.read.columnar_sinks import ArrowSink, ParquetSink, Sink
from corpusgate.pipeline.read.columnar_survey import with_hash

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.pipeline.read.columnar_paths import Leaf
    from corpusgate.pipeline.read.profile import Profile

RECORD = "corpusgate:record"
"""The last column of a cleaned table: the number of each record."""


def sinks_of(
    target: Path, like: Path, kind: str, schema: pa.Schema, found: Sequence[Leaf] = ()
) -> list[Sink]:
    """Where the parts of a source are written: a sink for each file of a folder, else one."""
    if kind == "parquet":
        return [ParquetSink(target, like, schema, found)]
    if kind == "arrow":
        return [ArrowSink(target, like, schema, found)]
    target.mkdir(parents=True, exist_ok=True)
    return [ArrowSink(target / path.name, path, schema, found) for path in shards(like)]


class CopyWriter:
    """Writes cleaned tables in source order; use it as a context.

    Groups are the source's own, with the rows that are left of them. Where nothing was
    changed, the source's files are copied as they are.
    """

    def __init__(self, target: Path, path: Path, profile: Profile) -> None:
        self._target, self._path, self._profile = target, path, profile
        with open_rows(path, profile.format) as rows:
            self._schema: pa.Schema = rows.schema
            groups = list(rows.groups())
        self._parts = [part for part, _ in groups]
        self._ends = np.cumsum([size for _, size in groups], dtype=np.int64)
        coded = [
            leaf
            for leaf in leaves(self._schema, profile.text)
            if kind_of(resolved(self._schema, leaf)) == "dictionary"
        ]
        self._sinks = sinks_of(target, path, profile.format, self._schema, coded)
        self._hash, self._group, self._rows = RowHash(self._schema), 0, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if failure is None:
            self._advance(len(self._parts))
        for sink in self._sinks:
            sink.close()
        if failure is None:
            self._finish()

    def write(self, table: pa.Table) -> None:
        """Add the rows of a table that `clean_table` made."""
        import pyarrow as pa

        for batch in table.to_batches():
            numbers = batch.column(batch.num_columns - 1).to_numpy()
            batch = pa.RecordBatch.from_arrays(batch.columns[:-1], schema=self._schema)  # noqa: PLW2901
            group = np.searchsorted(self._ends, numbers, "right")
            for number in np.unique(group).tolist():
                low, high = np.searchsorted(group, [number, number + 1]).tolist()
                self._advance(number)
                piece = batch.slice(low, high - low)
                self._sink(number).add(piece)
                self._hash.update(piece)
            self._rows += batch.num_rows

    def _sink(self, group: int) -> Sink:
        return self._sinks[self._parts[group] if len(self._sinks) > 1 else 0]

    def _advance(self, group: int) -> None:
        """End the groups before this one."""
        while self._group < group:
            self._sink(self._group).end_group()
            self._group += 1

    def _finish(self) -> None:
        content = self._hash.hexdigest()
        if content == self._profile.stream_sha256:
            for file in files_of(self._path):
                to = self._target / file.name if self._path.is_dir() else self._target
                shutil.copyfile(file, to)
            held = with_hash(self._profile, self._target)
            if held.file_sha256 != self._profile.file_sha256:
                raise changed(self._profile.key)
        elif self._profile.format == "dataset":
            written = ArrowRows([self._target / path.name for path in shards(self._path)])
            batches = (b for part in range(written.parts) for b in written.batches(part))
            size = sum(batch.nbytes for batch in batches)
            write_info(self._path, self._target, self._rows, size, content)


def open_writer(target: Path, path: Path, profile: Profile) -> CopyWriter:
    """A writer of the clean copy of a source at `path`; tables come in source order."""
    return CopyWriter(target, path, profile)
