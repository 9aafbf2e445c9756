"""Cells: where the texts of Arrow columns lie, as bytes and extents, however deeply nested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.pipeline.read.columnar_paths import EACH, Leaf, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

# Bytes 0x80 to 0xBF continue a UTF-8 sequence (RFC 3629, section 3).
_TOP_BITS, _CONTINUED = 0xC0, 0x80


@dataclass(frozen=True, eq=False)
class Cells:
    """The strings of a leaf in one batch that are not null, in order."""

    row: Ints
    index: Ints
    """Shape (cells, lists on the path): the number of the element in each list."""
    values: pa.Array
    position: Ints
    """Of each cell in `values`."""


def cells(leaf: Leaf, column: pa.Array) -> Cells:
    """The strings of a leaf in its column of a batch."""
    array = stored(column)
    row = position = np.arange(len(array), dtype=np.int64)
    index = np.zeros((len(array), 0), np.int64)
    for step in leaf.path[1:]:
        keep = _valid(array)[position]
        row, position, index = row[keep], position[keep], index[keep]
        if step != EACH:
            array = stored(array.field(step))
            continue
        start, end = _bounds(array)
        size = end[position] - start[position]
        owner = np.repeat(np.arange(len(size)), size)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
        position = start[position][owner] + within
        row, index = row[owner], np.column_stack([index[owner], within])
        array = stored(array.values)
    keep = _valid(array)[position]
    return Cells(row[keep], index[keep], array, position[keep])


def place(leaf: Leaf, column: pa.Array, row: int, index: Sequence[int]) -> int:
    """Position, among the leaf's values, of one string of a column."""
    array, position, numbers = stored(column), row, iter(index)
    for step in leaf.path[1:]:
        if step == EACH:
            position = int(_bounds(array)[0][position]) + next(numbers)
            array = stored(array.values)
        else:
            array = stored(array.field(step))
    return position


def values_of(leaf: Leaf, column: pa.Array) -> pa.Array:
    """The array that the positions of a leaf count in."""
    array = stored(column)
    for step in leaf.path[1:]:
        array = stored(array.values if step == EACH else array.field(step))
    return array


def extents(values: pa.Array, position: Ints) -> tuple[bytes, Ints, Ints]:
    """(bytes, start, end) of strings by their positions; equal dictionary codes share one."""
    if kind_of(values.type) == "dictionary":
        code = codes(values)[position]
        used, inverse = np.unique(code, return_inverse=True)
        whole = np.arange(len(used), dtype=np.int64)
        data, start, end = extents(values.dictionary.take(_array(used)), whole)
        return data, start[inverse], end[inverse]
    if not len(position):
        return b"", position, position
    plain = as_bytes(values)
    dtype = np.dtype(np.int64 if _is_large(plain.type) else np.int32)
    _, offsets, data = plain.buffers()
    bounds = np.frombuffer(offsets, dtype, len(plain) + 1, plain.offset * dtype.itemsize)
    start, end = bounds[position].astype(np.int64), bounds[position + 1].astype(np.int64)
    low, high = int(start.min()), int(end.max())
    held = b"" if data is None else data[low:high].to_pybytes()
    return held, start - low, end - low


def invalid(data: bytes, start: Ints, end: Ints) -> list[int]:
    """The extents that are not strict UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        first = np.frombuffer(data, np.uint8)[start[start < end]]
        if not ((first & _TOP_BITS) == _CONTINUED).any():
            return []
    seen: dict[tuple[int, int], bool] = {}
    pairs = list(zip(start.tolist(), end.tolist(), strict=True))
    for pair in pairs:
        if pair not in seen:
            seen[pair] = not _is_utf8(data[slice(*pair)])
    return [i for i, pair in enumerate(pairs) if seen[pair]]


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def stored(array: Any) -> pa.Array:
    """The storage of an extension array; any other array as it is."""
    import pyarrow as pa

    while isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    return array


def codes(array: pa.DictionaryArray) -> Ints:
    """The indices of a dictionary array; 0 where it is null."""
    found: Ints = array.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def as_bytes(array: pa.Array) -> pa.Array:
    """An array of strings as binary or large_binary; no string need be valid UTF-8."""
    import pyarrow as pa
    import pyarrow.types as t

    found = array.type
    if t.is_string(found):
        return array.view(pa.binary())
    if t.is_large_string(found):
        return array.view(pa.large_binary())
    if t.is_string_view(found):
        array = array.view(pa.binary_view())
    return array.cast(pa.large_binary()) if t.is_binary_view(array.type) else array


def _is_large(arrow_type: pa.DataType) -> bool:
    import pyarrow.types as t

    return bool(t.is_large_binary(arrow_type))


def _array(values: Ints) -> pa.Array:
    import pyarrow as pa

    return pa.array(values, pa.int64())


def _valid(array: pa.Array) -> NDArray[np.bool_]:
    """Which values are not null, in the array or in its dictionary."""
    if array.null_count:
        valid: NDArray[np.bool_] = array.is_valid().to_numpy(zero_copy_only=False)
    else:
        valid = np.ones(len(array), bool)
    if kind_of(array.type) == "dictionary" and array.dictionary.null_count and len(array):
        valid = valid & _valid(array.dictionary)[codes(array)]
    return valid


def _bounds(array: pa.Array) -> tuple[Ints, Ints]:
    """Start and end of each list among the array's values."""
    import pyarrow.types as t

    if t.is_fixed_size_list(array.type):
        size = array.type.list_size
        start = (array.offset + np.arange(len(array), dtype=np.int64)) * size
        return start, start + size
    offsets = array.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
    if t.is_list_view(array.type) or t.is_large_list_view(array.type):
        return offsets, offsets + array.sizes.to_numpy(zero_copy_only=False)
    return offsets[:-1], offsets[1:]
