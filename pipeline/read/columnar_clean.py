"""Clean a columnar source: edits of single values, and the rows with those edits made.

An edit's `offset` and `length` count bytes of the value as the source holds it; its `field`
names the value, with the numbers of list elements on the way (`messages.0.content`).
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import UNKNOWN, Block
from corpusgate.pipeline.clean import CleanOptions, decode_reason
from corpusgate.pipeline.clean_record import encodes
from corpusgate.pipeline.edits import Cleaned, Edit
from corpusgate.pipeline.read.columnar import opened, segment_rows
from corpusgate.pipeline.read.columnar_undo import restore_rows
from corpusgate.pipeline.read.columnar_values import changed_batch, row_bytes, taken
from corpusgate.pipeline.read.columnar_write import RECORD, open_writer
from corpusgate.text.policy import cuts_bytes, refuses, strips

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.pipeline.read.profile import Profile, Segment
    from corpusgate.text.policy import CharacterPolicy, Cut

__all__ = [
    "clean_columnar", "clean_table", "open_writer", "restore_rows", "set_aside_columnar",
    "whole_rows",
]  # fmt: skip


def clean_columnar(block: Block, options: CleanOptions) -> Cleaned:
    """Edits of a block's values by the policy. Pure; `data` is left empty."""
    policy = options.characters
    dirty = (block.bits & np.uint32(strips(policy) | refuses(policy))) != 0
    reasons: list[str] = []
    texts: list[tuple[bytes, ...] | None] = []
    edits: list[Edit] = []
    bounds, view = block.span_bounds.tolist(), block.view
    spans = block.span.tolist()
    for row in range(len(block)):
        low, high = bounds[row : row + 2]
        reason = decode_reason(block, row)
        after = [view[start:end] for start, end in spans[low:high]]
        if not reason and (dirty[row] or block.status[row]):
            work = _Row(block, row, policy)
            reason = work.cut()
            after = work.after
            edits += [] if reason else work.edits
        if reason:
            edits.append(_away(block, row, reason))
        reasons.append(reason)
        texts.append(None if reason else tuple(after))
    return Cleaned(tuple(edits), b"", tuple(texts), tuple(reasons))


class _Row:
    """One record with something to change."""

    def __init__(self, block: Block, row: int, policy: CharacterPolicy) -> None:
        self.block, self.row, self.policy = block, row, policy
        self.after: list[bytes] = []
        self.edits: list[Edit] = []

    def cut(self) -> str:
        """Work out the record's edits; the reason if it must be set aside."""
        low, high = self.block.span_bounds[self.row : self.row + 2].tolist()
        for i in range(low, high):
            start, end = self.block.span[i].tolist()
            found = cuts_bytes(self.block.view, (start, end), self.policy)
            refused = next((cut for cut in found if cut.refuse), None)
            if refused:
                return f"{refused.check}: refused by the policy"
            self._change(i, [(cut.start - start, cut.end - start, cut) for cut in found])
        return ""

    def _change(self, i: int, found: Sequence[tuple[int, int, Cut]]) -> None:
        block = self.block
        text = block.view[slice(*block.span[i].tolist())]
        raw = block.view[slice(*block.body[block.span_body[i]].tolist())]
        new = spliced(text, [(start, end, cut.new) for start, end, cut in found])
        self.after.append(new)
        place = int(block.columns.record[self.row]), UNKNOWN
        name = block.span_field[i]
        if block.span[i].tolist() == block.body[block.span_body[i]].tolist():
            for start, end, cut in found:
                old, size = text[start:end], len(cut.new)
                self.edits.append(
                    Edit(*place, start, len(old), old, cut.new, size, "", name, cut.check)
                )
            return
        encoding = block.encodings[block.encoding[self.row]]
        pure = not found and encodes(text, encoding) == raw and decodes(raw, encoding) == text
        before, after = (None, None) if pure else (raw, new)
        sizes = len(raw), len(new)
        self.edits.append(
            Edit(*place, 0, sizes[0], before, after, sizes[1], encoding, name, "mixed-encoding")
        )


