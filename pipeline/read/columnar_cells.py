"""Cells: where the texts of Arrow columns lie, as bytes and extents, however deeply nested."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.pipeline.read.fields import expand

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

EACH = "*"
_NUMBER = re.compile(r"(\d+)(?:\.|$)")
# Bytes 0x80 to 0xBF continue a UTF-8 sequence (RFC 3629, section 3).
_TOP_BITS, _CONTINUED = 0xC0, 0x80


@dataclass(frozen=True)
class Leaf:
    """The strings behind a path of a schema: a column's name, then fields and EACH."""

    column: int
    path: tuple[str, ...]

    def field(self, index: Sequence[int]) -> str:
        """The name of one string: the path with the numbers of list elements in it."""
        numbers = iter(index)
        return ".".join(str(next(numbers)) if step == EACH else step for step in self.path)


@dataclass(frozen=True, eq=False)
class Cells:
    """The strings of a leaf in one batch that are not null, in order."""

    row: Ints
    index: Ints
    """Shape (cells, lists on the path): the number of the element in each list."""
    values: pa.Array
    position: Ints
    """Of each cell in `values`."""


def kind_of(arrow_type: pa.DataType) -> str:
    """How a type leads on to strings: "text", "dictionary", "list", "struct" or not: ""."""
    import pyarrow.types as t

    found = bare(arrow_type)
    if t.is_dictionary(found):
        return "dictionary" if kind_of(found.value_type) == "text" else ""
    if t.is_struct(found):
        return "struct"
    if any(test(found) for test in (t.is_list, t.is_large_list, t.is_fixed_size_list)):
        return "list"
    if t.is_list_view(found) or t.is_large_list_view(found):
        return "list"
    strings = (t.is_string, t.is_large_string, t.is_string_view)
    binaries = (t.is_binary, t.is_large_binary, t.is_binary_view)
    return "text" if any(test(found) for test in (*strings, *binaries)) else ""


def bare(arrow_type: pa.DataType) -> pa.DataType:
    """The storage of an extension type; any other type as it is."""
    import pyarrow as pa

    while isinstance(arrow_type, pa.BaseExtensionType):
        arrow_type = arrow_type.storage_type
    return arrow_type


def _children(arrow_type: pa.DataType) -> Iterator[tuple[str, pa.DataType]]:
    kind, found = kind_of(arrow_type), bare(arrow_type)
    if kind == "list":
        yield EACH, found.value_type
    elif kind == "struct":
        for i in range(found.num_fields):
            yield found.field(i).name, found.field(i).type


def _leads(arrow_type: pa.DataType, steps: Sequence[str]) -> bool:
    if not steps:
        return kind_of(arrow_type) in {"text", "dictionary"}
    return any(n == steps[0] and _leads(t, steps[1:]) for n, t in _children(arrow_type))


def leaves(schema: pa.Schema, names: Sequence[str]) -> tuple[Leaf, ...]:
    """The strings behind field names (see `corpusgate.pipeline.read.fields.expand`)."""
    found: dict[Leaf, None] = {}
    for name in names:
        paths = expand((name,))
        if name in schema.names and "." in name:  # a column whose own name has a dot
            paths = tuple((name, *path[1:]) for path in expand(("x",)))
        for path in paths:
            if path[0] in schema.names:
                column = schema.names.index(path[0])
                if _leads(schema.field(column).type, path[1:]):
                    found[Leaf(column, path)] = None
    return tuple(sorted(found, key=lambda leaf: leaf.column))


def leaf_of(schema: pa.Schema, field: str) -> tuple[Leaf, tuple[int, ...]]:
    """The leaf and the list numbers that `Leaf.field` made a name of.

    Raises:
        KeyError: the schema holds no such string.
    """
    for column, top in enumerate(schema):
        for steps, index in _matches(top.type, top.name, field):
            return Leaf(column, (top.name, *steps)), index
    raise KeyError(field)


def _matches(
    arrow_type: pa.DataType, name: str, rest: str
) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    if rest == name and kind_of(arrow_type) in {"text", "dictionary"}:
        yield (), ()
    if not rest.startswith(f"{name}."):
        return
    rest = rest[len(name) + 1 :]
    for step, child in _children(arrow_type):
        number = _NUMBER.match(rest)
        if step != EACH:
            for steps, index in _matches(child, step, rest):
                yield (step, *steps), index
        elif number:
            for steps, index in _matches(child, number[1], rest):
                yield (EACH, *steps), (int(number[1]), *index)


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
