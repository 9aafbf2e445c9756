"""Rows of `records/` and `tokens/`: what is kept of a record below the map. Never its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.model import UNKNOWN, Status, record_ids, source_seed
from corpusgate.pipeline.texts import normalised, text_hash
from corpusgate.text.screen import lengths
from corpusgate.text.scripts import main_scripts

if TYPE_CHECKING:
    import pyarrow as pa

    from corpusgate.model import Block
    from corpusgate.pipeline.read.profile import Profile, Segment


def records_schema() -> pa.Schema:
    """Columns of `records/`."""
    import pyarrow as pa

    return pa.schema(
        [
            ("id", pa.uint64()), ("split", pa.string()), *_shared(),
            ("fault", pa.string()), ("bits", pa.uint32()),
        ]
    )  # fmt: skip


def export_schema() -> pa.Schema:
    """Columns of `records.parquet`, the export with texts."""
    import pyarrow as pa

    return pa.schema([*_shared(), ("text", pa.string())])


def _shared() -> list[tuple[str, pa.DataType]]:
    import pyarrow as pa

    return [
        ("source", pa.string()), ("record", pa.int64()), ("line", pa.int64()),
        ("offset", pa.int64()), ("length", pa.int64()), ("encoding", pa.string()),
        ("margin", pa.float64()), ("runner_up", pa.string()), ("status", pa.string()),
    ]  # fmt: skip


def tokens_schema() -> pa.Schema:
    """Columns of `tokens/`, joined to `records/` by id."""
    import pyarrow as pa

    return pa.schema(
        [
            ("id", pa.uint64()), ("kept", pa.bool_()), ("chars", pa.int64()),
            ("bytes", pa.int64()), ("tokens", pa.int64()), ("unknown", pa.int64()),
            ("truncated", pa.int64()), ("loss", pa.uint32()), ("label", pa.string()),
            ("text_hash", pa.uint64()), ("norm_hash", pa.uint64()), ("script", pa.string()),
            ("stratum", pa.string()),
        ]
    )  # fmt: skip


def decode_rows(block: Block) -> pa.Table:
    """What decoding settled of a block's records."""
    import pyarrow as pa

    held = _reading(block)
    held |= {
        "id": block.ids,
        "split": [block.split] * len(block),
        "fault": list(block.fault),
        "bits": block.bits,
    }
    schema = records_schema()
    return pa.table({name: held[name] for name in schema.names}, schema=schema)


def export_rows(block: Block) -> pa.Table:
    """The same for people and programs that want the texts as well; null where there is none."""
    import pyarrow as pa

    held = _reading(block)
    bounds = block.span_bounds.tolist()
    held["text"] = [
        block.text(row) if bounds[row + 1] > bounds[row] else None for row in range(len(block))
    ]
    schema = export_schema()
    return pa.table({name: held[name] for name in schema.names}, schema=schema)


def _reading(block: Block) -> dict[str, Any]:
    import pyarrow as pa

    columns = block.columns
    names = np.array([*block.encodings, None], object)  # the last, for -1: none
    return {
        "source": [block.source] * len(block),
        "record": columns.record,
        "line": pa.array(columns.line, mask=columns.line == UNKNOWN),
        "offset": pa.array(columns.start, mask=columns.start == UNKNOWN),
        "length": columns.length,
        "encoding": pa.array(names[block.encoding], pa.string()),
        "margin": pa.array(block.margin, mask=np.isnan(block.margin)),
        "runner_up": pa.array(names[block.runner_up], pa.string()),
        "status": [Status(s).label for s in block.status.tolist()],
    }


def oversize_row(profile: Profile, segment: Segment, schema: pa.Schema) -> pa.Table:
    """The row of a record too long to be held."""
    import pyarrow as pa

    seed = source_seed(profile.split, profile.source)
    held = {
        "id": int(record_ids(seed, np.array([segment.first_record]))[0]),
        "split": profile.split,
        "source": profile.source,
        "record": segment.first_record,
        "line": segment.first_line + 1,
        "offset": segment.start,
        "length": segment.end - segment.start,
        "status": Status.UNDECODABLE.label,
        "fault": "too long to be held",
        "bits": 0,
    }
    return pa.table({name: [held.get(name)] for name in schema.names}, schema=schema)


def token_rows(block: Block) -> pa.Table:
    """What is measured of the cleaned texts of a block's records."""
    import pyarrow as pa

    n, kept = len(block), block.readable
    texts = [block.text(row) if kept[row] else "" for row in range(n)]
    points, size = np.zeros(n, np.int64), np.zeros(n, np.int64)
    np.add.at(points, block.span_record, lengths(block.view, block.span))
    np.add.at(size, block.span_record, block.span[:, 1] - block.span[:, 0])
    named = scripts(block)
    facts = block.tokens
    none = np.ones(n, bool)

    def measured(values: np.ndarray | None) -> pa.Array:
        held = np.zeros(n, np.int64) if values is None else values
        return pa.array(held, mask=none if values is None else ~kept)

    held = {
        "id": block.ids,
        "kept": kept,
        "chars": points,
        "bytes": size,
        "tokens": measured(None if facts is None else facts.tokens),
        "unknown": measured(None if facts is None else facts.unknown),
        "truncated": measured(None if facts is None else facts.truncated),
        "loss": measured(None if facts is None else facts.loss).cast(pa.uint32()),
        "label": list(block.label),
        "text_hash": _hashes(texts, kept),
        "norm_hash": _hashes([normalised(text) for text in texts], kept),
        "script": named,
        "stratum": [f"{script}//{block.source}" for script in named],
    }
    return pa.table(held, schema=tokens_schema())


def _hashes(texts: list[str], kept: np.ndarray) -> pa.Array:
    """Hashes of texts that hold something; null for the rest, so that no two are equal."""
    import pyarrow as pa

    usable = [bool(k and text.strip()) for k, text in zip(kept.tolist(), texts, strict=True)]
    values = [text_hash(t) if u else None for t, u in zip(texts, usable, strict=True)]
    return pa.array(values, pa.uint64())


def scripts(block: Block) -> list[str]:
    """The script of each record: of its longest text."""
    spans = main_scripts(block.view, block.span)
    size = block.span[:, 1] - block.span[:, 0]
    best: list[tuple[int, str]] = [(-1, "Zyyy")] * len(block)
    for row, length, script in zip(
        block.span_record.tolist(), size.tolist(), spans, strict=True
    ):  # fmt: skip
        if length > best[row][0]:
            best[row] = (length, script)
    return [script for _, script in best]
