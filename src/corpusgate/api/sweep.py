"""What each stage leaves, and how it is taken away before the stage runs again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# What each stage leaves, and takes away before it begins: nothing of an earlier run stays.
LEAVES: dict[str, tuple[str, ...]] = {
    "decode": (
        "records", "records.parquet", "quarantine/decode", "sources.parquet", "inputs.json",
        "partials/decode.json",
    ),
    "clean": (
        "clean", "ledger.parquet", "quarantine/clean", "account.json", "partials/clean.json",
    ),
    "tokenize": ("tokens", "tokenizer.json", "partials/tokenize.json"),
    "compare": ("compare.json", "plots"),
    "ablate": ("ablation",),
    "report": ("report.html", "report.json", "metrics.json", "findings.parquet"),
    "gate": ("gate.json",),
}  # fmt: skip


def sweep(out: Path, stage: str) -> None:
    """Take away what an earlier run of a stage left."""
    out.mkdir(parents=True, exist_ok=True)
    for name in LEAVES[stage]:
        path = out / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
