"""The ledger for a terminal: one edit, one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpusgate.text.visible import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN = 40
"""Bytes of an edit that a line has room for."""


def line(entry: Mapping[str, Any]) -> str:
    """Source, record, line, offset, check, and what became of the bytes."""
    place = f"{entry['source']} record {entry['record']} line {entry['line']}"
    where = f"byte {entry['offset']}+{entry['length']}"
    return plain(f"{place} {where} {entry['check']}: {_change(entry)}", keep="")


def _change(entry: Mapping[str, Any]) -> str:
    if entry["quarantine"]:
        return f"set aside in {entry['quarantine']} at {entry['quarantine_offset']}"
    if entry["old"] is None:
        return f"{entry['encoding']} to utf-8"
    old, new = _bytes(entry["old"]), _bytes(entry["new"] or b"")
    via = f" ({entry['encoding']} to utf-8)" if entry["encoding"] else ""
    return f"{old} to {new}{via}" if entry["new"] else f"{old} cut"


def _bytes(data: bytes) -> str:
    piece = data[:SHOWN]
    text = piece.decode("utf-8", "backslashreplace")
    return repr(text)[1:-1].join("''") + ("\u2026" if len(data) > SHOWN else "")
