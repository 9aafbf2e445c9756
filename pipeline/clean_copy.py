"""The clean copy and its ledger: a drop-in replacement of each source, and the way back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from corpusgate.pipeline.ledger import WHOLE, Entry, quarantine_name
from corpusgate.pipeline.ledger import schema as ledger_schema
from corpusgate.pipeline.ledger import table as ledger_table
from corpusgate.pipeline.places import place
from corpusgate.pipeline.quarantine import run_entries, write_quarantine
from corpusgate.pipeline.read.assemble import valid
from corpusgate.pipeline.read.columnar_dataset import changed_files
from corpusgate.pipeline.read.columnar_write import open_writer
from corpusgate.pipeline.read.container import Stream, compressor
from corpusgate.pipeline.read.pieces import prologue
from corpusgate.pipeline.read.profile import COLUMNAR, Profile
from corpusgate.pipeline.read.wide import UNIT
from corpusgate.pipeline.tables import TableWriter
from corpusgate.text.encodings import read

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.pipeline.clean import CleanOptions
    from corpusgate.pipeline.decode import DecodeOptions
    from corpusgate.pipeline.finished import Finished
    from corpusgate.pipeline.shards import ShardReader


def write_clean(done: Finished, out: Path, options: CleanOptions, decode: DecodeOptions) -> None:
    """clean/, ledger.parquet, quarantine/clean/."""
    with TableWriter(out / "ledger.parquet", ledger_schema()) as ledger:
        for number, runs in done.runs():
            profile, path = done.profiles[number], done.paths[number]
            target = place(out / "clean", profile.key)
            target.parent.mkdir(parents=True, exist_ok=True)
            head: list[Entry] = []
            tail: list[Entry] = []
            if not profile.format:
                continue  # nothing was read of it
            if profile.format in COLUMNAR:
                _clean_rows(target, path, profile, runs)
                head = changed_files(path, target, profile.key)
            else:
                first, head = opening(path, profile, options, decode)
                tail = closing(path, profile)
                _clean_stream(target, profile, first, runs)
            for batch in _numbered(profile, runs, head, tail).to_batches():
                ledger.write(batch)
    write_quarantine(done, out, "clean")


def _clean_stream(
    target: Path, profile: Profile, first: bytes, runs: Sequence[tuple[ShardReader, int]]
) -> None:
    compress, flush = compressor(profile.container)
    with target.open("wb") as file:
        file.write(compress(first))
        for reader, i in runs:
            file.write(compress(reader.clean_bytes(i)))
        file.write(flush())


def _clean_rows(
    target: Path, path: Path, profile: Profile, runs: Sequence[tuple[ShardReader, int]]
) -> None:
    with open_writer(target, path, profile) as writer:
        for reader, i in runs:
            for table in reader.clean_tables(i):
                writer.write(table)


def opening(
    path: Path, profile: Profile, options: CleanOptions, decode: DecodeOptions
) -> tuple[bytes, list[Entry]]:
    """The clean bytes in front of the first record, and the edits that made them."""
    raw = prologue(path, profile)
    entries: list[Entry] = []
    mark, rest = raw[: profile.bom], raw[profile.bom :]
    if profile.wide:
        size = profile.stream_bytes
        entries.append(_whole(profile, 0, size, check="encoding", encoding=profile.wide))
    if mark and (options.bom or profile.wide):
        entries.append(_whole(profile, 0, len(mark), old=mark, check="byte-order-mark"))
        mark = b""
    if profile.wide:
        rest = rest.decode(profile.wide, "replace").encode("utf-8")
    elif not valid(rest):
        reading = read([rest], profile.encodings, decode.reading)[0]
        if reading.text is not None and reading.encoding is not None:
            new = reading.text.encode("utf-8")
            entries.append(
                replace(
                    _whole(profile, profile.bom, len(rest), old=rest, check="mixed-encoding"),
                    new=new, new_length=len(new), encoding=reading.encoding,
                )
            )  # fmt: skip
            rest = new
    return mark + rest, entries


def _whole(profile: Profile, offset: int, length: int, check: str, **more: Any) -> Entry:
    """An edit that belongs to no record; `old` given: these bytes are taken away."""
    values = {"old": None, "new": None if more.get("old") is None else b"", "encoding": "", **more}
    return Entry(
        source=profile.key, record=WHOLE, line=0, row_group=-1, offset=offset, length=length,
        new_length=0, field="", check=check, order=0, quarantine="", quarantine_offset=-1,
        **values,
    )  # fmt: skip


def closing(path: Path, profile: Profile) -> list[Entry]:
    """The edit that keeps the odd bytes at the end of a wide stream."""
    odd = (profile.stream_bytes - profile.bom) % UNIT[profile.wide] if profile.wide else 0
    if not odd:
        return []
    start = profile.stream_bytes - odd
    with Stream(path) as stream:
        stream.skip(start)
        return [_whole(profile, start, odd, old=stream.read(odd), check="undecodable-bytes")]


def _numbered(
    profile: Profile,
    runs: Sequence[tuple[ShardReader, int]],
    head: Sequence[Entry],
    tail: Sequence[Entry],
) -> pa.Table:
    """The ledger rows of a source, numbered, with the places of what was set aside."""
    at = {"decode": 0, "clean": 0}
    rows = list(head)
    for reader, i in runs:
        sizes = {stage: iter(reader.sizes(i, stage)) for stage in at}
        for entry in run_entries(reader, i):
            if entry.quarantine:
                stage = entry.quarantine
                name = quarantine_name(stage, profile.key)
                entry = replace(entry, quarantine=name, quarantine_offset=at[stage])  # noqa: PLW2901
                at[stage] += next(sizes[stage])
            rows.append(entry)
    rows += tail
    return ledger_table(replace(entry, order=k) for k, entry in enumerate(rows))
