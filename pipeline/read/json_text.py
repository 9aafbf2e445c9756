"""Texts of a JSON record and where they lie, without rewriting the record."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusgate.pipeline.read.fields import Path

TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{},:]|[^"\[\]{},:\s]++|"', re.DOTALL)
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)
QUOTE, COMMA = b'",'
OPEN, CLOSE = b"{[", b"}]"
CONTROL = re.compile(rb"[\x00-\x1f]")
# Python's own reader gives up where its 1,000 calls (sys.getrecursionlimit) are spent, ours
# among them; half of that is the same wherever it is called from
DEEPEST = 500
LONE = "\ufffd".encode()
SIMPLE = {
    b'\\"': b'"', b"\\\\": b"\\", b"\\/": b"/", b"\\b": b"\b",
    b"\\f": b"\f", b"\\n": b"\n", b"\\r": b"\r", b"\\t": b"\t",
}  # fmt: skip


@dataclass(frozen=True)
class Text:
    """A string value: the content between its quotes, and the path that leads to it."""

    path: Path
    start: int
    end: int
    escaped: bool


@dataclass(frozen=True)
class JsonRecord:
    """What a JSON record holds of use, and what is wrong with its form."""

    texts: tuple[Text, ...] = ()
    label: str | None = None
    fault: str = ""
    notes: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]], notes: set[str]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        notes.add("duplicate-key")
    return record


def load(body: bytes, notes: set[str]) -> tuple[Any, str]:
    """The value of a record and why it has none: (value, fault)."""

    def constant(_: str) -> None:
        notes.add("non-strict-json")

    if _too_deep(body):
        return None, f"nested more than {DEEPEST} deep"
    try:
        value = json.loads(
            body.decode("utf-8"),
            strict=False,
            parse_int=str,
            parse_float=str,
            parse_constant=constant,
            object_pairs_hook=lambda pairs: _object(pairs, notes),
        )
    except ValueError as error:
        reason = str(error).split(":", maxsplit=1)[0].lower()
        return None, f"not JSON: {reason}"
    return value, "" if isinstance(value, dict) else "not a JSON object"


def _too_deep(body: bytes) -> bool:
    """Whether objects and lists stand in one another beyond what readers follow."""
    if body.count(b"{") + body.count(b"[") <= DEEPEST:
        return False
    depth = 0
    for match in TOKEN.finditer(body):
        first = body[match.start()]
        depth += (first in OPEN) - (first in CLOSE)
        if depth > DEEPEST:
            return True
    return False


def parse(body: bytes, paths: tuple[Path, ...], label: Path) -> JsonRecord:
    """Texts and label of a record whose bytes are valid UTF-8."""
    notes: set[str] = set()
    value, fault = load(body, notes)
    if fault:
        return JsonRecord(fault=fault)
    wanted = set(paths)
    texts: list[Text] = []
    for path, start, end in strings(body):
        if path in wanted:
            content = body[start:end]
            texts.append(Text(path, start, end, b"\\" in content))
            if SURROGATE.search(content) and SURROGATE.search(PAIR.sub(b"", content)):
                notes.add("lone-surrogate")
        if CONTROL.search(body, start, end):
            notes.add("non-strict-json")
    if not texts:
        notes.add(_absence(value, paths))
    return JsonRecord(tuple(texts), label_of(value, label), "", tuple(sorted(notes)))


def label_of(value: dict[str, Any], path: Path) -> str | None:
    """The label as text; None where the field is absent, null or no scalar."""
    at: Any = value
    for name in path:
        at = at.get(name) if isinstance(at, dict) else None
    if isinstance(at, bool):
        return "true" if at else "false"
    return at.encode("utf-8", "replace").decode() if path and isinstance(at, str) else None


def _absence(value: dict[str, Any], paths: tuple[Path, ...]) -> str:
    names = {path[0] for path in paths}
    held = [value[name] for name in sorted(names) if name in value]
    if not held:
        return "text-missing"
    return "text-null" if all(item is None for item in held) else "text-not-string"


def strings(body: bytes) -> Iterator[tuple[Path, int, int]]:
    """(path, start, end) of every string value: the extent between its quotes."""
    path: list[str] = []  # the current key of each open container, "*" in a list
    objects: list[bool] = []
    expect_key = False
    for match in TOKEN.finditer(body):
        first = body[match.start()]
        if first == QUOTE:
            if expect_key:
                path[-1], expect_key = _key(match.group()), False
            else:
                yield tuple(path), match.start() + 1, match.end() - 1
        elif first in OPEN:
            objects.append(first == OPEN[0])
            path.append("" if objects[-1] else "*")
            expect_key = objects[-1]
        elif first in CLOSE:
            if objects:
                objects.pop()
                path.pop()
            expect_key = False
        elif first == COMMA:
            expect_key = bool(objects) and objects[-1]


def _key(token: bytes) -> str:
    if b"\\" not in token:
        return token[1:-1].decode("utf-8", "replace")
    return str(json.loads(token, strict=False))


def unescape(content: bytes) -> bytes:
    """The UTF-8 text of a JSON string's content; a lone surrogate becomes U+FFFD."""
    return ESCAPE.sub(lambda match: _escaped(match.group()), content)


def _escaped(escape: bytes) -> bytes:
    if escape[1:2] != b"u":
        return SIMPLE.get(escape, escape[1:])
    if len(escape) > len(b"\\u0000"):
        high, low = int(escape[2:6], 16), int(escape[8:12], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).encode()
    point = int(escape[2:6], 16)
    return LONE if 0xD800 <= point < 0xE000 else chr(point).encode()  # noqa: PLR2004


def escape_pieces(content: bytes) -> list[tuple[int, int, int, int]]:
    """Pieces (text start, text end, content start, content end) of an escaped string.

    Copies and escapes alternate; an escape, or a surrogate pair, is one piece.
    """
    pieces: list[tuple[int, int, int, int]] = []
    at = text = 0
    for match in ESCAPE.finditer(content):
        start, end = match.span()
        if start > at:
            pieces.append((text, text + start - at, at, start))
            text += start - at
        size = len(_escaped(match.group()))
        pieces.append((text, text + size, start, end))
        text, at = text + size, end
    if len(content) > at:
        pieces.append((text, text + len(content) - at, at, len(content)))
    return pieces
