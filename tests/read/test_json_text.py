"""Texts of JSON records: where they lie, what they say, what is wrong with their form."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.pipeline.read.fields import expand, find_label, find_text
from corpusgate.pipeline.read.json_text import escape_pieces, parse, strings, unescape

DEEP = "nested more than 500 deep"

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)


def walk(value, path=()):
    """(path, string) of every string value, in file order."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for item in value:
            yield from walk(item, (*path, "*"))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from walk(item, (*path, key))


@given(record=st.dictionaries(st.text(max_size=4), values, max_size=4), ascii_only=st.booleans())
def test_every_string_is_found_where_it_lies(record, ascii_only):
    body = json.dumps(record, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    found = [
        (path, unescape(body[start:end]).decode("utf-8", "surrogatepass"))
        for path, start, end in strings(body)
    ]
    assert found == list(walk(record))


@given(text=st.text(max_size=20), ascii_only=st.booleans())
def test_pieces_cover_the_written_form_and_the_text(text, ascii_only):
    content = json.dumps(text, ensure_ascii=ascii_only)[1:-1].encode("utf-8", "surrogatepass")
    pieces = escape_pieces(content)
    spoken = unescape(content)
    assert b"".join(content[s:e] for _, _, s, e in pieces) == content
    assert b"".join(spoken[s:e] for s, e, _, _ in pieces) == spoken
    assert b"".join(unescape(content[s:e]) for _, _, s, e in pieces) == spoken


@pytest.mark.parametrize(
    ("body", "fault", "notes"),
    [
        (b'{"text": "half', "not JSON: unterminated string starting at", ()),
        (b'["text"]', "not a JSON object", ()),
        (b'{"text": "a", "text": "b"}', "", ("duplicate-key",)),
        (b'{"text": "a", "x": NaN}', "", ("non-strict-json",)),
        (b'{"text": "a\tb"}', "", ("non-strict-json",)),
        (b'{"text": "\\ud800"}', "", ("lone-surrogate",)),
        (b'{"text": "\\ud83d\\ude00"}', "", ()),
        (b'{"text": null}', "", ("text-null",)),
        (b'{"text": 3}', "", ("text-not-string",)),
        (b'{"other": "x"}', "", ("text-missing",)),
        (b'{"text": "ok", "deep": ' + b"[" * 499 + b"]" * 499 + b"}", "", ()),
        (b'{"text": "ok", "deep": ' + b"[" * 500 + b"]" * 500 + b"}", DEEP, ()),
        (b'{"text": "ok", "wide": [' + b"[]," * 9000 + b"0]}", "", ()),
        (b"[" * 9000, DEEP, ()),
    ],
)
def test_faults_and_remarks(body, fault, notes):
    record = parse(body, expand(["text"]), ("label",))
    assert (record.fault, record.notes) == (fault, notes)


def test_large_numbers_and_words_stay_as_they_are_written():
    body = b'{"text": "null", "label": 18446744073709551616}'
    record = parse(body, expand(["text"]), ("label",))
    assert record.label == "18446744073709551616"
    assert [body[t.start : t.end] for t in record.texts] == [b"null"]


def test_turns_of_a_dialogue_are_texts_in_file_order():
    body = json.dumps(
        {
            "messages": [
                {"role": "user", "content": "one"},
                {"role": "assistant", "content": [{"type": "text", "text": "two"}, {"url": "no"}]},
                {"role": "assistant", "content": None},
            ]
        }
    ).encode()
    record = parse(body, expand(["messages"]), ())
    assert [body[t.start : t.end] for t in record.texts] == [b"one", b"two"]


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        (["id", "text", "content"], ("text",)),
        (["instruction", "input", "output"], ("instruction", "input", "output")),
        (["instruction", "output"], ("instruction", "output")),
        (["prompt", "completion"], ("prompt", "completion")),
        (["conversations", "id"], ("conversations",)),
        (["messages"], ("messages",)),
        (["prompt", "chosen", "rejected"], ("prompt", "chosen", "rejected")),
        (["body"], ()),
    ],
)
def test_fields_are_found_by_the_names_that_data_sets_use(keys, found):
    assert find_text([dict.fromkeys(keys, "x")]) == found


def test_the_label_is_found_by_name():
    assert find_label([{"category": 1}]) == "category"
    assert find_label([{"class": 1}]) == ""
