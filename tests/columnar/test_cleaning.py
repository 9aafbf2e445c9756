from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from columnar.audits import (
    FORMATS,
    POEMS,
    audit,
    bytes_of,
    groups_of,
    rows_of,
    screened,
    surveyed,
    texts_of,
    undone,
    write,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusgate.errors import InputError
from corpusgate.model import Status
from corpusgate.pipeline.clean import CleanOptions
from corpusgate.pipeline.read import columnar_block
from corpusgate.pipeline.read.columnar import fetch
from corpusgate.pipeline.read.columnar_clean import (
    clean_columnar,
    clean_table,
    set_aside_columnar,
    whole_rows,
)
from corpusgate.pipeline.read.columnar_hash import same_rows
from corpusgate.pipeline.read.columnar_undo import rebuilt_sha256, restore_rows
from corpusgate.pipeline.read.columnar_write import open_writer
from corpusgate.text.encodings import Reading
from corpusgate.text.policy import CharacterPolicy

NUL = "a\x00b\u200bc"


texts = st.text(st.sampled_from("ab \n\x00\x07\x7f\u200b\u202e\ufeffé中😀"), max_size=8)
TYPES = [
    pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(),
    pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int8(), pa.large_string()),
]  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    n = draw(st.integers(0, 9))
    values = draw(st.lists(st.none() | texts, min_size=n, max_size=n))
    kind = draw(st.sampled_from(TYPES))
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        values = [v and v.encode() for v in values]
        if draw(st.booleans()) and n:
            values[0] = draw(st.sampled_from([b"\xff\xfe", POEMS[0].encode("gbk"), b"a\x80"]))
    if pa.types.is_dictionary(kind):
        column = pa.array(values, kind.value_type).dictionary_encode()
        codes = column.indices.cast(kind.index_type)
        column = pa.DictionaryArray.from_arrays(codes, column.dictionary)
    else:
        column = pa.array(values, kind)
    fields = [pa.field("text", kind, metadata={"note": "x"}), pa.field("n", pa.int16())]
    schema = pa.schema(fields, metadata={"made": "here"})
    return pa.table([column, pa.array(range(n), pa.int16())], schema=schema)


