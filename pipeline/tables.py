"""Parquet files written a batch at a time, whose bytes do not tell how the work was cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

ROW_GROUP = 65_536


class TableWriter:
    """Writes batches in row groups of one size, whatever the sizes they come in."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        import pyarrow.parquet as pq

        path.parent.mkdir(parents=True, exist_ok=True)
        self._schema = schema
        self._writer = pq.ParquetWriter(path, schema, compression="zstd", version="2.6")
        self._held: list[pa.RecordBatch] = []
        self._rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush(0)
        self._writer.close()

    def write(self, batch: pa.RecordBatch) -> None:
        """Add a batch."""
        self._held.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROW_GROUP:
            self._flush(ROW_GROUP)

    def _flush(self, least: int) -> None:
        import pyarrow as pa

        table = pa.Table.from_batches(self._held, self._schema).combine_chunks()
        at = 0
        while table.num_rows - at >= max(least, 1):
            size = min(ROW_GROUP, table.num_rows - at)
            self._writer.write_table(table.slice(at, size), row_group_size=ROW_GROUP)
            at += size
        rest = table.slice(at)
        self._held, self._rows = rest.to_batches(), rest.num_rows
