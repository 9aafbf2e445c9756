"""Values: arrays and batches with some strings replaced, every type kept."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.pipeline.read.columnar_cells import as_bytes, codes, extents, place, values_of
from corpusgate.pipeline.read.columnar_paths import (
    EACH,
    Leaf,
    bare,
    kind_of,
    leaf_of,
    retyped,
    without_view,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Change = Callable[[bytes], bytes]


def taken(batch: pa.RecordBatch, rows: Sequence[int]) -> pa.RecordBatch:
    """Some rows of a batch in arrays of their own: no offset, and nothing under a null."""
    import pyarrow as pa

    wanted = pa.array(rows, pa.int64())
    columns = []
    for column in batch.columns:
        whole = retyped(column.type, without_view)
        if whole == column.type:
            columns.append(column.take(wanted))
        else:  # pyarrow has no take of views
            columns.append(column.cast(whole).take(wanted).cast(column.type))
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def changed_batch(
    batch: pa.RecordBatch, changes: Mapping[tuple[int, str], Change]
) -> pa.RecordBatch:
    """A batch that `taken` made, with the strings of (row, field) changed.

    Fields are named as by `Leaf.field`.
    """
    import pyarrow as pa

    by_leaf: dict[Leaf, dict[int, Change]] = {}
    for (row, field), change in changes.items():
        leaf, index = leaf_of(batch.schema, field)
        position = place(leaf, batch.column(leaf.column), row, index)
        by_leaf.setdefault(leaf, {})[position] = change
    columns = list(batch.columns)
    for leaf, wanted in by_leaf.items():
        column = columns[leaf.column]
        positions = sorted(wanted)
        values = values_of(leaf, column)
        data, start, end = extents(values, np.array(positions, np.int64))
        new = {
            position: wanted[position](data[s:e])
            for position, s, e in zip(positions, start.tolist(), end.tolist(), strict=True)
        }
        columns[leaf.column] = mapped(leaf, column, partial(_replaced, new))
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def mapped(leaf: Leaf, column: pa.Array, change: Callable[[pa.Array], pa.Array]) -> pa.Array:
    """A column with the array of a leaf's values changed; its arrays have no offset."""
    return _mapped(column, leaf.path[1:], change)


def _mapped(
    array: pa.Array, steps: Sequence[str], change: Callable[[pa.Array], pa.Array]
) -> pa.Array:
    import pyarrow as pa
    import pyarrow.types as t

    found = array.type
    if isinstance(found, pa.BaseExtensionType):
        return found.wrap_array(_mapped(array.storage, steps, change))
    if not steps:
        return change(array)
    if steps[0] == EACH:
        children = [_mapped(array.values, steps[1:], change)]
        own = 1 if t.is_fixed_size_list(found) else 2
        own += t.is_list_view(found) or t.is_large_list_view(found)
    else:
        number, own = found.get_field_index(steps[0]), 1
        children = [array.field(i) for i in range(found.num_fields)]
        children[number] = _mapped(children[number], steps[1:], change)
    buffers = array.buffers()[:own]
    return pa.Array.from_buffers(found, len(array), buffers, array.null_count, 0, children)


def _replaced(new: Mapping[int, bytes], values: pa.Array) -> pa.Array:
    """An array of strings with those at some positions replaced."""
    import pyarrow as pa
    import pyarrow.compute as pc

    positions = sorted(new)
    if kind_of(values.type) == "dictionary":
        held = as_bytes(values.dictionary).cast(pa.large_binary())
        fresh = sorted({new[position] for position in positions})
        code = codes(values)
        for position in positions:
            code[position] = len(held) + fresh.index(new[position])
        known = pa.concat_arrays([held, pa.array(fresh, pa.large_binary())])
        return _coded(values.type, code, values.is_valid(), known)
    plain = as_bytes(values)
    mask = np.zeros(len(plain), bool)
    mask[positions] = True
    fill = pa.array([new[position] for position in positions], plain.type)
    return as_type(pc.replace_with_mask(plain, pa.array(mask), fill), values.type)


def as_type(array: pa.Array, arrow_type: pa.DataType) -> pa.Array:
    """Binary or large_binary values as strings of a type; no string is checked."""
    import pyarrow as pa
    import pyarrow.types as t

    if t.is_string_view(arrow_type) or t.is_binary_view(arrow_type):
        return array.cast(pa.binary_view()).view(arrow_type)
    large = t.is_large_string(arrow_type) or t.is_large_binary(arrow_type)
    return array.cast(pa.large_binary() if large else pa.binary()).view(arrow_type)


def compact(array: pa.Array) -> pa.Array:
    """A dictionary array whose dictionary holds what its rows use, in the order they do."""
    import pyarrow as pa

    if kind_of(array.type) != "dictionary":
        return array
    held = as_bytes(array.dictionary).cast(pa.large_binary())
    return _coded(array.type, codes(array), array.is_valid(), held)


def _coded(
    arrow_type: pa.DataType, code: Ints, is_valid: pa.Array, known: pa.Array
) -> pa.DictionaryArray:
    import pyarrow as pa

    valid = is_valid.to_numpy(zero_copy_only=False)
    used, first = np.unique(code[valid], return_index=True)
    order = used[np.argsort(first)]
    once = known.take(pa.array(order, pa.int64())).dictionary_encode()  # two may be equal now
    lookup = np.zeros(len(known) + 1, np.int64)
    lookup[order] = codes(once)
    indices = pa.array(lookup[code], mask=~valid).cast(arrow_type.index_type)
    values = as_type(once.dictionary, bare(arrow_type.value_type))
    return pa.DictionaryArray.from_arrays(indices, values, ordered=arrow_type.ordered)


def row_bytes(batch: pa.RecordBatch, row: int) -> bytes:
    """A row as an Arrow IPC stream of its own, schema included."""
    import pyarrow as pa

    one = taken(batch, [row])
    columns = [compact(column) for column in one.columns]
    one = pa.RecordBatch.from_arrays(columns, schema=batch.schema)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, one.schema) as writer:
        writer.write_batch(one)
    held: bytes = sink.getvalue().to_pybytes()
    return held