@given(tables(), st.sampled_from(FORMATS[:4]), st.integers(1, 4), st.sampled_from([1, 4, 1 << 20]))
@settings(max_examples=60, deadline=None)
def test_rows_come_back(table: pa.Table, kind: str, rows: int, segment: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        path = write(home / "source", table, kind, rows)
        done = audit(path, home / "audit", segment=segment)
        assert done.profile.records == table.num_rows
        assert len(done.texts) == table.num_rows
        again = undone(done, home / "again")
        assert same_rows(path, again)
        kept = rows_of(done.clean)
        assert len(kept) == table.num_rows - sum(bool(e.quarantine) for e in done.entries)
        whole = audit(path, home / "whole", segment=1 << 20)
        assert bytes_of(whole.clean) == bytes_of(done.clean)
        assert whole.entries == done.entries
        twice = audit(done.clean, home / "twice", segment=segment)
        assert not twice.entries
        assert bytes_of(twice.clean)["source"] == bytes_of(done.clean)["source"]


@pytest.mark.parametrize("kind", FORMATS)
def test_zero_rows(tmp_path: Path, kind: str) -> None:
    table = pa.table({"text": pa.array([], pa.string())})
    path = write(tmp_path / "a", table, kind)
    done = audit(path, tmp_path / "audit")
    assert (done.profile.records, done.profile.segments, done.blocks) == (0, (), [])
    assert bytes_of(done.clean) == bytes_of(path)
    assert same_rows(undone(done, tmp_path / "again"), path)


@pytest.mark.parametrize("kind", FORMATS)
def test_untouched_source_passes_through_byte_for_byte(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path / "a", pa.table({"text": ["a", "b", None, "é", "中"]}), kind)
    done = audit(path, tmp_path / "audit", segment=1)
    assert bytes_of(done.clean) == bytes_of(path)
    assert not done.entries


@pytest.mark.parametrize("kind", FORMATS)
def test_groups_codec_and_metadata_are_the_source_s(tmp_path: Path, kind: str) -> None:
    refused = ["ok", "\x7f", "\x7f", "\x7f", "c\x01d", "\x7f", "e", "\x7f"]
    fields = [pa.field("text", pa.string(), metadata={"k": "v"}), pa.field("n", pa.int64())]
    table = pa.table([refused, list(range(8))], schema=pa.schema(fields, metadata={"a": "b"}))
    path = write(tmp_path / "a", table, kind, rows=3)
    policy = CharacterPolicy(delete="refuse")
    results = []
    for segment in (1, 2, 1 << 20):
        done = audit(path, tmp_path / f"{segment}", CleanOptions(policy), segment=segment)
        results.append((bytes_of(done.clean), done.entries))
    assert results[0] == results[1] == results[2]
    assert [row["n"] for row in rows_of(done.clean)] == [0, 4, 6]
    assert [row["text"] for row in rows_of(done.clean)] == ["ok", "cd", "e"]
    if kind == "parquet":
        assert groups_of(done.clean) == [(0, 1), (1, 1), (2, 1)]
        codec = pq.ParquetFile(done.clean).metadata.row_group(0).column(0).compression
        assert codec == "ZSTD"
    aside = [(e.record, e.row_group, e.check) for e in done.entries if e.quarantine]
    assert [record for record, _, _ in aside] == [1, 2, 3, 5, 7]
    bytes_before = bytes_of(path)
    again = undone(done, tmp_path / "again")
    assert same_rows(again, path)
    if kind in {"parquet", "dataset"}:
        assert groups_of(again) == groups_of(path)
    else:  # a row put back joins the batch that stands in front of it
        assert groups_of(again) == [(0, 4), (0, 2), (0, 2)]
    if kind == "dataset":
        assert bytes_of(again)["state.json"] == bytes_before["state.json"]
        assert bytes_of(again)["dataset_info.json"] == bytes_before["dataset_info.json"]


def test_row_group_without_rows_is_kept(tmp_path: Path) -> None:
    table = pa.table({"text": ["a\x00", "\x7f", "\x7f", "d"]})
    path = tmp_path / "a"
    with pq.ParquetWriter(path, table.schema) as writer:
        for start, size in ((0, 1), (1, 2), (3, 0), (3, 1)):
            writer.write_table(table.slice(start, size))
    done = audit(path, tmp_path / "audit", CleanOptions(CharacterPolicy(delete="refuse")))
    assert groups_of(done.clean) == [(0, 1), (1, 0), (2, 0), (3, 1)]
    again = undone(done, tmp_path / "again")
    assert groups_of(again) == groups_of(path)
    assert same_rows(again, path)


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_arrow_codec_is_the_source_s(tmp_path: Path, codec: str | None) -> None:
    table = pa.table({"text": ["a\x00" + "abcdefgh" * 50] * 50})
    path = tmp_path / "a.arrow"
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with (
        pa.OSFile(str(path), "wb") as sink,
        pa.ipc.new_file(sink, table.schema, options=options) as out,
    ):
        out.write_table(table)
    done = audit(path, tmp_path / "audit")
    assert done.entries
    assert abs(done.clean.stat().st_size - path.stat().st_size) < 200


NESTED = {
    "messages": (
        [[{"role": "u", "content": NUL}, {"role": "a", "content": "ok"}], None,
         [{"role": "u", "content": None}, {"role": "a", "content": "\x01é"}], []],
        pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())])),
        ["messages.0.content", "messages.1.content"],
    ),
    "conversations": (
        [[{"from": "h", "value": "x"}], [{"from": "h", "value": NUL}], [], None],
        pa.large_list(pa.struct([("from", pa.string()), ("value", pa.large_string())])),
        ["conversations.0.value"],
    ),
    "text": (
        [["a", NUL], [], None, ["\x02", None]], pa.list_(pa.field("x", pa.string())),
        ["text.1", "text.0"],
    ),
    "content": (
        [["a", NUL], ["b", "c"], None, ["\x02", None]], pa.list_(pa.string(), 2),
        ["content.1", "content.0"],
    ),
    "parts": (
        [[{"content": [{"text": "a"}, {"text": NUL}]}], [{"content": None}], None, []],
        pa.list_(pa.struct([("content", pa.list_(pa.struct([("text", pa.string())])))])),
        ["parts.0.content.1.text"],
    ),
    "a.b": (["x", NUL, None, ""], pa.dictionary(pa.int8(), pa.string()), ["a.b"]),
    "meta": (
        [{"0": "x", "body": NUL}, None, {"0": "y", "body": None}, {"0": NUL, "body": "z"}],
        pa.struct([("0", pa.string()), ("body", pa.binary())]), ["meta.body"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["parquet", "stream"])
@pytest.mark.parametrize("name", NESTED)
def test_nested_values(tmp_path: Path, name: str, kind: str) -> None:
    values, arrow_type, fields = NESTED[name]
    table = pa.table({"n": [1, 2, 3, 4], name: pa.array(values, arrow_type)})
    path = write(tmp_path / "a", table, kind, rows=4)
    asked = {"meta": "meta.body", "parts": "parts[].content[].text"}.get(name, name)
    done = audit(path, tmp_path / "audit", text=(asked,))
    cuts = [entry.field for entry in done.entries]
    assert [field for i, field in enumerate(cuts) if field not in cuts[:i]] == fields
    clean = str([row[name] for row in rows_of(done.clean)])
    assert ("x00" in clean) == (name == "meta")  # the field beside the text is left alone
    assert rows_of(done.clean)[0]["n"] == 1
    path.rename(tmp_path / "b")  # nothing is read of the source
    assert same_rows(undone(done, tmp_path / "again"), tmp_path / "b")
    assert rebuilt_sha256(done.folder, done.profile.key, done.entries) == (
        done.profile.stream_sha256
    )


@pytest.mark.parametrize("kind", FORMATS)
def test_legacy_bytes_in_binary_columns(tmp_path: Path, kind: str) -> None:
    values = [POEMS[0].encode("gbk"), b"plain", POEMS[1].encode("gbk"), None,
              (POEMS[2] + "\x00").encode("gbk"), b"\xff\xfe\xfd\x81"]  # fmt: skip
    path = write(tmp_path / "a", pa.table({"text": values, "n": range(6)}), kind)
    profile = surveyed(path)
    assert profile.encodings.encodings == ("gb18030",)
    done = audit(path, tmp_path / "audit", segment=8)
    assert texts_of(done)[:3] == [[POEMS[0]], ["plain"], [POEMS[1]]]
    held = [b.status[row] for b in done.blocks for row in range(len(b))]
    assert held[:5] == [Status.RECOVERED, Status.OK, Status.RECOVERED, Status.OK, Status.RECOVERED]
    assert held[5] > Status.RECOVERED
    clean = [row["text"] for row in rows_of(done.clean)]
    assert clean == [POEMS[0].encode(), b"plain", POEMS[1].encode(), None, POEMS[2].encode()]
    first, _, cut, aside = (e for e in done.entries if e.record >= 0)
    assert (first.old, first.new, first.encoding) == (None, None, "gb18030")
    assert (first.length, first.new_length) == (len(values[0]), len(POEMS[0].encode()))
    assert (cut.old, cut.new) == (values[4], POEMS[2].encode())
    assert aside.quarantine.startswith("quarantine/decode/")
    assert same_rows(undone(done, tmp_path / "again"), path)


def test_strings_that_are_no_utf8(tmp_path: Path) -> None:
    raw = pa.array([POEMS[0].encode("gbk"), b"fine"], pa.binary())
    path = write(tmp_path / "a", pa.table({"text": raw.view(pa.string())}), "arrow", rows=4)
    done = audit(path, tmp_path / "audit")
    assert texts_of(done)[:2] == [[POEMS[0]], ["fine"]]
    pa.ipc.open_file(str(done.clean)).read_all().validate(full=True)
    assert same_rows(undone(done, tmp_path / "again"), path)


def test_codec_that_does_not_give_the_text_back_is_not_relied_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pa.table({"text": [b"\\u0041\xe9"]})
    path = write(tmp_path / "a", table, "parquet")
    taken = Reading("raw_unicode_escape", "\\u0041é", 9.0, None, Status.RECOVERED)
    monkeypatch.setattr(columnar_block, "read", lambda texts, *_: [taken for _ in texts])
    done = audit(path, tmp_path / "audit")
    assert (done.entries[0].old, done.entries[0].new) == (b"\\u0041\xe9", "\\u0041é".encode())
    assert rows_of(done.clean) == [{"text": "\\u0041é".encode()}]
    assert same_rows(undone(done, tmp_path / "again"), path)


def test_dictionary_values_change_only_for_the_rows_meant() -> None:
    from corpusgate.pipeline.read.columnar_values import changed_batch

    codes = pa.array([0, 1, 0, None, 1], pa.int8())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(["x\x00", "y", "never"]), ordered=True)
    batch = pa.record_batch({"text": column})
    new = changed_batch(
        batch, {(2, "text"): lambda value: value.upper(), (4, "text"): lambda _: b""}
    )
    assert new.column(0).to_pylist() == ["x\x00", "y", "X\x00", None, ""]
    assert new.column(0).type.ordered
    assert new.column(0).type == column.type
    assert sorted(new.column(0).dictionary.to_pylist()) == ["", "X\x00", "x\x00", "y"]


