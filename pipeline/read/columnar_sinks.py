"""Sinks: files written group by group in the format and with the codecs of another one."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from corpusgate.pipeline.read.columnar_files import ParquetRows, is_arrow_file, read_batches
from corpusgate.pipeline.read.columnar_values import compact, mapped, taken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.pipeline.read.columnar_paths import Leaf

# Rows written to a column at a time: with rows of 1 MB they take 256 MB.
CHUNK_ROWS = 256
# Bytes in front of the stream that an Arrow file holds (Arrow columnar format, IPC file format)
FILE_MAGIC = 8
# Bytes of a message in front of its metadata, and of a compressed buffer in front of its frame
PREFIX = 8
# First bytes of a frame: LZ4 frame format 1.6, RFC 8878 (section 3.1.1)
CODECS = {b"\x04\x22\x4d\x18": "lz4", b"\x28\xb5\x2f\xfd": "zstd"}
# Some buffer of a batch is compressed within so many bytes, or codecs hardly matter
LOOKED_AT = 1 << 18


class Sink(Protocol):
    """Where the rows of a source go; groups are those of `Rows.groups`."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows to the group."""

    def end_group(self) -> None:
        """Close the group: it may be empty."""

    def close(self) -> None:
        """Finish the file."""


class ParquetSink:
    """Writes a Parquet file with the codecs and dictionaries of another one.

    The rows of a group wait in a file beside it, so that a large one need not be held.
    """

    def __init__(
        self, target: Path, like: Path, schema: pa.Schema, leaves: Sequence[Leaf] = ()
    ) -> None:
        import pyarrow.parquet as pq

        self._schema, self._leaves = schema, leaves
        self._spool = target.with_name(f"{target.name}.rows")
        self._writer = pq.ParquetWriter(target, schema, version="2.6", **_options(like))
        self._group = _Spool(self._spool, schema, leaves)

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows to the row group."""
        self._group.add(batch)

    def end_group(self) -> None:
        """Write the row group."""
        with self._group.read() as held:
            table = held.unify_dictionaries() if _has_dictionary(self._schema) else held
            self._writer.write_table(table, row_group_size=max(table.num_rows, 1))
        self._group = _Spool(self._spool, self._schema, self._leaves)

    def close(self) -> None:
        """Write the footer."""
        self._group.discard()
        self._writer.close()


def _options(like: Path) -> dict[str, Any]:
    """Options of a writer that make the columns of a file as those of another one."""
    rows = ParquetRows(like)
    metadata = rows.metadata
    rows.close()
    options: dict[str, Any] = {"store_schema": b"ARROW:schema" in (metadata.metadata or {})}
    if metadata.num_row_groups:
        group = metadata.row_group(0)
        columns = [group.column(i) for i in range(group.num_columns)]
        options["compression"] = {
            c.path_in_schema: "NONE" if c.compression == "UNCOMPRESSED" else c.compression
            for c in columns
        }
        encoded = {c.path_in_schema: c.has_dictionary_page for c in columns}
        options["use_dictionary"] = [name for name, used in encoded.items() if used] or False
        options["write_statistics"] = any(c.is_stats_set for c in columns)
    return options


class ArrowSink:
    """Writes an Arrow file or stream, a record batch a group; empty groups are left out."""

    def __init__(
        self, target: Path, like: Path, schema: pa.Schema, leaves: Sequence[Leaf] = ()
    ) -> None:
        import pyarrow as pa

        self._schema, self._leaves = schema, leaves
        self._target, self._is_file = target, is_arrow_file(like)
        self._options = pa.ipc.IpcWriteOptions(compression=_compression(like))
        self._held: list[pa.RecordBatch] = []
        # a file has one dictionary a column: what the rows use is known at their end
        self._spooled = self._is_file and _has_dictionary(schema)
        self._path = target.with_name(f"{target.name}.rows") if self._spooled else target
        self._file = pa.OSFile(str(self._path), "wb")
        opener = pa.ipc.new_file if self._is_file and not self._spooled else pa.ipc.new_stream
        options = None if self._spooled else self._options
        self._writer = opener(self._file, schema, options=options)

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows to the record batch."""
        self._held.append(batch)

    def end_group(self) -> None:
        """Write the record batch."""
        for batch in _joined(self._held, self._schema, self._leaves):
            self._writer.write_batch(batch)
        self._held = []

    def close(self) -> None:
        """Finish the file."""
        import pyarrow as pa

        self._writer.close()
        self._file.close()
        if not self._spooled:
            return
        with pa.memory_map(str(self._path)) as source:
            table = pa.ipc.open_stream(source).read_all().unify_dictionaries()
            with (
                pa.OSFile(str(self._target), "wb") as file,
                pa.ipc.new_file(file, self._schema, options=self._options) as writer,
            ):
                for batch in table.to_batches():
                    writer.write_batch(batch)
        self._path.unlink()


