"""What a reader may be told."""

from __future__ import annotations

from dataclasses import dataclass

from corpusgate.errors import ConfigError

FORMATS = ("jsonl", "json", "csv", "text", "parquet", "arrow", "dataset")


@dataclass(frozen=True)
class ReadOptions:
    """Options of reading, the same for every source of an audit.

    Attributes:
        text: fields that hold the text; empty: found by name.
        label: field of the label; empty: found by name.
        format: one of FORMATS for every source; empty: sniffed from the bytes.
        segment: bytes of a segment, the smallest piece of work.
        max_record: bytes of a record that is still held in memory.
        max_ratio: decompressed bytes for one compressed byte, checked above 16 MiB.
    """

    text: tuple[str, ...] = ()
    label: str = ""
    format: str = ""
    # 1 MiB blocks were fastest in facts measured on 1 GB of JSON Lines; a segment holds a few.
    segment: int = 4 << 20
    # longer than any document that a trainer keeps whole; a 100 MB line must still be read
    max_record: int = 256 << 20
    # deflate cannot exceed 1,032:1; real text stays below 30:1 (RFC 1951, section 3.2.5)
    max_ratio: int = 200

    def __post_init__(self) -> None:
        for name in ("segment", "max_record", "max_ratio"):
            if getattr(self, name) < 1:
                why = f"input.{name} is {getattr(self, name)}: give a whole number above 0"
                raise ConfigError("unusable-option", why)
        if self.format and self.format not in FORMATS:
            what = f"input.format is {self.format!r}, which is none"
            raise ConfigError.unknown("unusable-option", what, self.format, FORMATS)