@pytest.mark.parametrize("kind", ["parquet", "arrow", "stream"])
def test_dictionary_columns_stay_dictionaries(tmp_path: Path, kind: str) -> None:
    words = pa.array(["a\x00", "b", "a", "a\x00", None, "b\x7f", "a\x00", "c"]).dictionary_encode()
    codes = pa.array([2, 0, 1, None, 2, 2, 0, 0], pa.int8())
    label = pa.DictionaryArray.from_arrays(codes, pa.array(["p", "q", "r", "unused"]))
    path = write(tmp_path / "a", pa.table({"text": words, "label": label}), kind, rows=3)
    results = []
    for segment in (1, 1 << 20):
        done = audit(path, tmp_path / f"{segment}", segment=segment)
        results.append(bytes_of(done.clean))
    assert results[0] == results[1]
    assert b"a\x00" not in results[0]["a"]  # no value is left in a dictionary that no row uses
    assert [row["text"] for row in rows_of(done.clean)] == ["a", "b", "a", "a", None, "b", "a", "c"]
    assert [row["label"] for row in rows_of(done.clean)] == label.to_pylist()
    assert done.blocks[0].label[:3] == ("r", "p", "q")
    assert same_rows(undone(done, tmp_path / "again"), path)


def test_null_in_a_dictionary_is_a_null_text(tmp_path: Path) -> None:
    codes = pa.array([0, 1, 1, 2], pa.int32())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(["a\x00", None, "b"]))
    path = write(tmp_path / "a", pa.table({"text": column}), "stream", rows=4)
    done = audit(path, tmp_path / "audit")
    assert done.blocks[0].notes == (("text-null", 1), ("text-null", 2))
    assert [row["text"] for row in rows_of(done.clean)] == ["a", None, None, "b"]
    assert same_rows(undone(done, tmp_path / "again"), path)


