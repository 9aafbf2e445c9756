"""What a `datasets` folder says of itself: its information and its state, kept true."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from corpusgate.pipeline.ledger import WHOLE, Entry
from corpusgate.pipeline.read.columnar_files import INFO, STATE

if TYPE_CHECKING:
    from pathlib import Path

NUMBERS = {"splits", "dataset_size", "size_in_bytes"}
"""What a folder's information says of its rows."""


def write_info(source: Path, target: Path, rows: int, size: int, content: str) -> None:
    """Write the information and the state of a folder whose rows were changed.

    Numbers that are stated of its split are made true; nothing is stated that was not. The
    fingerprint, by which `datasets` tells what it has cached, follows from the content.

    Args:
        source: the folder as it was.
        target: the folder with the changed rows.
        rows: how many there are now.
        size: their bytes in memory, as `datasets` counts them.
        content: a hash of them.
    """
    from datasets import DatasetInfo

    state: dict[str, Any] = json.loads((source / STATE).read_bytes())
    info = DatasetInfo.from_directory(str(source))
    split = (info.splits or {}).get(str(state.get("_split")))
    if split is not None:
        split.num_examples, split.num_bytes, split.shard_lengths = rows, size, None
        if info.dataset_size is not None:
            info.dataset_size = sum(part.num_bytes for part in info.splits.values())
        if info.size_in_bytes is not None:
            info.size_in_bytes = (info.dataset_size or 0) + (info.download_size or 0)
    stated: dict[str, Any] = json.loads((source / INFO).read_bytes())
    info.license = ""  # or its text would be written to a file of its own
    info.write_to_directory(str(target))
    now: dict[str, Any] = json.loads((target / INFO).read_bytes())
    known = {name: now[name] if name in NUMBERS else value for name, value in stated.items()}
    (target / INFO).write_text(json.dumps(known, indent=2), encoding="utf-8")
    seed = f"{state['_fingerprint']} {content}".encode()
    # as long as those of datasets: 64 bits in hex
    state["_fingerprint"] = hashlib.blake2b(seed, digest_size=8).hexdigest()
    text = json.dumps(state, indent=2, sort_keys=True)
    (target / STATE).write_text(text, encoding="utf-8")


def changed_files(path: Path, target: Path, key: str) -> list[Entry]:
    """Edits that keep the information and the state of a folder as they were.

    Args:
        path: the source; what is not a folder has no such edits.
        target: its clean copy.
        key: of the source.
    """
    found = []
    for name in (INFO, STATE) if path.is_dir() else ():
        old, new = (path / name).read_bytes(), (target / name).read_bytes()
        if old != new:
            found.append(
                Entry(
                    key, WHOLE, 0, -1, 0, len(old), old, None, len(new), "", name,
                    "dataset-info", 0, "", -1,
                )
            )  # fmt: skip
    return found
