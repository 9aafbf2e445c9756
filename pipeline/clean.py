"""Clean: a list of byte edits per record, made in the source's own written form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import Block, Status
from corpusgate.pipeline.clean_record import CleanRecord
from corpusgate.pipeline.edits import Cleaned, Edit, source_bytes, view_position
from corpusgate.text.policy import CharacterPolicy, refuses, strips

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
        work = CleanRecord(block, row, policy, file_format)
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
        at = (view_position(block, start), view_position(block, stop))
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
    at = (view_position(block, end), view_position(block, next_start))
    old = source_bytes(block, *at)
    if b"]" in old:
        return  # what follows stands behind the array
    record, line = int(columns.record[last]), int(columns.line[last])
    edit = Edit(record, line, end, next_start - end, old, b"", 0, "", "", "separator", at=at)
    edits.setdefault(last, []).append(edit)
