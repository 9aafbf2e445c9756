"""The ledger: every byte edit of an audit as a table, and the way back from it."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from corpusgate.errors import InputError
from corpusgate.pipeline.damage import reading
from corpusgate.pipeline.places import place
from corpusgate.pipeline.read.container import CHUNK, Stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.pipeline.edits import Edit

ROW_GROUP = 65_536
WHOLE = -1
"""`record` of an edit that belongs to no record: a header, a byte order mark, the encoding."""


def schema() -> pa.Schema:
    """Columns of `ledger.parquet`."""
    import pyarrow as pa

    return pa.schema(
        [
            ("source", pa.string()), ("record", pa.int64()), ("line", pa.int64()),
            ("row_group", pa.int64()), ("offset", pa.int64()), ("length", pa.int64()),
            ("old", pa.binary()), ("new", pa.binary()), ("new_length", pa.int64()),
            ("encoding", pa.string()), ("field", pa.string()), ("check", pa.string()),
            ("order", pa.int64()), ("quarantine", pa.string()), ("quarantine_offset", pa.int64()),
        ]
    )  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A row of the ledger; see `corpusgate.pipeline.clean.Edit` for its sense."""

    source: str
    record: int
    line: int
    row_group: int
    offset: int
    length: int
    old: bytes | None
    new: bytes | None
    new_length: int
    encoding: str
    field: str
    check: str
    order: int
    quarantine: str
    quarantine_offset: int

    @classmethod
    def of(cls, source: str, edit: Edit, row_group: int = -1) -> Entry:
        """The row of an edit, before it is numbered and its quarantine place is known."""
        return cls(
            source, edit.record, edit.line, row_group, edit.offset, edit.length, edit.old,
            edit.new, edit.new_length, edit.encoding, edit.field, edit.check, 0,
            edit.quarantine, -1,
        )  # fmt: skip


def table(entries: Iterable[Entry]) -> pa.Table:
    """Entries as an Arrow table."""
    import pyarrow as pa

    rows = [vars(entry) for entry in entries]
    columns = {name: [row[name] for row in rows] for name in schema().names}
    return pa.table(columns, schema=schema())


def quarantine_name(stage: str, source: str) -> str:
    """File, below the audit's folder, that holds what a stage set aside of a source."""
    return f"quarantine/{stage}/{source}.bin"


def entries(folder: Path, source: str | None = None) -> Iterator[Entry]:
    """Rows of a ledger in order, of one source or of all.

    Raises:
        InputError: the folder holds no ledger, or a damaged one.
    """
    import pyarrow.parquet as pq

    path = folder / "ledger.parquet"
    if not path.is_file():
        raise InputError("no-ledger", f"{path}: no such file; run `corpusgate clean` first")
    with reading(path), pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=4096):
            for row in batch.to_pylist():
                if source is None or row["source"] == source:
                    yield Entry(**row)


class _Tape:
    """Reads a clean stream forwards, as itself or written in another encoding."""

    def __init__(self, stream: Stream, encoding: str) -> None:
        self._stream, self._encoding = stream, encoding
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""

    def copy(self, size: int | None) -> Iterator[bytes]:
        """The next `size` source bytes (None: all that is left), made from clean bytes."""
        while size is None or size > 0:
            data = self._next(CHUNK if size is None else min(size, CHUNK))
            if not data:
                return
            size = None if size is None else size - len(data)
            yield data

    def _next(self, size: int) -> bytes:
        if not self._encoding:
            return self._stream.read(size)
        self._fill(1)
        data = self._text.encode(self._encoding)[:size]
        self._text = self._text[len(data.decode(self._encoding)) :]
        return data

    def take(self, size: int) -> bytes:
        """The next `size` clean bytes."""
        if not self._encoding:
            return self._stream.read(size)
        self._fill(size)  # as many characters as bytes are enough
        held = self._text.encode()
        self._text = held[size:].decode()
        return held[:size]

    def _fill(self, characters: int) -> None:
        while len(self._text) < characters and (data := self._stream.read(CHUNK)):
            self._text += self._decoder.decode(data)


def restore(folder: Path, source: str, rows: Iterable[Entry]) -> Iterator[bytes]:
    """The decompressed stream of a source, rebuilt from the outputs of an audit alone.

    Args:
        folder: the audit: clean/, quarantine/.
        source: its key, split/relative path.
        rows: the source's edits in order.
    """
    edits = iter(rows)
    first = next(edits, None)
    wide = first is not None and first.check == "encoding" and first.record == WHOLE
    position = 0
    with Stream(place(folder / "clean", source)) as stream:
        tape = _Tape(stream, first.encoding if first is not None and wide else "")
        for edit in edits if wide or first is None else chain([first], edits):
            yield from tape.copy(edit.offset - position)
            yield from _old(folder, tape, edit)
            position = edit.offset + edit.length
        yield from tape.copy(None)


def _old(folder: Path, tape: _Tape, edit: Entry) -> Iterator[bytes]:
    new = tape.take(edit.new_length)
    if edit.quarantine:
        with place(folder, edit.quarantine).open("rb") as file:
            file.seek(edit.quarantine_offset)
            left = edit.length
            while left and (data := file.read(min(left, CHUNK))):
                left -= len(data)
                yield data
    elif edit.old is not None:
        yield edit.old
    else:
        yield new.decode("utf-8").encode(edit.encoding)