def _compression(like: Path) -> str | None:
    """The codec of the buffers of an Arrow file's first rows."""
    import pyarrow as pa

    is_file = is_arrow_file(like)
    with pa.memory_map(str(like)) as source:
        with (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source) as reader:
            batches = enumerate(read_batches(reader))
            number, batch = next(((i, b) for i, b in batches if b.num_rows), (0, None))
        if batch is None:
            return None
        source.seek(FILE_MAGIC if is_file else 0)  # behind its magic a file is a stream
        messages = (m for m in pa.ipc.MessageReader.open_stream(source) if m.type == "record batch")
        message = next(islice(messages, number, None))
        plain = pa.ipc.get_record_batch_size(batch) - message.metadata.size - PREFIX
        if message.body.size >= plain:
            return None
        head = message.body[:LOOKED_AT].to_pybytes()
    # a compressed buffer is its length in 8 bytes and a frame; buffers begin at multiples of 8
    marks = (CODECS.get(head[at : at + 4]) for at in range(PREFIX, len(head), PREFIX))
    return next(filter(None, marks), None)


class _Spool:
    """Rows on disk, rechunked so that no cut of the work shows."""

    def __init__(self, path: Path, schema: pa.Schema, leaves: Sequence[Leaf]) -> None:
        import pyarrow as pa

        self._path, self._schema, self._leaves = path, schema, leaves
        self._file = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_stream(self._file, schema)
        self._held: list[pa.RecordBatch] = []
        self._rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows; whole chunks are written."""
        at = 0
        while at < batch.num_rows:
            piece = batch.slice(at, CHUNK_ROWS - self._rows)
            self._held.append(piece)
            self._rows += piece.num_rows
            at += piece.num_rows
            if self._rows == CHUNK_ROWS:
                self._flush()

    def _flush(self) -> None:
        for batch in _joined(self._held, self._schema, self._leaves):
            self._writer.write_batch(batch)
        self._held, self._rows = [], 0

    def _end(self) -> None:
        self._writer.close()
        self._file.close()

    @contextmanager
    def read(self) -> Iterator[pa.Table]:
        """The rows as a table that lies on disk; they are gone behind it."""
        import pyarrow as pa

        self._flush()
        self._end()
        with pa.memory_map(str(self._path)) as source:
            yield pa.ipc.open_stream(source).read_all()
        self._path.unlink()

    def discard(self) -> None:
        """Throw the rows away."""
        self._end()
        self._path.unlink()


def _joined(
    batches: Sequence[pa.RecordBatch], schema: pa.Schema, leaves: Sequence[Leaf]
) -> Iterator[pa.RecordBatch]:
    """Batches as one (more only where its strings exceed 2 GB), with no value left unused."""
    import pyarrow as pa

    if not batches:
        return
    for batch in pa.Table.from_batches(batches, schema).combine_chunks().to_batches():
        if not leaves:
            yield batch
            continue
        own = taken(batch, range(batch.num_rows))
        columns = list(own.columns)
        for leaf in leaves:
            columns[leaf.column] = mapped(leaf, columns[leaf.column], compact)
        yield pa.RecordBatch.from_arrays(columns, schema=schema)


def _has_dictionary(schema: pa.Schema) -> bool:
    import pyarrow as pa

    def found(arrow_type: pa.DataType) -> bool:
        children = (arrow_type.field(i).type for i in range(arrow_type.num_fields))
        return pa.types.is_dictionary(arrow_type) or any(map(found, children))

    return any(found(field.type) for field in schema)
