from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from columnar.audits import (
    POEMS,
    screened,
    surveyed,
    write,
)

from corpusgate.errors import InputError
from corpusgate.pipeline.decode import DecodeOptions
from corpusgate.pipeline.read.columnar import blocks, fetch, magic
from corpusgate.pipeline.read.votes import POOL_BYTES, Votes


def test_survey_finds_fields_and_cuts_in_order(tmp_path: Path) -> None:
    table = pa.table({
        "id": list(range(10)), "content": ["x" * 10] * 10, "category": ["a", "b"] * 5,
        "label": [[1]] * 10,
    })  # fmt: skip
    path = write(tmp_path / "a", table, "parquet", rows=4)
    profile = surveyed(path, segment=5)  # 20 bytes of text: two rows
    assert (profile.format, profile.columns) == ("parquet", tuple(table.column_names))
    assert (profile.text, profile.label, profile.records) == (("content",), "category", 10)
    places = [(s.part, s.start, s.end, s.first_record, s.records) for s in profile.segments]
    assert places == [
        (0, 0, 2, 0, 2), (0, 2, 4, 2, 2), (1, 0, 2, 4, 2), (1, 2, 4, 6, 2), (2, 0, 2, 8, 2),
    ]  # fmt: skip
    assert profile.file_bytes == profile.stream_bytes == path.stat().st_size
    write(tmp_path / "a", table.set_column(0, "id", [list(range(1, 11))]), "parquet", rows=4)
    other = surveyed(path, segment=5)
    assert not {s.digest for s in profile.segments} & {s.digest for s in other.segments}
    assert profile.stream_sha256 != other.stream_sha256
    assert surveyed(path, text=("category",), label="id").text == ("category",)


def test_large_other_columns_bound_a_segment(tmp_path: Path) -> None:
    table = pa.table({"text": ["a"] * 64, "picture": [b"\x01" * 4000] * 64})
    path = write(tmp_path / "a", table, "arrow", rows=64)
    assert len(surveyed(path, segment=1000).segments) == 8  # 4,000 bytes of text or 32,000 in all


def test_nulls_and_absent_texts_are_records(tmp_path: Path) -> None:
    turns = [[{"role": "u", "content": "hi"}], None, [], [{"role": "u", "content": None}]]
    table = pa.table({"messages": turns, "text": ["", None, " ", "x"]})
    path = write(tmp_path / "a", table, "parquet")
    (_, block), *rest = screened(path, surveyed(path))
    assert [b.notes for _, b in rest] == [()]
    assert block.notes == (("text-null", 1),)
    assert [block.texts(row) for row in range(3)] == [[""], [], [" "]]
    assert block.columns.record.tolist() == [0, 1, 2]
    assert block.body_record.tolist() == [0, 1, 2]
    assert (block.columns.line == -1).all() and (block.columns.start == -1).all()
    (_, block), (_, last) = screened(path, surveyed(path, text=("messages",)))
    assert block.notes == (("text-null", 1), ("text-not-string", 2))
    assert last.notes == (("text-not-string", 0),)
    assert last.row_group == 1
    (_, block), _ = screened(path, surveyed(path, text=("nothing",)))
    assert block.notes[0] == ("text-missing", 0)


def test_texts_of_several_columns_stand_in_file_order(tmp_path: Path) -> None:
    table = pa.table({
        "output": ["o1", "o2"], "instruction": ["i1", None], "input": ["", "in2"],
        "turns": [[{"q": "1", "a": "2"}, {"q": "3", "a": "4"}]] * 2,
    })  # fmt: skip
    path = write(tmp_path / "a", table, "arrow")
    assert surveyed(path).text == ("instruction", "input", "output")
    ((_, block),) = screened(path, surveyed(path))
    assert [block.texts(0), block.texts(1)] == [["o1", "i1", ""], ["o2", "in2"]]
    assert block.columns.length.tolist() == [4, 5]
    ((_, block),) = screened(path, surveyed(path, text=("turns[].a", "turns[].q")))
    assert sorted(block.texts(0)) == ["1", "2", "3", "4"]
    assert block.span_field[0].startswith("turns.0.")
    assert {field[:7] for field in block.span_field[2:4]} == {"turns.1"}


def test_halves_of_a_character_in_two_values_are_no_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a", pa.table({"text": [b"a\xe4", b"\xb8\xad", b""]}), "arrow")
    (_, block) = screened(path, surveyed(path))[0]
    assert [bool(status) for status in block.status.tolist()] == [True, True, False]


def test_view_of_a_dictionary_holds_each_value_once(tmp_path: Path) -> None:
    words = pa.array(["long value " * 10] * 100 + ["b"]).dictionary_encode()
    path = write(tmp_path / "a", pa.table({"text": words}), "arrow", rows=200)
    ((_, block),) = screened(path, surveyed(path))
    assert len(block.view) == 111
    assert block.columns.length.sum() == 100 * 110 + 1


