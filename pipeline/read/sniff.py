"""The format of a source, from its first bytes; its name is only a hint."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import PurePosixPath

from corpusgate.pipeline.read.container import SUFFIXES
from corpusgate.pipeline.read.fields import find_text

BY_SUFFIX = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "csv",
    ".txt": "text", ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow",
}  # fmt: skip

# First bytes of formats that are not text: PDF (ISO 32000), zip and its kin (APPNOTE 4.3.7),
# ELF, PNG, JPEG, GIF, the old Office container, SQLite, pickle protocol 2 to 5, 7z, tar.
BINARY = {
    b"%PDF-": "a PDF", b"PK\x03\x04": "a zip archive (docx, xlsx ...)", b"\x7fELF": "a program",
    b"\x89PNG": "a PNG picture", b"\xff\xd8\xff": "a JPEG picture", b"GIF8": "a GIF picture",
    b"\xd0\xcf\x11\xe0": "an old Office document", b"SQLite format 3\0": "an SQLite database",
    b"\x80\x02": "a pickle", b"\x80\x03": "a pickle", b"\x80\x04\x95": "a pickle",
    b"\x80\x05\x95": "a pickle", b"7z\xbc\xaf": "a 7z archive",
}  # fmt: skip
DELIMITERS = ",\t;|"
CONTINUATION = b"\xff\xff\xff\xff"


def named_format(name: str) -> str:
    """The format a file's name promises, without the suffix of its container; "" if none."""
    path = PurePosixPath(name.lower())
    if path.suffix in SUFFIXES:
        path = path.with_suffix("")
    return BY_SUFFIX.get(path.suffix, "")


def named_container(name: str) -> str:
    """The container a file's name promises."""
    return SUFFIXES.get(PurePosixPath(name.lower()).suffix, "plain")


def binary_kind(head: bytes) -> str:
    """What a file is that holds no text, or nothing.

    Besides known first bytes, a head of which a tenth is C0 control characters other than
    white space and escape is taken for binary: text with NULs in it stays far below.
    """
    for magic, kind in BINARY.items():
        if head.startswith(magic):
            return kind
    if head[257:262] == b"ustar":
        return "a tar archive"
    odd = len(re.findall(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]", head))
    # file(1) calls any file with one such byte "data"; a corpus may hold some, not a tenth
    return "binary data" if odd * 10 > len(head) and b"{" not in head[:1] else ""


def columnar(head: bytes) -> str:
    """Parquet or Arrow by their magic bytes, or nothing."""
    if head.startswith(b"PAR1"):
        return "parquet"
    return "arrow" if head.startswith((b"ARROW1", CONTINUATION)) else ""


def sniff(head: bytes, name: str, *, whole: bool) -> str:
    """Format of a text stream from its decoded head (UTF-8, no BOM); `whole`: no more follows."""
    hint = named_format(name)
    start = head.lstrip()
    if start[:1] == b"[" and hint not in {"text", "csv"}:
        first = start.split(b"\n", 1)[0].strip()
        if hint == "jsonl" and _is_json(first) and b"\n[" in start:
            return "jsonl"
        return "json"
    if start[:1] == b"{":
        lines = [line for line in head.split(b"\n") if line.strip()]
        complete = lines if whole else lines[:-1]
        good = sum(_is_object(line) for line in complete[:20])
        if good and (hint in ("jsonl", "json", "") or good == len(complete[:20])):
            return "jsonl"
        if hint == "json" and not good:
            return "json"
    if hint in ("jsonl", "json"):
        return "csv" if _is_table(head) else "jsonl"
    return "csv" if hint == "csv" else "text"


def _is_table(head: bytes) -> bool:
    """Whether the first line is the header of a table with a text field that is known by name."""
    shown = head.decode("utf-8", "replace")
    first, _, rest = shown.partition("\n")
    names = first.strip().split(delimiter(shown, ""))
    known = find_text([dict.fromkeys((name.strip('" ') for name in names), "")])
    return len(names) > 1 and bool(known) and bool(rest.strip())


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line.decode("utf-8", "replace"), strict=False), dict)
    except (ValueError, RecursionError):
        return False


def delimiter(head: str, name: str) -> str:
    """The delimiter under which the first rows have the most equal number of fields."""
    if head.lower().startswith("sep=") and len(head) > len("sep="):
        return head[4]
    best, score = ",", (0.0, 0)
    for candidate in DELIMITERS:
        try:
            rows = list(csv.reader(head.split("\n")[:30], delimiter=candidate))
        except csv.Error:
            continue
        counts = Counter(len(row) for row in rows[:-1] or rows if row)
        fields, often = max(counts.items(), key=lambda kv: (kv[1], kv[0]), default=(1, 0))
        if fields > 1 and (often / sum(counts.values()), fields) > score:
            best, score = candidate, (often / sum(counts.values()), fields)
    if name.lower().split(".")[-1] == "tsv" and "\t" in head:
        return "\t"
    return best