def test_dictionary_of_a_row_group_is_one(tmp_path: Path) -> None:
    values = [f"{i // 300}" + "long and random enough " * 40 + "\x00" for i in range(900)]
    table = pa.table({"text": pa.array(values).dictionary_encode()})
    path = tmp_path / "a"
    pq.write_table(table, path, compression="NONE")
    done = audit(path, tmp_path / "audit")
    assert len(done.entries) == 900
    assert done.clean.stat().st_size < 2 * path.stat().st_size < 20_000


def test_texts_that_nothing_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"prompt": [b"\xff", b"a"], "completion": ["x", "y"], "n": [1, 2]})
    path = write(tmp_path / "a", table, "parquet")
    none = Reading(None, None, float("nan"), None, Status.UNDECODABLE)
    monkeypatch.setattr(columnar_block, "read", lambda texts, *_: [none for _ in texts])
    done = audit(path, tmp_path / "audit")
    assert texts_of(done) == [[], ["a", "y"]]
    assert done.blocks[0].encoding.tolist() == [-1, 0]
    assert done.blocks[0].body.tolist() == [[0, 1], [2, 3], [1, 2], [3, 4]]
    assert fetch(path, done.profile, [0, 1]) == {0: ("\ufffd", "x"), 1: ("a", "y")}
    assert [row["n"] for row in rows_of(done.clean)] == [2]
    assert done.entries[0].quarantine.startswith("quarantine/decode/")
    assert same_rows(undone(done, tmp_path / "again"), path)