def test_labels(tmp_path: Path) -> None:
    columns = {
        "a": [1, None], "b": [True, False], "c": [0.5, None], "d": [b"x", b"\xff"],
        "e": [["l"], []], "f": [{"g": "in"}, None],
    }  # fmt: skip
    path = write(tmp_path / "a", pa.table({"text": ["x", "y"], **columns}), "parquet")
    wanted = {
        "a": ("1", None), "b": ("true", "false"), "c": ("0.5", None), "d": ("x", "\ufffd"),
        "e": (None, None), "f.g": ("in", None), "f.none": (None, None), "none": (None, None),
    }  # fmt: skip
    for name, expected in wanted.items():
        ((_, block),) = screened(path, surveyed(path, label=name))
        assert block.label == expected, name


def test_fetch_single_records(tmp_path: Path) -> None:
    values = [f"record {i}".encode() for i in range(20)]
    values[7] = POEMS[0].encode("gbk")
    path = write(tmp_path / "a", pa.table({"text": values}), "parquet", rows=6)
    profile = surveyed(path, segment=4)
    found = fetch(path, profile, [13, 0, 7, 13])
    assert found == {0: ("record 0",), 7: (POEMS[0],), 13: ("record 13",)}


def test_source_that_changed_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a", pa.table({"text": ["a", "b", "c", "d"]}), "parquet")
    profile = surveyed(path)
    write(path, pa.table({"text": ["a", "b", "c", "longer"]}), "parquet")
    with pytest.raises(InputError, match="changed while it was read"):
        list(blocks(path, profile, profile.segments, DecodeOptions()))
    write(path, pa.table({"text": ["a", "b"]}), "parquet")
    same_size = replace(profile, file_bytes=path.stat().st_size)
    with pytest.raises(InputError, match="changed while it was read"):
        list(blocks(path, same_size, profile.segments, DecodeOptions()))
    path.unlink()
    with pytest.raises(InputError, match="changed while it was read"):
        list(blocks(path, profile, profile.segments, DecodeOptions()))


def test_votes_hold_a_bounded_pool_whatever_the_order() -> None:
    held = [bytes([n % 256, 0xFF]) * 30_000 for n in range(40)]
    pools = []
    for order in (held, held[::-1]):
        votes = Votes()
        for text in (*order, order[0]):
            votes.add(text)
        assert votes.invalid == 41
        pools.append(votes.pool)
    assert pools[0] == pools[1]
    assert 0 < sum(map(len, pools[0])) <= POOL_BYTES


def damaged(path: Path, kind: str) -> None:
    data = bytearray(path.read_bytes())
    if kind == "truncated":
        path.write_bytes(data[: len(data) * 2 // 3])
    elif kind == "page":
        at = data.index(b"needle in the text")
        data[at - 4] ^= 0xFF  # the length of a value
        path.write_bytes(data)
    elif kind == "offsets":
        at = data.index((18).to_bytes(4, "little") + (36).to_bytes(4, "little"))
        data[at : at + 4] = (1 << 30).to_bytes(4, "little")
        path.write_bytes(data)
    else:
        path.write_bytes(data[:12])


@pytest.mark.parametrize(
    ("fault", "kind"),
    [("truncated", "parquet"), ("truncated", "arrow"), ("truncated", "stream"),
     ("head", "parquet"), ("head", "arrow"), ("head", "stream"), ("page", "parquet"),
     ("offsets", "arrow")],
)  # fmt: skip
def test_damage_is_told_by_the_survey(tmp_path: Path, fault: str, kind: str) -> None:
    table = pa.table({"text": ["needle in the text"] * 40})
    path = tmp_path / "a"
    if kind == "parquet":
        pq.write_table(
            table, path, use_dictionary=False, compression="NONE", write_statistics=False
        )
    else:
        write(path, table, kind, rows=40)
    damaged(path, fault)
    profile = surveyed(path)
    assert profile.fault.startswith("unreadable: ")
    assert (profile.format, profile.segments) == ("", ())
    assert profile.file_bytes == path.stat().st_size


def test_magic() -> None:
    assert magic(b"PAR1....") == "parquet"
    assert magic(b"ARROW1\0\0") == magic(b"\xff\xff\xff\xff\x78\0\0\0") == "arrow"
    assert magic(b'{"text":') == magic(b"") == ""


def test_import_loads_no_heavy_package() -> None:
    code = (
        "import sys, corpusgate.pipeline.read.columnar_clean\n"
        "heavy = {'pyarrow', 'datasets', 'pandas', 'duckdb', 'scipy'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
