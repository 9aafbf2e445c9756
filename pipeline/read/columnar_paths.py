"""Paths: which strings of an Arrow schema hold the texts, however deeply nested."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.pipeline.read.fields import expand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pyarrow as pa

EACH = "*"
_NUMBER = re.compile(r"(\d+)(?:\.|$)")


@dataclass(frozen=True)
class Leaf:
    """The strings behind a path of a schema: a column's name, then fields and EACH."""

    column: int
    path: tuple[str, ...]

    def field(self, index: Sequence[int]) -> str:
        """The name of one string: the path with the numbers of list elements in it."""
        numbers = iter(index)
        return ".".join(str(next(numbers)) if step == EACH else step for step in self.path)


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


def resolved(schema: pa.Schema, leaf: Leaf) -> pa.DataType:
    """The type of a leaf's values."""
    found = schema.field(leaf.column).type
    for step in leaf.path[1:]:
        found = next(child for name, child in _children(found) if name == step)
    return bare(found)


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


def retyped(
    arrow_type: pa.DataType, change: Callable[[pa.DataType], pa.DataType]
) -> pa.DataType:  # fmt: skip
    """A type with the types of single values in it changed."""
    import pyarrow as pa
    import pyarrow.types as t

    if t.is_dictionary(arrow_type):
        return pa.dictionary(arrow_type.index_type, retyped(arrow_type.value_type, change))
    if t.is_struct(arrow_type):
        return pa.struct([f.with_type(retyped(f.type, change)) for f in arrow_type])
    for test, make in ((t.is_list, pa.list_), (t.is_large_list, pa.large_list)):
        if test(arrow_type):
            inner = arrow_type.value_field
            return make(inner.with_type(retyped(inner.type, change)))
    return arrow_type if t.is_nested(arrow_type) else change(arrow_type)


def as_binary(arrow_type: pa.DataType) -> pa.DataType:
    """The binary type of a string type; any other as it is."""
    import pyarrow as pa

    same = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    return {**same, pa.string_view(): pa.binary_view()}.get(arrow_type, arrow_type)


def without_view(arrow_type: pa.DataType) -> pa.DataType:
    """The large type of a string view; any other as it is."""
    import pyarrow as pa

    large = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    return large.get(arrow_type, arrow_type)
