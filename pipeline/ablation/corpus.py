"""What a run trains on: three views of each record, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, TypeAlias

from corpusgate.model import Example

if TYPE_CHECKING:
    from collections.abc import Iterable

View: TypeAlias = Literal["raw", "clean"]

# names that say a script or a language is not known
_UNNAMED = frozenset({"", "?", "unknown", "und", "common", "zyyy", "zinh", "zxxx", "zzzz"})


@dataclass(frozen=True)
class TrainingText:
    """Records of one split in source order, as tuples of equal length."""

    id: tuple[int, ...]
    source: tuple[str, ...]
    record: tuple[int, ...]
    line: tuple[int, ...]
    offset: tuple[int, ...]
    stratum: tuple[str, ...]
    """script/language/source; what is not known is left empty."""
    raw: tuple[str, ...]
    """Source bytes read as UTF-8, errors replaced, nothing stripped, quarantined included."""
    clean: tuple[str | None, ...]
    """None where the clean copy does not hold the record."""
    checks: tuple[frozenset[str], ...]
    """Names of the checks of noise or of characters that flagged the record."""

    def __post_init__(self) -> None:
        sizes = {f.name: len(getattr(self, f.name)) for f in fields(self)}
        if len(set(sizes.values())) > 1:
            raise ValueError(f"columns of a training text differ in length: {sizes}")

    def __len__(self) -> int:
        return len(self.id)

    def view(self, name: View) -> tuple[str | None, ...]:
        """The texts of one view."""
        return self.raw if name == "raw" else self.clean

    def tongue(self, row: int) -> str:
        """Script and language of a record, joined by a slash; empty where neither is known."""
        parts = self.stratum[row].split("/")[:2]
        named = [part if part.lower() not in _UNNAMED else "" for part in parts]
        return "/".join(named) if any(named) else ""

    def take(self, rows: Iterable[int]) -> TrainingText:
        """Some of the records, in the order given."""
        keep = list(rows)
        return TrainingText(
            **{f.name: tuple(getattr(self, f.name)[i] for i in keep) for f in fields(self)}
        )

    def example(self, row: int, evidence: tuple[tuple[str, str], ...] = ()) -> Example:
        """A record to look at."""
        return Example(
            self.id[row],
            self.source[row],
            self.record[row],
            self.line[row],
            self.offset[row],
            evidence,
        )
