"""Survey: each source once, to settle how it is to be read and where it may be cut."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from corpusgate.errors import InputError
from corpusgate.pipeline.read import columnar_survey
from corpusgate.pipeline.read.container import Stream, container_of
from corpusgate.pipeline.read.cut import Cutter, cutter_of
from corpusgate.pipeline.read.fields import find_label, find_text
from corpusgate.pipeline.read.json_text import load
from corpusgate.pipeline.read.profile import Profile, Segment, Source, digest
from corpusgate.pipeline.read.sniff import binary_kind, columnar, delimiter, sniff
from corpusgate.pipeline.read.wide import UNIT, to_utf8
from corpusgate.text.unicode_forms import sniff_bom, sniff_wide

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from corpusgate.pipeline.read.options import ReadOptions

HEAD = 1 << 16
# enough records to see every field of a mixed schema that is not rare
LOOKED_AT = 200
SAMPLE = 1 << 20
# invalid records kept for the vote: the pool decides the same from a few hundred records
# as from all of them, and stays small
POOL_BYTES = 1 << 18


@dataclass(frozen=True)
class Surveyed:
    """A source's profile before its encodings are settled, and the votes it casts."""

    profile: Profile
    pool: tuple[bytes, ...] = ()
    """Invalid records, the first POOL_BYTES of them by content hash."""
    invalid: int = 0
    header: bytes = b""


@dataclass
class _Tally:
    """What one pass over a stream adds up."""

    cutter: Cutter
    wide: str
    whole: bool = False
    """The stream is one JSON document: it cannot be cut before it is held."""
    position: int = 0
    records: int = 0
    lines: int = 0
    crlf: int = 0
    invalid: int = 0
    segments: list[Segment] = field(default_factory=list)
    pool: dict[bytes, bytes] = field(default_factory=dict)
    pooled: int = 0

    def take(self, data: bytes, *, final: bool) -> int:
        """Cut the records off the front of `data`; the bytes that they use."""
        utf8, offsets = to_utf8(data, self.wide) if self.wide else (data, None)
        cut = self.cutter(utf8, final=final)
        used = cut.consumed if offsets is None else int(offsets[cut.consumed])
        used = len(data) if final else used
        if used:
            piece = data[:used]
            self.crlf += utf8.count(b"\r\n", 0, cut.consumed)
            if not self.wide:
                self._vote(utf8, cut.start.tolist(), cut.end.tolist())
            end = self.position + used
            hashed = digest(piece)
            self.segments.append(
                Segment(self.position, end, self.records, len(cut), self.lines, hashed)
            )
            self.position += used
            self.records += len(cut)
            self.lines += cut.lines
        return used

    def oversize(self, size: int, hashed: str) -> None:
        """Note a record too long to be held."""
        start = self.position
        self.segments.append(
            Segment(start, start + size, self.records, 1, self.lines, hashed, oversize=True)
        )
        self.position += size
        self.records += 1
        self.lines += 1

    def _vote(self, data: bytes, starts: list[int], ends: list[int]) -> None:
        if _valid(data):
            return
        for start, end in zip(starts, ends, strict=True):
            record = data[start:end]
            if _valid(record):
                continue
            self.invalid += 1
            key = hashlib.blake2b(record, digest_size=8).digest()
            if key not in self.pool:
                self.pool[key] = record[:HEAD]
                self.pooled += len(self.pool[key])
        while self.pooled > POOL_BYTES and len(self.pool) > 1:
            self.pooled -= len(self.pool.pop(max(self.pool)))


