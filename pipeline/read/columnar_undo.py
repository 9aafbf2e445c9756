"""Undo: the rows of a columnar source, rebuilt from the outputs of an audit alone."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from corpusgate.errors import InputError
from corpusgate.pipeline.ledger import WHOLE, Entry
from corpusgate.pipeline.places import place
from corpusgate.pipeline.read.columnar_files import INFO, STATE, format_of, open_rows
from corpusgate.pipeline.read.columnar_hash import RowHash
from corpusgate.pipeline.read.columnar_values import changed_batch, taken
from corpusgate.pipeline.read.columnar_write import sinks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from corpusgate.pipeline.read.columnar_files import Rows

# Rows put back one after the other that make a group of an Arrow file.
BACK_ROWS = 1024


def restore_rows(folder: Path, target: Path, key: str, entries: Iterable[Entry]) -> str:
    """Write a source's rows, schema and order as they were; their `RowHash`.

    Args:
        folder: the audit: clean/, quarantine/.
        target: the file or folder to write.
        key: of the source, split/relative path.
        entries: the source's edits in order.
    """
    clean = place(folder / "clean", key)
    kind = format_of(clean)
    tape = _Tape(folder, entries)
    with open_rows(clean, kind) as rows:
        hashed = RowHash(rows.schema)
        sinks = sinks_of(target, clean, kind, rows.schema)
        for part, batch in tape.rows(rows):
            sink = sinks[part if len(sinks) > 1 else 0]
            if batch is None:
                sink.end_group()
            else:
                sink.add(batch)
                hashed.update(batch)
        for sink in sinks:
            sink.close()
    for name in (INFO, STATE) if kind == "dataset" else ():
        old = tape.files[name] if name in tape.files else (clean / name).read_bytes()
        (target / name).write_bytes(old)
    return hashed.hexdigest()


def rebuilt_sha256(folder: Path, key: str, entries: Iterable[Entry]) -> str:
    """The `RowHash` of a source's rows, rebuilt but not written."""
    with open_rows(place(folder / "clean", key)) as rows:
        hashed = RowHash(rows.schema)
        for _, batch in _Tape(folder, entries).rows(rows):
            if batch is not None:
                hashed.update(batch)
    return hashed.hexdigest()


class _Tape:
    """A source's edits, played backwards over its clean rows."""

    def __init__(self, folder: Path, entries: Iterable[Entry]) -> None:
        self._folder, self._entries = folder, iter(entries)
        self._next = next(self._entries, None)
        self.files: dict[str, bytes] = {}
        """What the files of a folder held that say something of it."""
        self._record = 0
        """Number of the source's next record."""
        while self._next is not None and self._next.record == WHOLE:
            self.files[self._next.field] = self._next.old or b""
            self._pull()

    def _pull(self) -> None:
        last = self._next
        self._next = next(self._entries, None)
        if last and self._next and self._next.record < last.record:
            message = f"{self._next.source}: its edits are out of order in the ledger"
            raise InputError("ledger-order", message)

    def rows(self, rows: Rows) -> Iterator[tuple[int, pa.RecordBatch | None]]:
        """(part, rows as they were) in order; None ends a group."""
        for part in range(rows.parts):
            for batch in rows.batches(part):
                yield from ((part, piece) for piece in self._batch(batch, part))
                if rows.own_batches:
                    yield part, None
            for count, row in self._rows_back(part, here=False):
                yield part, row
                if rows.own_batches and count % BACK_ROWS == 0:
                    yield part, None
            yield part, None

    def _batch(self, batch: pa.RecordBatch, part: int) -> Iterator[pa.RecordBatch]:
        """The rows of a clean batch with what stood in front of and between them."""
        at = 0
        while at < batch.num_rows:
            edits = list[Entry]()
            end = self._record + batch.num_rows - at
            while self._next and not self._next.quarantine and self._next.record < end:
                edits.append(self._next)
                self._pull()
            if self._next and self._next.quarantine and self._next.record < end:
                end = self._next.record
            if end > self._record:
                kept = range(at, at + end - self._record)
                yield _undone(taken(batch, kept), edits, self._record)
                at, self._record = kept.stop, end
            yield from (row for _, row in self._rows_back(part, here=at < batch.num_rows))

    def _rows_back(self, part: int, *, here: bool) -> Iterator[tuple[int, pa.RecordBatch]]:
        """(count, row) of rows set aside that come next, if they belong to the part."""
        count = 0
        while (
            self._next
            and self._next.quarantine
            and self._next.record == self._record
            and (here or self._next.row_group == part)
        ):
            count += 1
            yield count, self._row(self._next)
            self._record += 1
            self._pull()

    def _row(self, entry: Entry) -> pa.RecordBatch:
        import pyarrow as pa

        with pa.memory_map(str(place(self._folder, entry.quarantine))) as source:
            source.seek(entry.quarantine_offset)
            with pa.ipc.open_stream(source) as reader:
                return reader.read_next_batch()


def _undone(batch: pa.RecordBatch, edits: Sequence[Entry], record: int) -> pa.RecordBatch:
    """Clean rows as they were; `record` is the number of the first."""
    changes: dict[tuple[int, str], Callable[[bytes], bytes]] = {}
    for (number, name), group in groupby(edits, key=lambda edit: (edit.record, edit.field)):
        held = list(group)

        def change(value: bytes, held: Sequence[Entry] = held) -> bytes:
            return _old(value, held)

        changes[number - record, name] = change
    return changed_batch(batch, changes)


def _old(clean: bytes, edits: Sequence[Entry]) -> bytes:
    """A value as it was before its edits, which are in order."""
    parts, at, position = list[bytes](), 0, 0
    for edit in edits:
        copied = at + edit.offset - position
        new = clean[copied : copied + edit.new_length]
        old = new.decode("utf-8").encode(edit.encoding) if edit.old is None else edit.old
        parts += [clean[at:copied], old]
        at, position = copied + edit.new_length, edit.offset + edit.length
    return b"".join([*parts, clean[at:]])
