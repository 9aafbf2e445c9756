"""Profiles: what the survey of a source settled, all that the map needs to read it again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from corpusgate.text.encodings import EncodingProfile

if TYPE_CHECKING:
    from pathlib import Path

STREAMS = ("jsonl", "json", "csv", "text")
COLUMNAR = ("parquet", "arrow", "dataset")


@dataclass(frozen=True)
class Source:
    """A file to audit. `name` is its path below the folder it was found in, with slashes."""

    path: Path
    name: str
    split: str

    @property
    def key(self) -> str:
        """What tells it from every other source of an audit."""
        return f"{self.split}/{self.name}"


@dataclass(frozen=True)
class Segment:
    """A piece of a source between records, the smallest piece of work.

    Stream formats count `start` and `end` in bytes of the decompressed stream, columnar ones
    in rows of `part` (a row group or a file). `oversize`: one record too long to be held.
    """

    start: int
    end: int
    first_record: int
    records: int
    first_line: int
    digest: str
    part: int = 0
    oversize: bool = False


@dataclass(frozen=True)
class Profile:
    """What is settled of a source: container, format, dialect, fields, encodings, cut points."""

    source: str
    split: str
    container: str = "plain"
    format: str = ""
    wide: str = ""
    """Codec of a UTF-16 or UTF-32 stream."""
    bom: int = 0
    """Bytes of the byte order mark at the start of the stream."""
    prologue: int = 0
    """Stream offset at which the records begin (behind a CSV header)."""
    header_lines: int = 0
    delimiter: str = ","
    columns: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    label: str = ""
    encodings: EncodingProfile = field(default_factory=EncodingProfile)
    """What is settled of the legacy encodings that its invalid records are read with."""
    records: int = 0
    lines: int = 0
    crlf: int = 0
    stream_bytes: int = 0
    stream_sha256: str = ""
    file_bytes: int = 0
    file_sha256: str = ""
    fault: str = ""
    """Why reading stopped early or never began, in a few words."""
    segments: tuple[Segment, ...] = ()

    @property
    def key(self) -> str:
        """What tells it from every other source of an audit."""
        return f"{self.split}/{self.source}"

    @property
    def sequential(self) -> bool:
        """Whether its segments must be read in one go: no cheap way into the middle."""
        return self.container != "plain" or self.format == "json"


def to_json(profile: Profile) -> str:
    """A profile as strict JSON with sorted keys."""
    return json.dumps(asdict(profile), sort_keys=True)


def from_json(text: str) -> Profile:
    """The profile that `to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    segments = tuple(Segment(**s) for s in fields.pop("segments"))
    fields["encodings"] = EncodingProfile.from_json(fields["encodings"])
    lists = {k: tuple(v) for k, v in fields.items() if isinstance(v, list)}
    return Profile(**{**fields, **lists}, segments=segments)


def digest(data: bytes) -> str:
    """Content hash of a segment (BLAKE2b, 128 bits, hex)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
