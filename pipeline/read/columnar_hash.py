"""A hash of rows that does not tell how they were encoded, compressed or cut into batches."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.pipeline.read.columnar_cells import as_bytes, stored
from corpusgate.pipeline.read.columnar_files import in_pieces, open_rows
from corpusgate.pipeline.read.columnar_paths import kind_of, retyped, without_view

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa


class RowHash:
    """SHA-256 over a schema and rows: equal for the same types, metadata and values in order.

    Each node of each column has a running hash of its own for validity, lengths and data; so
    neither the borders of batches nor what lies under a null take part. A dictionary is
    hashed as the values it stands for.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self._hashes: dict[str, Any] = {}
        self._schema = schema

    def update(self, batch: pa.RecordBatch) -> None:
        """Add the rows of a batch."""
        for i, column in enumerate(batch.columns):
            whole = retyped(column.type, without_view)  # pyarrow cannot filter views
            self._node(f"{i}", column if whole == column.type else column.cast(whole))

    def hexdigest(self) -> str:
        """The hash of what was added so far."""
        whole = hashlib.sha256(repr(_described(self._schema)).encode())
        for key in sorted(self._hashes):
            whole.update(f"{key} {self._hashes[key].hexdigest()}\n".encode())
        return whole.hexdigest()

    def _add(self, key: str, data: Any) -> None:
        if key not in self._hashes:
            self._hashes[key] = hashlib.sha256()
        self._hashes[key].update(data)

    def _node(self, key: str, array: pa.Array) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.types as t

        array = stored(array)
        if not len(array):
            return  # a node that no row reaches must not differ from one never met
        if t.is_dictionary(array.type):
            array = array.dictionary_decode()
        elif t.is_run_end_encoded(array.type):
            array = pc.run_end_decode(array)
        if t.is_null(array.type) or t.is_union(array.type):
            self._add(f"{key}=", "".join(f"{value!r}\n" for value in array.to_pylist()).encode())
            return
        self._add(f"{key}?", array.is_valid().to_numpy(zero_copy_only=False).tobytes())
        array = as_bytes(array) if kind_of(array.type) == "text" else array
        array = array.drop_null() if array.null_count else array
        if t.is_map(array.type):
            entry = pa.struct([("key", array.type.key_type), ("value", array.type.item_type)])
            array = array.cast(pa.list_(entry))
        self._values(key, array)

    def _values(self, key: str, array: pa.Array) -> None:
        """Hash an array without nulls."""
        import pyarrow.compute as pc
        import pyarrow.types as t

        kind = kind_of(array.type)
        if kind == "struct":
            for i in range(array.type.num_fields):
                self._node(f"{key}.{i}", array.field(i))
        elif kind == "list":
            lengths = pc.list_value_length(array).to_numpy(zero_copy_only=False)
            self._add(f"{key}#", lengths.astype("<i8").tobytes())
            self._node(f"{key}*", array.flatten())
        elif kind == "text":
            offsets = _offsets(array)
            self._add(f"{key}#", np.diff(offsets).astype("<i8").tobytes())
            if offsets[-1] > offsets[0]:
                self._add(f"{key}=", array.buffers()[2][int(offsets[0]) : int(offsets[-1])])
        elif t.is_boolean(array.type):
            self._add(f"{key}=", array.to_numpy(zero_copy_only=False).tobytes())
        else:
            width = array.type.bit_width // 8
            start = array.offset * width
            self._add(f"{key}=", array.buffers()[1][start : start + len(array) * width])


def _offsets(array: pa.Array) -> np.ndarray:
    import pyarrow.types as t

    dtype = np.dtype(np.int64 if t.is_large_binary(array.type) else np.int32)
    start = array.offset * dtype.itemsize
    return np.frombuffer(array.buffers()[1], dtype, len(array) + 1, start)


def _described(schema: pa.Schema) -> list[Any]:
    fields = [(f.name, str(f.type), f.nullable, sorted((f.metadata or {}).items())) for f in schema]
    return [fields, sorted((schema.metadata or {}).items())]


def rows_sha256(path: Path) -> str:
    """The hash of a columnar source's schema and rows, read a batch at a time."""
    with open_rows(path) as rows:
        found = RowHash(rows.schema)
        for part in range(rows.parts):
            for batch in in_pieces(rows.batches(part)):
                found.update(batch)
    return found.hexdigest()


def same_rows(a: Path, b: Path) -> bool:
    """Whether two columnar sources hold the same schema and rows in the same order."""
    return rows_sha256(a) == rows_sha256(b)
