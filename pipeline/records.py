"""Records: the tables below the map, read out of core by SQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from corpusgate.pipeline.compare import SplitFacts
from corpusgate.pipeline.document_groups import GroupCounts

if TYPE_CHECKING:
    from pathlib import Path

    from corpusgate.model import LengthUnit
    from corpusgate.stats.distance import Histogram


class RecordTables:
    """A view `records` over records/ and tokens/ of an audit, joined by id.

    Args:
        folder: the folder that holds records/.
        measures: the folder that holds tokens/; the same by default.
    """

    def __init__(self, folder: Path, measures: Path | None = None) -> None:
        import duckdb

        self._connection = duckdb.connect(":memory:")
        self._connection.execute("SET threads = 2; SET preserve_insertion_order = true")
        records = folder / "records" / "records.parquet"
        tokens = (measures or folder) / "tokens" / "tokens.parquet"
        self.measured = tokens.is_file()
        self._view("decoded", records)
        if self.measured:
            self._view("measured", tokens)
            join = "SELECT d.*, m.* EXCLUDE (id) FROM decoded d JOIN measured m USING (id)"
        else:
            join = "SELECT * FROM decoded"
        self._connection.execute(f"CREATE VIEW records AS {join}")

    def _view(self, name: str, path: Path) -> None:
        self._connection.read_parquet(str(path)).create_view(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of a query, its `?` filled with values; it must state its order."""
        return list(self._connection.execute(sql, list(values)).fetchall())


COLUMN: Mapping[LengthUnit, str] = {"characters": "chars", "bytes": "bytes", "tokens": "tokens"}
LENGTHS = {
    unit: (
        f"SELECT {column}, count(*) FROM records WHERE split = ? AND kept "  # noqa: S608 (fixed)
        f"AND {column} IS NOT NULL GROUP BY 1 ORDER BY 1"
    )
    for unit, column in COLUMN.items()
}
LABELS = (
    "SELECT label, count(*) FROM records WHERE split = ? AND kept "
    "AND label IS NOT NULL GROUP BY 1 ORDER BY 1"
)


def split_facts(
    tables: RecordTables, documents: Mapping[str, int], counts: Mapping[str, GroupCounts]
) -> dict[str, SplitFacts]:
    """What compare wants to know of each split."""
    facts = {}
    for split, read in documents.items():
        lengths: dict[LengthUnit, Histogram] = {}
        for unit in COLUMN:
            if rows := tables.query(LENGTHS[unit], split):
                values, times = zip(*rows, strict=True)
                lengths[unit] = (np.array(values), np.array(times))
        labels = Counter(dict(tables.query(LABELS, split)))
        facts[split] = SplitFacts(read, lengths, labels, counts.get(split, GroupCounts()))
    return facts
