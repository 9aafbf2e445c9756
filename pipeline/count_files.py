"""Token counts by group of documents as files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.pipeline.document_groups import GroupCounts

if TYPE_CHECKING:
    from pathlib import Path

    from corpusgate.pipeline.finished import Finished


def write_counts(done: Finished, out: Path) -> None:
    """tokens/counts.parquet and tokens/names.json."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    parts: dict[str, list[GroupCounts]] = {}
    for reader in done.readers:
        for split, counts in reader.counts().items():
            parts.setdefault(split, []).append(counts)
    totals = {split: GroupCounts.total(held) for split, held in sorted(parts.items())}
    tables = [
        pa.table(
            {
                "split": pa.array([split] * len(c.token), pa.string()),
                "unit": pa.array([c.unit] * len(c.token), pa.string()),
                "group": c.groups, "token": c.token, "count": c.count,
            }
        )
        for split, c in totals.items()
    ]  # fmt: skip
    if tables:
        path = out / "tokens" / "counts.parquet"
        pq.write_table(pa.concat_tables(tables), path, compression="zstd")
    names = {split: {str(k): v for k, v in c.names.items()} for split, c in totals.items()}
    text = json.dumps(names, sort_keys=True, ensure_ascii=True)
    (out / "tokens" / "names.json").write_text(text, encoding="utf-8")


def read_counts(out: Path) -> dict[str, GroupCounts]:
    """Token counts by split, as `write_counts` left them."""
    import pyarrow.parquet as pq

    path = out / "tokens" / "counts.parquet"
    if not path.is_file():
        return {}
    names = json.loads((out / "tokens" / "names.json").read_text(encoding="utf-8"))
    table = pq.read_table(path)
    split = np.array(table["split"].to_pylist(), object)
    found = {}
    for name in dict.fromkeys(split.tolist()):
        held = table.filter(split == name)
        group, token, count = (held[c].to_numpy() for c in ("group", "token", "count"))
        known = {int(k): v for k, v in names.get(name, {}).items()}
        found[name] = GroupCounts(held["unit"][0].as_py(), group, token, count, known)
    return found
