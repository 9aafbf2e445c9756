"""The folder of the results: what may be written there, and what a stage takes away first."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from corpusgate.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# What each stage leaves, and takes away before it begins: nothing of an earlier run stays.
LEAVES: dict[str, tuple[str, ...]] = {
    "decode": (
        "inputs.json", "records", "records.parquet", "quarantine/decode", "sources.parquet",
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
FOLDERS = ("ablation", "clean", "plots", "quarantine", "records", "tokens")
MARKS = ("run.json", "inputs.json", "sources.parquet", "account.json", "compare.json")
"""One of these lies in every folder that a stage has written to."""


def claim(out: Path, inputs: Iterable[str]) -> None:
    """Make the folder of the results, or say why it cannot be this one.

    Raises:
        ConfigError: it is a file or cannot be made, holds the data, or holds folders that a
            stage would take away although none left them.
    """
    real = os.path.realpath(out)
    taken = {os.path.join(real, name) for names in LEAVES.values() for name in names}  # noqa: PTH118
    for given in inputs:
        held = os.path.realpath(given)
        if held == real or any(f"{held}/".startswith(f"{name}/") for name in taken):
            raise ConfigError(
                "out-holds-data",
                f"{out}: the results would be written over the data ({given}); name another "
                "folder with --out",
            )
    if out.exists() and not out.is_dir():
        raise ConfigError("out-unusable", f"{out}: is a file; name a folder with --out")
    if any("\udc80" <= char <= "\udcff" for char in str(out)):  # what os.fsdecode makes of them
        why = "holds bytes that are no UTF-8; name another folder with --out"
        raise ConfigError("out-unusable", f"{out}: {why}")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(
            "out-unusable", f"{out}: cannot be made ({reason}); name another folder with --out"
        ) from error
    if any((out / name).exists() for name in MARKS):
        return
    for name in FOLDERS:
        path = out / name
        if path.is_dir() and any(path.iterdir()):
            raise ConfigError(
                "out-not-ours",
                f"{path}: no audit left it, and one would take it away; name another folder "
                "with --out",
            )


def sweep(out: Path, stage: str) -> None:
    """Take away what an earlier run of a stage left."""
    out.mkdir(parents=True, exist_ok=True)
    for name in LEAVES[stage]:
        path = out / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
