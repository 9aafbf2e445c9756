"""One record on its way through cleaning: cuts of its texts as edits of its written form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import COPY, DOUBLED_QUOTES, JSON_ESCAPES, Block, Status
from corpusgate.pipeline.edits import Edit, source_bytes, splice, stream_offset
from corpusgate.pipeline.read.csv_fields import doubled_pieces, quote, undouble
from corpusgate.pipeline.read.json_text import escape_pieces, unescape
from corpusgate.text.policy import CharacterPolicy, Cut, cuts_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class CleanRecord:
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
        text = splice(view[start:end], [(c.start - start, c.end - start, c.new) for c in found])
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
        written = splice(view[low:high], [(s - low, e - low, n) for s, e, n in changes])
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
        new = splice(body, sorted((s - low, e - low, n) for s, e, n, _, _ in self.changes))
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
