from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from columnar.audits import audit, rows_of, undone, write
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusgate.pipeline.read.columnar_hash import RowHash, same_rows

CODES = pa.array([1, 0, None, 1], pa.int8())
COLUMNS: dict[str, pa.Array] = {
    "none": pa.nulls(4),
    "flag": pa.array([True, None, False, True]),
    "half": pa.array([1.0, None, 2.5, float("nan")], pa.float16()),
    "price": pa.array([Decimal("1.25"), None, Decimal("-3.00"), Decimal("0.01")]),
    "when": pa.array([datetime(2020, 1, 1, tzinfo=UTC), None] * 2, pa.timestamp("ns", "UTC")),
    "day": pa.array([date(2020, 1, 1), None] * 2),
    "clock": pa.array([time(1, 2, 3), None] * 2),
    "span": pa.array([timedelta(1), None] * 2),
    "fixed": pa.array([b"ab", None, b"cd", b"ef"], pa.binary(2)),
    "list": pa.array([[1, None], [], None, [2]], pa.list_(pa.field("x", pa.int32()))),
    "large": pa.array([["a"], [], None, [None]], pa.large_list(pa.large_string())),
    "square": pa.array([[1, 2], None, [3, 4], [None, 5]], pa.list_(pa.int8(), 2)),
    "struct": pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": None}, {"a": 2, "b": ""}]),
    "map": pa.array([[("k", 1)], [], None, [("l", None)]], pa.map_(pa.string(), pa.int64())),
    "codes": pa.DictionaryArray.from_arrays(CODES, pa.array(["no", "yes"]), ordered=True),
    "numbers": pa.DictionaryArray.from_arrays(CODES, pa.array([10, 20])),
    "uuid": pa.array([b"0" * 16, None, b"1" * 16, b"2" * 16], pa.uuid()),
    "json": pa.array(['{"a": 1}', None, "[]", "{}"], pa.json_()),
}
ARROW_ONLY: dict[str, pa.Array] = {
    "view": pa.array([["a"], [], None, ["b", None]], pa.list_view(pa.string())),
    "text_view": pa.array(["a", None, "long enough to lie outside", ""], pa.string_view()),
    "runs": pa.RunEndEncodedArray.from_arrays([1, 4], pa.array([7, None])),
    "union": pa.UnionArray.from_sparse(
        pa.array([0, 1, 0, 1], pa.int8()), [pa.array([1, 2, 3, 4]), pa.array(list("abcd"))]
    ),
}


def hashed(table: pa.Table, sizes: list[int]) -> str:
    found, at = RowHash(table.schema), 0
    for size in [*sizes, table.num_rows]:
        for batch in table.slice(at, size).to_batches():
            found.update(batch)
        at += size
    return found.hexdigest()


@given(st.lists(st.integers(0, 3), max_size=4))
@settings(max_examples=25, deadline=None)
def test_borders_of_batches_do_not_count(sizes: list[int]) -> None:
    for name, column in {**COLUMNS, **ARROW_ONLY}.items():
        table = pa.table({name: column})
        assert hashed(table, sizes) == hashed(table, []), name


@pytest.mark.parametrize("name", [*COLUMNS, *ARROW_ONLY])
def test_every_value_counts(name: str) -> None:
    column = {**COLUMNS, **ARROW_ONLY}[name]
    whole = hashed(pa.table({name: column}), [])
    assert whole != hashed(pa.table({"other": column}), [])
    assert whole != hashed(pa.table({name: column.slice(0, 3)}), [])
    if name != "none":
        order = pa.concat_arrays([column.slice(2), column.slice(0, 2)])
        assert whole != hashed(pa.table({name: order}), []) or order.equals(column)


def test_what_lies_under_a_null_does_not_count() -> None:
    bits = pa.py_buffer(b"\x05")
    made = pa.Array.from_buffers(
        pa.list_(pa.int8()), 3, [bits, pa.array([0, 1, 2, 3], pa.int32()).buffers()[1]],
        children=[pa.array([1, 9, 3], pa.int8())],
    )  # fmt: skip
    plain = pa.array([[1], None, [3]], pa.list_(pa.int8()))
    assert made.to_pylist() == plain.to_pylist()
    assert hashed(pa.table({"a": made}), []) == hashed(pa.table({"a": plain}), [])
    assert made.buffers()[3].size != plain.buffers()[3].size


def test_types_and_metadata_count() -> None:
    column = pa.array(["a", "b"])
    plain = pa.table({"a": column})
    others = [
        plain.cast(pa.schema([("a", pa.large_string())])),
        plain.replace_schema_metadata({"x": "y"}),
        pa.table({"a": column.dictionary_encode()}),
        plain.cast(pa.schema([pa.field("a", pa.string(), nullable=False)])),
    ]  # fmt: skip
    assert len({hashed(table, []) for table in (plain, *others)}) == len(others) + 1


def test_nodes_do_not_run_into_one_another() -> None:
    tables = [[["ab"], ["c"]], [["a"], ["bc"]], [["ab", "c"], []], [[], ["ab", "c"]]]
    assert len({hashed(pa.table({"a": rows}), []) for rows in tables}) == len(tables)


@pytest.mark.parametrize("kind", ["parquet", "arrow", "stream", "feather"])
def test_other_columns_pass_through(tmp_path: Path, kind: str) -> None:
    columns = COLUMNS if kind == "parquet" else {**COLUMNS, **ARROW_ONLY}
    columns = {name: column for name, column in columns.items() if name not in {"union", "runs"}}
    text = pa.array(["a\x00", "b", None, "c\x01"])
    path = write(tmp_path / "a", pa.table({"text": text, **columns}), kind, rows=2)
    done = audit(path, tmp_path / "audit", segment=1)
    assert repr(rows_of(done.clean)) == repr(rows_of(path)).replace("\\x00", "").replace(
        "\\x01", ""
    )
    assert same_rows(undone(done, tmp_path / "again"), path)
