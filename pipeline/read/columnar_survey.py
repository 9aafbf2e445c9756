"""Survey of a columnar source: every row once, to settle what it holds and where to cut it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.errors import InputError
from corpusgate.pipeline.read.columnar_cells import cells, extents, invalid
from corpusgate.pipeline.read.columnar_files import files_of, in_pieces, open_rows
from corpusgate.pipeline.read.columnar_hash import RowHash
from corpusgate.pipeline.read.columnar_paths import Leaf, bare, leaves
from corpusgate.pipeline.read.fields import find_label, find_text
from corpusgate.pipeline.read.profile import Profile, Segment, Source
from corpusgate.pipeline.read.votes import Votes

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from corpusgate.pipeline.read.options import ReadOptions

# A segment of a columnar source has the text of this many of a stream's: a row group is read
# from its start for each of its segments.
TEXT_SEGMENTS = 4
# Rows of a segment at most: those of a row group of the tables below the map.
SEGMENT_ROWS = 65_536
# A segment is read with all its columns when it is cleaned: they may be so much larger.
OTHER_COLUMNS = 8


def survey(
    source: Source, kind: str, options: ReadOptions
) -> tuple[Profile, tuple[bytes, ...], int]:
    """(profile, invalid texts to settle the encodings by, how many texts are invalid).

    Every column is decoded once, so that damage is found here; it is told in `fault`, and
    the format is then left empty, since nothing is read of the source.

    Args:
        source: a Parquet file, an Arrow file or stream, a folder that `datasets` saved.
        kind: "parquet", "arrow" or "dataset".
        options: fields and the size of a segment.
    """
    import pyarrow as pa

    profile = Profile(source.name, source.split)
    votes = Votes()
    try:
        profile = with_hash(profile, source.path)
        return _survey(replace(profile, format=kind), source.path, options, votes), votes.pool, (
            votes.invalid
        )  # fmt: skip
    except (pa.ArrowException, InputError, OSError, ValueError, LookupError, TypeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        return replace(profile, fault=f"unreadable: {reason[:200]}"), (), 0


def with_hash(profile: Profile, path: Path) -> Profile:
    """The profile with size and hash of the source's files; a folder's names count as well."""
    whole, size = hashlib.sha256(), 0
    files = sorted(files_of(path))
    for file in files:
        if path.is_dir():
            whole.update(f"{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while data := stream.read(1 << 20):
                whole.update(data)
                size += len(data)
    return replace(profile, file_bytes=size, stream_bytes=size, file_sha256=whole.hexdigest())


def _survey(profile: Profile, path: Path, options: ReadOptions, votes: Votes) -> Profile:
    with open_rows(path, profile.format) as rows:
        schema = rows.schema
        text = options.text or _find_text(schema)
        found = leaves(schema, text)
        hashed, cuts = RowHash(schema), _Cuts(profile.file_sha256, options)
        for part in range(rows.parts):
            for batch in in_pieces(rows.batches(part)):
                hashed.update(batch)
                cuts.add(part, _weights(batch, found, votes))
            cuts.close(part)
    return replace(
        profile,
        columns=tuple(schema.names),
        text=text,
        label=options.label or _find_label(schema),
        records=cuts.records,
        stream_sha256=hashed.hexdigest(),
        segments=tuple(cuts.segments),
    )


def _find_text(schema: pa.Schema) -> tuple[str, ...]:
    """The usual text fields among the columns that hold strings."""
    held = [name for name in schema.names if leaves(schema, (name,))]
    return find_text([dict.fromkeys(held, "")])


def _find_label(schema: pa.Schema) -> str:
    """The usual label field among the columns of single values."""
    import pyarrow.types as t

    held = [f.name for f in schema if not t.is_nested(bare(f.type))]
    return find_label([dict.fromkeys(held, "")])


def _weights(
    batch: pa.RecordBatch, found: tuple[Leaf, ...], votes: Votes
) -> NDArray[np.float64]:  # fmt: skip
    """Bytes of text in each row, or its share of the batch where other columns are large."""
    text = np.zeros(batch.num_rows)
    for leaf in found:
        held = cells(leaf, batch.column(leaf.column))
        data, start, end = extents(held.values, held.position)
        np.add.at(text, held.row, end - start)
        for i in invalid(data, start, end):
            votes.add(data[start[i] : end[i]])
    share = batch.nbytes / max(batch.num_rows, 1) / OTHER_COLUMNS
    weights: NDArray[np.float64] = np.maximum(text, share)
    return weights


@dataclass
class _Cuts:
    """Segments of the rows seen so far."""

    file_sha256: str
    options: ReadOptions
    records: int = 0
    segments: list[Segment] = field(default_factory=list)
    _start: int = 0
    _at: int = 0
    _held: float = 0.0

    def add(self, part: int, weights: NDArray[np.float64]) -> None:
        """Cut behind each row that fills a segment."""
        limit = self.options.segment * TEXT_SEGMENTS
        total, low = np.concatenate([np.zeros(1), np.cumsum(weights)]), 0
        while low < len(weights):
            full = int(np.searchsorted(total, total[low] + limit - self._held, "left"))
            high = min(max(full, low + 1), low + SEGMENT_ROWS - (self._at - self._start))
            high = min(high, len(weights))
            self._held += total[high] - total[low]
            self._at += high - low
            if self._held >= limit or self._at - self._start >= SEGMENT_ROWS:
                self._cut(part)
            low = high

    def close(self, part: int) -> None:
        """End the last segment of a part: none reaches into the next."""
        self._cut(part)
        self._start = self._at = 0

    def _cut(self, part: int) -> None:
        if self._at > self._start:
            self.segments.append(
                Segment(
                    self._start, self._at, self.records, self._at - self._start, 0,
                    self._digest(part), part,
                )
            )  # fmt: skip
        self.records += self._at - self._start
        self._start, self._held = self._at, 0.0

    def _digest(self, part: int) -> str:
        """Of the source's bytes and the place in it: another source has other digests."""
        place = json.dumps([self.file_sha256, part, self._start, self._at])
        return hashlib.blake2b(place.encode(), digest_size=16).hexdigest()
