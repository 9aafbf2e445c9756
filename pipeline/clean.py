"""Clean: a list of byte edits per record, made in the source's own written form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import COPY, DOUBLED_QUOTES, JSON_ESCAPES, Block, Status
from corpusgate.pipeline.read.csv_fields import doubled_pieces, quote, undouble
from corpusgate.pipeline.read.json_text import escape_pieces, unescape
from corpusgate.text.policy import CharacterPolicy, Cut, cuts_bytes, refuses, strips

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True)
class CleanOptions:
    """Options of cleaning.

    Attributes:
        characters: what is done with each class of character.
        bom: whether a byte order mark at the start of a stream is taken away.
    """

    characters: CharacterPolicy = field(default_factory=CharacterPolicy)
    bom: bool = True


@dataclass(frozen=True)
class Edit:
    """One change of a source, in coordinates of its decompressed stream.

    `old` is None where it is kept elsewhere: in quarantine (`quarantine` names the stage), or
    as `new` encoded by `encoding`. `new` is None for a pure change of encoding.
    """

    record: int
    line: int
    offset: int
    length: int
    old: bytes | None
    new: bytes | None
    new_length: int
    encoding: str
    field: str
    check: str
    quarantine: str = ""
    at: tuple[int, int] = (0, 0)
    """Extent in the piece's bytes that `new` takes the place of."""


@dataclass(frozen=True)
class Cleaned:
    """What became of the records of a block.

    `texts` holds the cleaned texts of each kept record, `None` for one set aside.
    """

    edits: tuple[Edit, ...]
    data: bytes
    """The piece with its edits made: UTF-8 where the source was wide."""
    texts: tuple[tuple[bytes, ...] | None, ...]
    reasons: tuple[str, ...]
    """Per record: why it was set aside, or the empty string."""


def decode_reason(block: Block, row: int) -> str:
    """Why a record cannot be used as it was read, or nothing."""
    status = block.status[row]
    if status == Status.UNDECODABLE:
        return "undecodable-bytes: no encoding reads these bytes"
    if status == Status.UNSURE:
        return "undecodable-bytes: no encoding is sure enough"
    return f"broken-record: {block.fault[row]}" if block.fault[row] else ""


def clean(block: Block, options: CleanOptions, file_format: str) -> Cleaned:
    """Edits of a block's records by the policy. Pure."""
    policy = options.characters
    dirty = (block.bits & np.uint32(strips(policy) | refuses(policy))) != 0
    reasons = [decode_reason(block, row) for row in range(len(block))]
    edits: dict[int, list[Edit]] = {}
    texts: list[tuple[bytes, ...] | None] = []
    for row in range(len(block)):
        if reasons[row]:
            texts.append(None)
            continue
        work = _Row(block, row, policy, file_format)
        if dirty[row]:
            reasons[row] = work.cut()
        if not reasons[row]:
            edits[row] = list(work.edits())
        texts.append(None if reasons[row] else tuple(work.texts()))
    for edit in _away(block, reasons):
        edits[_row_of(block, edit)] = [edit]
    if file_format == "json":
        _last_separator(block, reasons, edits)
    flat = [edit for row in sorted(edits) for edit in edits[row]]
    return Cleaned(tuple(flat), apply(block, flat), tuple(texts), tuple(reasons))


def apply(block: Block, edits: Sequence[Edit]) -> bytes:
    """The piece's bytes with its edits made."""
    if not edits:
        return block.view[: block.raw_size]
    parts, at = [], 0
    for edit in edits:
        start, end = edit.at
        parts += [block.view[at:start], edit.new or b""]
        if edit.new is None and not edit.quarantine:
            parts[-1] = block.view[slice(*block.body[_row_of(block, edit)])]
        at = end
    return b"".join([*parts, block.view[at : block.raw_size]])


def _row_of(block: Block, edit: Edit) -> int:
    return edit.record - int(block.columns.record[0])