def _valid(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def survey(source: Source, options: ReadOptions) -> Surveyed:
    """One pass over a source. What cannot be read is said in `profile.fault`, not raised."""
    blank = Profile(source.name, source.split)
    try:
        if source.path.is_dir():
            _refuse_unnameable(source.path)
            return Surveyed(*columnar_survey.survey(source, "dataset", options))
        with Stream(source.path) as stream:
            head = stream.read(HEAD)
            container = stream.container
        if container == "plain" and (kind := columnar(head)):
            _refuse_unnameable(source.path)
            return Surveyed(*columnar_survey.survey(source, kind, options))
        profile = _first_look(replace(blank, container=container), head, options)
        if profile.fault:
            return Surveyed(_hashes(profile, source))
        return _pass(source, profile, options)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Surveyed(replace(blank, fault=f"unreadable: {reason}"))
    except InputError as error:
        return Surveyed(replace(blank, fault=f"unreadable: {error}"))


def _refuse_unnameable(path: Path) -> None:
    """Refuse a path that Arrow's C++ side, which takes UTF-8 alone, could not open."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        why = "its path holds bytes that are no UTF-8, which readers of this format refuse"
        raise InputError("unnameable", why) from error


def _hashes(profile: Profile, source: Source) -> Profile:
    with source.path.open("rb") as file:
        whole = hashlib.file_digest(file, "sha256").hexdigest()
    size = source.path.stat().st_size
    return replace(profile, file_sha256=whole, file_bytes=size, stream_bytes=size)


def _first_look(profile: Profile, head: bytes, options: ReadOptions) -> Profile:
    """Byte order mark, wide form, format and CSV dialect from the head of the stream."""
    bom, size = sniff_bom(head) or ("", 0)
    wide = bom if bom in UNIT else (sniff_wide(head) or "" if not bom else "")
    kind = "" if wide else binary_kind(head[size:])
    if kind or container_of(head) != "plain":
        found = kind or f"a {container_of(head)} archive inside another"
        return replace(profile, fault=f"binary: {found}")
    text = to_utf8(head[size:], wide)[0] if wide else head[size:]
    whole = len(head) < HEAD
    kind = options.format or sniff(text, profile.source, whole=whole)
    profile = replace(profile, wide=wide, bom=size, format=kind)
    if kind == "csv":
        shown = text.decode("utf-8", "replace")
        profile = replace(profile, delimiter=delimiter(shown, profile.source))
    return profile


def _pass(source: Source, profile: Profile, options: ReadOptions) -> Surveyed:
    cutter = cutter_of(profile.format, {"delimiter": profile.delimiter})
    tally = _Tally(cutter, profile.wide, whole=profile.format == "json")
    hashed = hashlib.sha256()
    with Stream(source.path, options.max_ratio) as stream:
        first = stream.read(profile.bom)
        header, used = b"", b""
        if profile.format == "csv":
            header, used, rest = _header(stream, cutter, profile, options)
            lines = used.count(b"\n")
            profile = replace(profile, prologue=profile.bom + len(used), header_lines=lines)
            tally.lines = lines
        else:
            rest = b""
            profile = replace(profile, prologue=profile.bom)
        hashed.update(first + used)
        tally.position = profile.prologue
        sample = _records(stream, rest, tally, hashed, options)
        fault = f"container {stream.fault}" if stream.fault else ""
    profile = replace(
        profile, records=tally.records, lines=tally.lines, crlf=tally.crlf, fault=fault,
        stream_bytes=tally.position, stream_sha256=hashed.hexdigest(),
        segments=tuple(tally.segments),
    )  # fmt: skip
    profile = _fields(profile, sample, options)
    with source.path.open("rb") as file:
        whole = hashlib.file_digest(file, "sha256").hexdigest()
    profile = replace(profile, file_sha256=whole, file_bytes=source.path.stat().st_size)
    pool = tuple(tally.pool[key] for key in sorted(tally.pool))
    return Surveyed(profile, pool, tally.invalid, header)


def _header(
    stream: Stream, cutter: Cutter, profile: Profile, options: ReadOptions
) -> tuple[bytes, bytes, bytes]:
    """(header row as UTF-8 or legacy bytes, source bytes used by it, bytes read beyond)."""
    data = b""
    while True:
        more = stream.read(HEAD)
        data += more
        utf8, offsets = to_utf8(data, profile.wide) if profile.wide else (data, None)
        cut = cutter(utf8, final=not more)
        rows = [utf8[s:e] for s, e in zip(cut.start.tolist(), cut.end.tolist(), strict=True)]
        skip = 1 if rows and rows[0].lower().startswith(b"sep=") else 0
        if len(rows) > skip or not more or len(data) > options.max_record:
            break
    if len(rows) <= skip:
        return b"", b"", data
    end = int(cut.stop[skip])
    used = end if offsets is None else int(offsets[end])
    return rows[skip], data[:used], data[used:]


def _records(
    stream: Stream, rest: bytes, tally: _Tally, hashed: hashlib._Hash, options: ReadOptions
) -> bytes:
    """Cut the whole stream into segments; returns its first records, to look at."""
    buffer, sample = rest, b""
    want = options.max_record if tally.whole else options.segment
    while True:
        more = stream.read(want)
        buffer += more
        looked = len(sample) >= SAMPLE or tally.records >= LOOKED_AT
        used = tally.take(buffer, final=not more) if buffer else 0
        if not looked:
            sample += buffer[:used]
        hashed.update(buffer[:used])
        buffer = buffer[used:]
        if not more:
            return sample
        if len(buffer) > options.max_record:
            buffer = _too_long(stream, buffer, tally, hashed)
        want = max(want, len(buffer))


def _too_long(stream: Stream, buffer: bytes, tally: _Tally, hashed: hashlib._Hash) -> bytes:
    """Pass over a record that is too long to be held, up to the end of its line."""
    size, own = 0, hashlib.blake2b(digest_size=16)
    while buffer:
        end = 0 if tally.whole else buffer.find(b"\n") + 1
        piece = buffer[:end] if end else buffer
        own.update(piece)
        hashed.update(piece)
        size += len(piece)
        if end:
            tally.oversize(size, own.hexdigest())
            return buffer[end:]
        buffer = stream.read(HEAD)
    tally.oversize(size, own.hexdigest())
    return b""


def _fields(profile: Profile, sample: bytes, options: ReadOptions) -> Profile:
    """Text and label fields of a JSON source, from its first records."""
    if profile.format == "text":
        return replace(profile, text=("line",))
    if profile.format == "csv":
        return replace(profile, text=options.text, label=options.label)
    # a first record that is longer than SAMPLE shows its fields to its end alone
    records = _objects(profile, sample[:SAMPLE], LOOKED_AT) or _objects(profile, sample, 1)
    text = options.text or find_text(records)
    return replace(profile, text=text, label=options.label or find_label(records))


def _objects(profile: Profile, sample: bytes, most: int) -> list[dict[str, Any]]:
    """The objects among the first records of a sample."""
    found = []
    for body in islice(_bodies(profile, sample), most):
        value, fault = load(body.decode("utf-8", "replace").encode(), set())
        if not fault and isinstance(value, dict):
            found.append(value)
    return found


def _bodies(profile: Profile, sample: bytes) -> Iterator[bytes]:
    utf8 = to_utf8(sample, profile.wide)[0] if profile.wide else sample
    cutter = cutter_of(profile.format, {})
    cut = cutter(utf8, final=True)
    for start, end in zip(cut.start.tolist(), cut.end.tolist(), strict=True):
        yield utf8[start:end]
