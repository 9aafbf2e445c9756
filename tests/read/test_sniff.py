"""The format of a source from its bytes, whatever its name promises."""

import pytest

from corpusgate.pipeline.read.sniff import sniff

OBJECTS = b'{"text": "a"}\n{"text": "b"}\n'


@pytest.mark.parametrize(
    ("head", "name", "found"),
    [
        (OBJECTS, "a.jsonl", "jsonl"),
        (OBJECTS, "a.json", "jsonl"),
        (OBJECTS, "a.txt", "jsonl"),
        (OBJECTS, "a.csv", "jsonl"),
        (b'[{"text": "a"}]', "a.jsonl", "json"),
        (b'[{"text": "a"}]', "a.json", "json"),
        (b"[a line in brackets]\nmore\n", "a.txt", "text"),
        (b"text,label\nhello,x\n", "a.jsonl", "csv"),
        (b"text;label\nhello;x\n", "a.json", "csv"),
        (b"id\ttext\n1\thello\n", "a.jsonl", "csv"),
        (b"text,label\nhello,x\n", "a.csv", "csv"),
        (b"text,label\nhello,x\n", "a.txt", "text"),
        (b"not json, nor a table\nat all\n", "a.jsonl", "jsonl"),
        (b"plain\n", "a", "text"),
        (b"plain\n", "poem.zh", "text"),
    ],
)
def test_the_bytes_decide_and_the_name_only_hints(head, name, found):
    assert sniff(head, name, whole=True) == found
