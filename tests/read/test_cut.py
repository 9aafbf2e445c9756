"""Cutters: records as the standard readers see them, and none lost where those give up."""

import csv
import io
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpusgate.pipeline.read.csv_fields import doubled_pieces, fields, quote, values
from corpusgate.pipeline.read.cut import CsvCutter, JsonArrayCutter, cut_lines

lines = st.lists(st.sampled_from([b"a", b"\n", b"\r", b" ", b"\t", b"\xe2\x80\xa8", b"\x00"]))


def slices(data, cut):
    return [data[s:e] for s, e in zip(cut.start.tolist(), cut.end.tolist(), strict=True)]


@given(parts=lines)
def test_lines_are_what_splitting_at_newline_gives(parts):
    data = b"".join(parts)
    cut = cut_lines(data, final=True)
    wanted = [(i, s.removesuffix(b"\r")) for i, s in enumerate(data.split(b"\n"))]
    wanted = [(i, s) for i, s in wanted if s.strip(b" \t\r\x0b\x0c")]
    assert slices(data, cut) == [s for _, s in wanted]
    assert cut.line.tolist() == [i for i, _ in wanted]
    assert cut.consumed == len(data)


@given(parts=lines, at=st.integers(0, 30))
def test_an_open_end_is_left_for_the_next_buffer(parts, at):
    data = b"".join(parts)
    first = cut_lines(data[:at], final=False)
    rest = cut_lines(data[first.consumed :], final=True)
    assert slices(data, first) + slices(data[first.consumed :], rest) == slices(
        data, cut_lines(data, final=True)
    )


cells = st.text(st.sampled_from('ab,;"\n\r \u4e2d'), max_size=5)
rows = st.lists(st.lists(cells, min_size=2, max_size=3), max_size=5)


@given(table=rows, delimiter=st.sampled_from(",;\t"), always=st.booleans())
def test_rows_of_csv_are_those_of_the_standard_reader(table, delimiter, always):
    out = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if always else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator="\r\n").writerows(table)
    data = out.getvalue().encode()
    found = slices(data, CsvCutter(delimiter.encode())(data, final=True))
    read = list(csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=delimiter))
    kept = [row for row in read if delimiter.join(row).strip()]
    assert [values(row, delimiter) for row in found if values(row, delimiter) != [""]] == [
        row for row in kept if row != [""]
    ]


def test_a_quote_inside_a_field_opens_nothing():
    data = b'5" disk,a\nsay "hi",b\n"open,c\nlast,d'
    assert slices(data, CsvCutter()(data, final=True)) == data.split(b"\n")


def test_a_quoted_field_may_hold_newlines_and_its_row_waits_for_its_end():
    data = b'"two\nlines",a\r\nnext,b\n'
    assert len(CsvCutter()(data[:6], final=False)) == 0
    cut = CsvCutter()(data, final=True)
    assert slices(data, cut) == [b'"two\nlines",a', b"next,b"]
    assert cut.line.tolist() == [0, 2]


@given(value=st.binary(max_size=12).map(lambda b: b.replace(b"\n", b"")))
def test_quoting_a_value_and_reading_it_gives_it_back(value):
    row = quote(value) + b",x"
    start, end, quoted = fields(row, ",")[0]
    assert quoted
    assert row[start:end].replace(b'""', b'"') == value
    rebuilt = b"".join(row[start:end][s:e] for _, _, s, e in doubled_pieces(row[start:end]))
    assert rebuilt == row[start:end]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(items=st.lists(json_values, max_size=5), indent=st.sampled_from([None, 2]))
@example(items=["]", "[,", {"a": "\\"}], indent=None)
def test_elements_of_an_array_are_those_of_the_standard_reader(items, indent):
    data = json.dumps(items, indent=indent).encode()
    cut = JsonArrayCutter()(data, final=True)
    assert [json.loads(piece) for piece in slices(data, cut)] == items


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'[{"a": 1}, {"a": 2', [b'{"a": 1}', b'{"a": 2']),
        (b"[1, 2] junk", [b"1", b"2", b"junk"]),
        (b'["open, 2]', [b'"open, 2]']),
        (b"[1,,2]", [b"1", b"2"]),
        (b'{"a": 1, "b": 2}] ', [b'{"a": 1, "b": 2}]']),
        (b"[1] [2]", [b"1", b"[2]"]),
    ],
)
def test_a_broken_array_loses_nothing_that_is_not_a_separator(data, found):
    assert slices(data, JsonArrayCutter()(data, final=True)) == found