def test_views_within_other_types(tmp_path: Path) -> None:
    parts = pa.list_(pa.struct([("content", pa.string_view()), ("data", pa.binary_view())]))
    rows = [[{"content": NUL, "data": b"\xff"}, None], None, [{"content": None, "data": None}]]
    path = write(tmp_path / "a", pa.table({"text": pa.array(rows, parts)}), "stream")
    done = audit(path, tmp_path / "audit")
    assert [entry.field for entry in done.entries] == ["text.0.content"] * 2
    assert rows_of(done.clean)[0]["text"][0] == {"content": "abc", "data": b"\xff"}
    assert same_rows(undone(done, tmp_path / "again"), path)


def test_rows_that_decoding_alone_sets_aside(tmp_path: Path) -> None:
    table = pa.table({"text": [b"a", b"\xff\xfe\xfd\x81", b"c"], "n": [1, 2, 3]})
    path = write(tmp_path / "a", table, "parquet")
    profile = surveyed(path)
    ((segment, block),) = screened(path, profile)
    (edit,) = set_aside_columnar(block)
    assert (edit.record, edit.quarantine, edit.length) == (1, "decode", 4)
    (held,) = whole_rows(path, profile, segment, [edit.record])
    assert pa.ipc.open_stream(held).read_all().equals(table.slice(1, 1), check_metadata=True)


def test_source_that_changed_before_it_was_copied_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a", pa.table({"text": ["a", "b"]}), "parquet")
    profile = surveyed(path)
    writer = open_writer(tmp_path / "copy", path, profile)
    ((segment, block),) = screened(path, profile)
    table, _ = clean_table(path, profile, segment, clean_columnar(block, CleanOptions()))
    with pytest.raises(InputError, match="changed while it was read"), writer:
        writer.write(table)
        path.write_bytes(path.read_bytes()[::-1])


def test_ledger_out_of_order_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a", pa.table({"text": ["a\x00", "b\x00"]}), "parquet")
    done = audit(path, tmp_path / "audit")
    with pytest.raises(InputError, match="out of order"):
        restore_rows(done.folder, tmp_path / "again", done.profile.key, done.entries[::-1])


def test_parquet_of_another_writer(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "a.parquet"
    rows = duckdb.sql(
        "SELECT 'a' || chr(7) || i AS text, i::UTINYINT AS label, {'x': [i]} AS more, "
        "TIMESTAMP '2020-01-01' AS t FROM range(10) r(i)"
    )
    rows.write_parquet(str(path), compression="gzip")
    done = audit(path, tmp_path / "audit")
    assert [row["text"] for row in rows_of(done.clean)] == [f"a{i}" for i in range(10)]
    assert pq.read_schema(done.clean).equals(pq.read_schema(path), check_metadata=True)
    metadata = pq.ParquetFile(done.clean).metadata
    assert metadata.row_group(0).column(0).compression == "GZIP"
    assert b"ARROW:schema" not in (metadata.metadata or {})
    assert same_rows(undone(done, tmp_path / "again"), path)


def test_columns_are_coded_and_compressed_as_they_were(tmp_path: Path) -> None:
    table = pa.table({"text": ["a\x00"] * 10, "label": ["l"] * 10})
    path = tmp_path / "a"
    codecs = {"text": "ZSTD", "label": "NONE"}
    pq.write_table(table, path, use_dictionary=["label"], compression=codecs)
    done = audit(path, tmp_path / "audit")
    group = pq.ParquetFile(done.clean).metadata.row_group(0)
    found = [group.column(i) for i in range(2)]
    assert [column.has_dictionary_page for column in found] == [False, True]
    assert [column.compression for column in found] == ["ZSTD", "UNCOMPRESSED"]


def test_pandas_categories_and_index(tmp_path: Path) -> None:
    import pandas as pd

    frame = pd.DataFrame({"text": ["a\x00", "b", "c"], "label": pd.Categorical(["x", "y", "x"])})
    frame = frame.set_index(pd.Index([5, 6, 7], name="key"))
    path = tmp_path / "a.parquet"
    frame.to_parquet(path)
    done = audit(path, tmp_path / "audit")
    frame.loc[5, "text"] = "a"
    pd.testing.assert_frame_equal(pd.read_parquet(done.clean), frame)
