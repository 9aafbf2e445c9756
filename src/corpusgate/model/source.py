"""What the survey says of a source, for checks that judge sources rather than records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SourceFacts:
    """One source: its names, forms and counts."""

    source: str
    split: str
    container: str
    named_container: str
    """What the file's name promises."""
    format: str
    named_format: str
    text: tuple[str, ...]
    """Fields that hold its texts; none where none was found."""
    encodings: tuple[str, ...]
    records: int
    bytes: int
    """Of the decompressed stream."""
    fault: str
    """Why it was not read to its end, or empty."""
    oversize: tuple[tuple[int, int, int, int], ...] = ()
    """(record, line, offset, bytes) of records too long to be held, which nothing has looked at."""

    @property
    def key(self) -> str:
        """Split and name."""
        return f"{self.split}/{self.source}"