class _Row:
    """One record on its way through cleaning."""

    def __init__(self, block: Block, row: int, policy: CharacterPolicy, file_format: str) -> None:
        self.block, self.row, self.policy, self.file_format = block, row, policy, file_format
        low, high = block.span_bounds[row : row + 2].tolist()
        self.spans = list(range(low, high))
        self.changes: list[tuple[int, int, bytes, str, str]] = []
        """(start, end, new, check, field) in view positions of the record's body."""
        self.after: dict[int, bytes] = {}

    def texts(self) -> Iterator[bytes]:
        """The record's texts as they are after cleaning."""
        for i in self.spans:
            start, end = self.block.span[i].tolist()
            yield self.after.get(i, self.block.view[start:end])

    def cut(self) -> str:
        """Work out the record's changes; the reason if it must be set aside."""
        for i in self.spans:
            extent = tuple(self.block.span[i].tolist())
            found = cuts_bytes(self.block.view, extent, self.policy)
            refused = next((c for c in found if c.refuse), None)
            if refused:
                return f"{refused.check}: refused by the policy"
            if found and not self._span(i, found):
                return f"{found[0].check}: cannot be cut without harm to what stands around it"
        if self.file_format == "text" and self.changes and not any(t.strip() for t in self.texts()):
            return f"{self.changes[0][3]}: nothing else stood on the line"
        return ""

    def _span(self, i: int, found: Sequence[Cut]) -> bool:
        view, form = self.block.view, int(self.block.form[i])
        start, end = self.block.span[i].tolist()
        low, high = self.block.origin[i].tolist()
        text = _splice(view[start:end], [(c.start - start, c.end - start, c.new) for c in found])
        name = self.block.span_field[i]
        self.after[i] = text
        if form == COPY:
            changes = [(low + c.start - start, low + c.end - start, c.new) for c in found]
        else:
            content = view[low:high]
            pieces = escape_pieces(content) if form == JSON_ESCAPES else doubled_pieces(content)
            changes = [
                (low + s, low + e, new)
                for s, e, new in _mapped(pieces, found, start, end)
            ]  # fmt: skip
        written = _splice(view[low:high], [(s - low, e - low, n) for s, e, n in changes])
        if not self._means(written, text, form, low):
            if form == JSON_ESCAPES:
                return False
            changes = self._requoted(low, high, text)
        checks = [c.check for c in found]
        for k, (s, e, new) in enumerate(changes):
            self.changes.append((s, e, new, checks[min(k, len(checks) - 1)], name))
        return True

    def _means(self, written: bytes, text: bytes, form: int, low: int) -> bool:
        """Whether a reader of the written form would get the cleaned text."""
        if form == JSON_ESCAPES:
            return unescape(written) == text
        if form == DOUBLED_QUOTES:
            return b'"' not in written.replace(b'""', b"") and undouble(written) == text
        bare = self.file_format == "csv" and self.block.view[low - 1 : low] != b'"'
        return not (bare and written[:1] == b'"')

    def _requoted(self, low: int, high: int, text: bytes) -> list[tuple[int, int, bytes]]:
        quoted = low > 0 and self.block.view[low - 1 : low] == b'"'
        return [(low - quoted, high + quoted, quote(text))]

    def edits(self) -> Iterator[Edit]:
        """The record's edits in stream coordinates."""
        block, row = self.block, self.row
        if block.status[row] == Status.RECOVERED and block.stream_offsets is None:
            yield self._recovered()
            return
        record, line = int(block.columns.record[row]), int(block.columns.line[row])
        for start, end, new, check, name in sorted(self.changes):
            offset, stop = stream_offset(block, start), stream_offset(block, end)
            old = source_bytes(block, start, end)
            yield Edit(
                record, line, offset, stop - offset, old, new, len(new), "", name, check,
                at=(start, end),
            )  # fmt: skip

    def _recovered(self) -> Edit:
        block, row = self.block, self.row
        start = int(block.columns.start[row]) - block.base
        end = start + int(block.columns.length[row])
        low, high = block.body[row].tolist()
        body, raw = block.view[low:high], block.view[start:end]
        encoding = block.encodings[block.encoding[row]]
        new = _splice(body, sorted((s - low, e - low, n) for s, e, n, _, _ in self.changes))
        pure = not self.changes and encodes(body, encoding) == raw
        record, line = int(block.columns.record[row]), int(block.columns.line[row])
        return Edit(
            record, line, block.base + start, end - start, None if pure else raw,
            None if pure else new, len(new), encoding, "", "mixed-encoding", at=(start, end),
        )  # fmt: skip


