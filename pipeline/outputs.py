"""Outputs of the map: written from finished shards, in source order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpusgate.pipeline.count_files import write_counts
from corpusgate.pipeline.damage import reading
from corpusgate.pipeline.quarantine import write_quarantine
from corpusgate.pipeline.read.profile import Profile, from_json, to_json
from corpusgate.pipeline.rows import export_schema, records_schema, tokens_schema
from corpusgate.pipeline.shards import merge_totals
from corpusgate.pipeline.tables import TableWriter
from corpusgate.pipeline.totals import TOKENIZER, dump_totals

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.model import Check
    from corpusgate.pipeline.finished import Finished


def sources_table(profiles: Sequence[Profile]) -> pa.Table:
    """Rows of `sources.parquet`: what a reader wants to know, and the whole profile."""
    import pyarrow as pa

    names = (
        "source", "split", "container", "format", "records", "lines", "stream_bytes",
        "stream_sha256", "file_bytes", "file_sha256", "fault",
    )  # fmt: skip
    held: dict[str, Any] = {name: [getattr(p, name) for p in profiles] for name in names}
    held["profile"] = [to_json(p) for p in profiles]
    whole = {"records", "lines", "stream_bytes", "file_bytes"}
    schema = pa.schema([(n, pa.int64() if n in whole else pa.string()) for n in held])
    return pa.table(held, schema=schema)


def read_sources(folder: Path) -> tuple[Profile, ...]:
    """The profiles that `sources.parquet` of an audit holds.

    Raises:
        InputError: it is damaged.
    """
    import pyarrow.parquet as pq

    with reading(folder / "sources.parquet"):
        table = pq.read_table(folder / "sources.parquet", columns=["profile"])
        return tuple(from_json(text) for text in table.column(0).to_pylist())


def write_decode(done: Finished, out: Path, *, export: bool = False) -> None:
    """records/, quarantine/decode/, sources.parquet; with `export` records.parquet."""
    import pyarrow.parquet as pq

    _write_rows(done, out / "records" / "records.parquet", "records", records_schema())
    if export:
        _write_rows(done, out / "records.parquet", "export", export_schema())
    pq.write_table(sources_table(done.profiles), out / "sources.parquet", compression="zstd")
    write_quarantine(done, out, "decode")


def _write_rows(done: Finished, path: Path, name: str, schema: pa.Schema) -> None:
    with TableWriter(path, schema) as rows:
        for _, runs in done.runs():
            for reader, i in runs:
                for batch in reader.batches(i, name):
                    rows.write(batch)


def write_tokens(done: Finished, out: Path) -> None:
    """tokens/: measures of each record by id, and token counts by group of documents."""
    _write_rows(done, out / "tokens" / "tokens.parquet", "tokens", tokens_schema())
    write_counts(done, out)


def write_totals(done: Finished, out: Path, stage: str, checks: Sequence[Check[Any]]) -> None:
    """partials/<stage>.json: what the checks of a stage have seen."""
    wanted = [check for check in checks if check.needs == stage]
    totals = merge_totals([reader.totals(wanted) for reader in done.readers])
    if stage != "tokenize":
        totals = {key: total for key, total in totals.items() if key[0] != TOKENIZER}
    path = out / "partials" / f"{stage}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dump_totals(totals), encoding="utf-8")
