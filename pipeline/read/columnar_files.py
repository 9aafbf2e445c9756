"""Columnar files as parts and groups of rows, read in batches that fit in memory.

A part is what `Segment.part` counts: a row group of a Parquet file, a file of a `datasets`
folder, the one file of an Arrow source. A group is what a writer keeps together: a row group,
or a record batch.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from corpusgate.errors import InputError
from corpusgate.pipeline.read.columnar_paths import as_binary, retyped
from corpusgate.pipeline.read.sniff import columnar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

# Rows of a batch: 1,024 read as fast as any number when tried on 1 GB of Parquet, in less
# memory than the 65,536 that pyarrow takes by default.
BATCH_ROWS = 1024
# Bytes of a batch by the mean of its row group, so that rows that hold pictures fit as well.
BATCH_BYTES = 16 << 20
STATE, INFO = "state.json", "dataset_info.json"


class Rows(Protocol):
    """The rows of a source; `parts` counts its parts."""

    schema: pa.Schema
    parts: int
    own_batches: bool
    """Whether the batches that are read are the groups."""

    def batches(self, part: int, columns: Sequence[int] | None = None) -> Iterator[pa.RecordBatch]:
        """The rows of a part, all columns or some, in order.

        The batches of an Arrow source are its own; those of a row group are small.
        """

    def groups(self) -> Iterator[tuple[int, int]]:
        """(part, rows) of each group, in order."""


@contextmanager
def open_rows(path: Path, kind: str = "") -> Iterator[Rows]:
    """The rows of a columnar source; `kind` is its format, found out if it is not given.

    Raises:
        InputError: a folder whose state names files that it does not hold.
        pyarrow.ArrowException, OSError, ValueError: what is there cannot be read.
    """
    kind = kind or format_of(path)
    if kind == "parquet":
        rows = ParquetRows(path)
        try:
            yield rows
        finally:
            rows.close()
    else:
        paths = shards(path) if kind == "dataset" else [path]
        yield ArrowRows(paths, None if paths else _features_schema(path))


def _features_schema(folder: Path) -> pa.Schema:
    """The schema of a `datasets` folder that holds no rows, and so no file of rows."""
    from datasets import DatasetInfo, Features

    features = DatasetInfo.from_directory(str(folder)).features
    return (Features() if features is None else features).arrow_schema


def format_of(path: Path) -> str:
    """The format of a columnar source: "dataset" of a folder, else by its first bytes."""
    if path.is_dir():
        return "dataset"
    with path.open("rb") as file:
        return magic(file.read(8))


def magic(head: bytes) -> str:
    """The format that a file's first bytes tell: "parquet", "arrow" or nothing."""
    return columnar(head)


def shards(folder: Path) -> list[Path]:
    """The Arrow files of a `datasets` folder, in the order of its state.

    Raises:
        InputError: a file is missing, or the rows are stated as a selection of others.
    """
    state: dict[str, Any] = json.loads((folder / STATE).read_bytes())
    if state.get("_indices_data_files"):
        message = f"{folder}: a selection of another data set; load it and save it again"
        raise InputError("dataset-selection", message)
    names = [str(entry["filename"]) for entry in state["_data_files"]]
    found = [folder / name for name in names]
    for path in found:
        if path.parent != folder or not path.is_file():
            raise InputError("dataset-file", f"{path}: no such file, though {STATE} names it")
    return found


def changed(key: str) -> InputError:
    """The error of a source that is not what was surveyed."""
    return InputError("source-changed", f"{key}: changed while it was read; run the audit again")


def files_of(path: Path) -> list[Path]:
    """The files that a source is made of: itself, or what the state of a folder names."""
    if not path.is_dir():
        return [path]
    return [*shards(path), *(path / name for name in (INFO, STATE) if (path / name).is_file())]