def encodes(text: bytes, encoding: str) -> bytes | None:
    """UTF-8 text written in another encoding; None where it cannot be."""
    try:
        return text.decode("utf-8").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return None


def stream_offset(block: Block, position: int) -> int:
    """Offset in the source's stream of a position in the view's source part."""
    if block.stream_offsets is None:
        return block.base + position
    return block.base + int(block.stream_offsets[position])


def _splice(data: bytes, changes: Sequence[tuple[int, int, bytes]]) -> bytes:
    parts, at = [], 0
    for start, end, new in changes:
        parts += [data[at:start], new]
        at = end
    return b"".join([*parts, data[at:]])


def _mapped(
    pieces: Sequence[tuple[int, int, int, int]], found: Sequence[Cut], start: int, end: int
) -> Iterator[tuple[int, int, bytes]]:
    """Cuts of a span's text as changes of its written form; whole escapes only."""
    del end
    starts = np.array([p[0] for p in pieces])
    for cut in found:
        low, high = cut.start - start, cut.end - start
        first = pieces[int(np.searchsorted(starts, low, "right")) - 1]
        last = pieces[int(np.searchsorted(starts, high, "left")) - 1]
        exact = first[1] - first[0] == first[3] - first[2]
        left = first[2] + (low - first[0] if exact else 0)
        exact = last[1] - last[0] == last[3] - last[2]
        right = last[2] + (high - last[0]) if exact else last[3]
        yield left, right, cut.new


def set_aside(block: Block) -> list[Edit]:
    """Edits that take out the records that decoding could not make use of."""
    reasons = [decode_reason(block, row) for row in range(len(block))]
    return list(_away(block, reasons))


def _away(block: Block, reasons: Sequence[str]) -> Iterator[Edit]:
    """Edits that take records out, each with what separates it from the next."""
    columns = block.columns
    for row in (row for row in range(len(block)) if reasons[row]):
        check = reasons[row].split(":", 1)[0]
        stage = "decode" if decode_reason(block, row) else "clean"
        start, stop = int(columns.start[row]), int(columns.stop[row])
        at = (_position(block, start), _position(block, stop))
        record, line = int(columns.record[row]), int(columns.line[row])
        yield Edit(record, line, start, stop - start, None, None, 0, "", "", check, stage, at)


def _last_separator(block: Block, reasons: Sequence[str], edits: dict[int, list[Edit]]) -> None:
    """Take out the comma that a JSON array would end with when its last elements are gone."""
    last = len(block) - 1
    while last >= 0 and reasons[last]:
        last -= 1
    if not 0 <= last < len(block) - 1:
        return
    columns = block.columns
    end = int(columns.start[last] + columns.length[last])
    next_start = int(columns.start[last + 1])
    at = (_position(block, end), _position(block, next_start))
    old = source_bytes(block, *at)
    record, line = int(columns.record[last]), int(columns.line[last])
    edit = Edit(record, line, end, next_start - end, old, b"", 0, "", "", "separator", at=at)
    edits.setdefault(last, []).append(edit)


def source_bytes(block: Block, start: int, end: int) -> bytes:
    """The source's own bytes behind an extent of the view's source part."""
    data = block.view[start:end]
    if block.stream_offsets is None:
        return data
    return data.decode("utf-8", "surrogatepass").encode(block.encodings[0], "surrogatepass")


def _position(block: Block, offset: int) -> int:
    """Where in the view's source part a stream offset lies."""
    if block.stream_offsets is None:
        return offset - block.base
    return int(np.searchsorted(block.stream_offsets, offset - block.base, "left"))