def spliced(data: bytes, changes: Sequence[tuple[int, int, bytes]]) -> bytes:
    """Bytes with [start, end) replaced, for changes in order."""
    parts, at = [], 0
    for start, end, new in changes:
        parts += [data[at:start], new]
        at = end
    return b"".join([*parts, data[at:]])


def decodes(data: bytes, encoding: str) -> bytes | None:
    """Bytes of another encoding as UTF-8, by Python's codec; None where it has none."""
    try:
        return data.decode(encoding).encode()
    except (UnicodeError, LookupError):
        return None


def _away(block: Block, row: int, reason: str) -> Edit:
    """The edit that takes a row out; its length is that of its texts."""
    stage = "decode" if decode_reason(block, row) else "clean"
    record, length = int(block.columns.record[row]), int(block.columns.length[row])
    check = reason.split(":", 1)[0]
    return Edit(record, UNKNOWN, UNKNOWN, length, None, None, 0, "", "", check, stage)


def set_aside_columnar(block: Block) -> list[Edit]:
    """Edits that take out the rows that decoding could not make use of."""
    reasons = [decode_reason(block, row) for row in range(len(block))]
    return [_away(block, row, reason) for row, reason in enumerate(reasons) if reason]


def clean_table(
    path: Path, profile: Profile, segment: Segment, cleaned: Cleaned
) -> tuple[pa.Table, list[bytes]]:
    """(kept rows of a segment, each row set aside as an Arrow IPC stream), in order.

    The table has every column of the source and one more behind them, the number of each
    record, so that a writer can tell where a row stood however the tables are cut.

    Raises:
        InputError: the source changed since it was surveyed.
    """
    import pyarrow as pa

    changes = _changes(cleaned.edits)
    away = {edit.record for edit in cleaned.edits if edit.quarantine}
    aside: list[bytes] = []
    kept: list[pa.RecordBatch] = []
    with opened(path, profile) as rows:
        for _, batches in segment_rows(rows, profile, [segment]):
            record = segment.first_record
            for batch in batches:
                numbers = range(record, record + batch.num_rows)
                aside += [row_bytes(batch, n - record) for n in numbers if n in away]
                stay = [n for n in numbers if n not in away]
                wanted = {
                    (row, name): change
                    for row, number in enumerate(stay)
                    for name, change in changes.get(number, {}).items()
                }
                held = taken(batch, [n - record for n in stay])
                kept.append(_numbered(changed_batch(held, wanted), stay))
                record += batch.num_rows
        schema = rows.schema.append(pa.field(RECORD, pa.int64()))
    return pa.Table.from_batches(kept, schema), aside


def whole_rows(
    path: Path, profile: Profile, segment: Segment, records: Sequence[int]
) -> list[bytes]:
    """Rows of a segment as Arrow IPC streams, in order."""
    wanted = set(records)
    found: list[bytes] = []
    with opened(path, profile) as rows:
        for _, batches in segment_rows(rows, profile, [segment]):
            record = segment.first_record
            for batch in batches:
                here = [row for row in range(batch.num_rows) if record + row in wanted]
                found += [row_bytes(batch, row) for row in here]
                record += batch.num_rows
    return found


def _numbered(batch: pa.RecordBatch, numbers: Sequence[int]) -> pa.RecordBatch:
    import pyarrow as pa

    return batch.append_column(RECORD, pa.array(numbers, pa.int64()))


def _changes(edits: Sequence[Edit]) -> dict[int, dict[str, Callable[[bytes], bytes]]]:
    """By record and field: how a value's bytes become those of the clean copy."""
    found: dict[int, dict[str, Callable[[bytes], bytes]]] = {}
    made = [edit for edit in edits if not edit.quarantine]
    for (record, name), group in groupby(made, key=lambda edit: (edit.record, edit.field)):
        held = list(group)

        def change(value: bytes, held: Sequence[Edit] = held) -> bytes:
            return spliced(value, list(_new(value, held)))

        found.setdefault(record, {})[name] = change
    return found


def _new(value: bytes, edits: Sequence[Edit]) -> Iterator[tuple[int, int, bytes]]:
    for edit in edits:
        end = edit.offset + edit.length
        if edit.new is None:
            yield edit.offset, end, value[edit.offset : end].decode(edit.encoding).encode()
        else:
            yield edit.offset, end, edit.new