class ParquetRows:
    """Rows of a Parquet file."""

    own_batches = False

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        # pages are read a buffer at a time, not a column chunk at a time
        self._file = pq.ParquetFile(path, buffer_size=1 << 20, page_checksum_verification=True)
        self.metadata = self._file.metadata
        self.schema: pa.Schema = self._file.schema_arrow
        self.parts: int = self.metadata.num_row_groups

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def batches(self, part: int, columns: Sequence[int] | None = None) -> Iterator[pa.RecordBatch]:
        """The rows of a row group in batches whose borders depend on nothing but the file."""
        group = self.metadata.row_group(part)
        if not group.num_rows:
            return
        mean = max(group.total_byte_size // group.num_rows, 1)
        names = None if columns is None else [self.schema.names[i] for i in columns]
        yield from self._file.iter_batches(
            batch_size=min(max(BATCH_BYTES // mean, 1), BATCH_ROWS),
            row_groups=[part], columns=names, use_threads=False,
        )  # fmt: skip

    def groups(self) -> Iterator[tuple[int, int]]:
        """(row group, rows) of each row group."""
        for part in range(self.parts):
            yield part, self.metadata.row_group(part).num_rows


class ArrowRows:
    """Rows of Arrow files or streams that share a schema, a part each."""

    own_batches = True

    def __init__(self, paths: Sequence[Path], schema: pa.Schema | None = None) -> None:
        self._paths = list(paths)
        self.parts = len(self._paths)
        self.schema = schema
        if schema is None:
            with self._open(0) as first:
                self.schema = first.schema

    @contextmanager
    def _open(self, part: int, columns: Sequence[int] | None = None) -> Iterator[Any]:
        import pyarrow as pa

        path = self._paths[part]
        is_stream = not is_arrow_file(path)
        fields = None if columns is None else list(columns)
        options = pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
        with pa.memory_map(str(path)) as source:
            opener = pa.ipc.open_stream if is_stream else pa.ipc.open_file
            with opener(source, options=options) as reader:
                yield reader

    def batches(self, part: int, columns: Sequence[int] | None = None) -> Iterator[pa.RecordBatch]:
        """The record batches of a file, their offsets and indices checked."""
        with self._open(part, columns) as reader:
            for batch in read_batches(reader):
                _check(batch)
                yield batch

    def groups(self) -> Iterator[tuple[int, int]]:
        """(file, rows) of each record batch."""
        for part in range(self.parts):
            with self._open(part) as reader:
                for batch in read_batches(reader):
                    yield part, batch.num_rows


def is_arrow_file(path: Path) -> bool:
    """Whether an Arrow source is a file with a footer (Feather V2 is one), not a stream."""
    with path.open("rb") as file:
        return file.read(6) == b"ARROW1"


def read_batches(reader: Any) -> Iterator[pa.RecordBatch]:
    """Record batches of an Arrow file's or stream's reader."""
    if hasattr(reader, "num_record_batches"):
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number)
    else:
        yield from reader


def in_pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of BATCH_ROWS rows at most: an Arrow file may be one batch."""
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            yield batch.slice(start, BATCH_ROWS)


def _check(batch: pa.RecordBatch) -> None:
    """Refuse offsets and indices that lead out of the data; strings may be invalid UTF-8.

    Raises:
        pyarrow.ArrowInvalid: there is one.
    """
    for column in batch.columns:
        wanted = retyped(column.type, as_binary)
        checked = column if wanted == column.type else column.view(wanted)
        checked.validate(full=True)


def cut_out(
    batches: Iterable[pa.RecordBatch], ranges: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, list[pa.RecordBatch]]]:
    """(number of a range, its rows) for ranges of rows in ascending order, in one pass."""
    source, at = iter(batches), 0
    batch: pa.RecordBatch | None = None
    for number, (start, stop) in enumerate(ranges):
        held: list[pa.RecordBatch] = []
        while batch is None or at + batch.num_rows <= start:
            at += batch.num_rows if batch is not None else 0
            batch = next(source, None)
            if batch is None:
                return
        while batch is not None:
            low, high = max(start - at, 0), min(stop - at, batch.num_rows)
            if high > low:
                held.append(batch.slice(low, high - low))
            if stop <= at + batch.num_rows:
                break
            at += batch.num_rows
            batch = next(source, None)
        yield number, held
