"""The frozen order: which slots each step trains on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.errors import ConfigError, InputError
from corpusgate.pipeline.ablation.options import ENOUGH_STEPS, GOAL_STEPS, MOST_PASSES, SMOKE_STEPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corpusgate.pipeline.ablation.corpus import TrainingText
    from corpusgate.pipeline.ablation.options import AblateOptions
    from corpusgate.pipeline.ablation.vocabulary import Slots

    Rows: TypeAlias = NDArray[np.int64]


def record_order(text: TrainingText, options: AblateOptions) -> Rows:
    """Rows of the records that are trained on, as many as can fit, in source order or listed.

    A shuffled order shuffles slots later; here it only draws which records take part when
    they are too many for the steps that one run may take.
    """
    rows = np.arange(len(text), dtype=np.int64)
    kind, _, seed = options.order.partition(":")
    if kind == "shuffled":
        draw = np.random.default_rng([_seed(seed), 1])
        most = most_steps(options) * options.batch  # each record fills at least one slot
        return np.sort(draw.choice(rows, most, replace=False)) if len(rows) > most else rows
    if options.order != "file":
        rows = _listed(text, Path(options.order))
    return rows[: most_steps(options) * options.batch]


def batches(slots: Slots, rows: Rows, options: AblateOptions) -> tuple[tuple[Rows, ...], int]:
    """(slots of each step, times over the data).

    The stream of slots runs on into the next pass, so that every batch is full and every
    slot is trained on; the last batch of the last pass is filled from the pass's start.
    """
    stream = _slot_order(slots, rows)
    n = len(stream)
    if not n:
        return (), 0
    a_pass = -(-n // options.batch)
    goal = min(MOST_PASSES, -(-GOAL_STEPS // a_pass))
    passes = options.passes or max(1, goal)
    kind, _, seed = options.order.partition(":")
    walks = [
        np.random.default_rng([_seed(seed), 0, p]).permutation(stream)
        if kind == "shuffled"
        else stream
        for p in range(passes)
    ]
    steps = min(-(-n * passes // options.batch), most_steps(options))
    line = np.concatenate(walks)
    short = steps * options.batch - len(line)
    if short > 0:
        line = np.concatenate([line, np.resize(line, short)])
    return tuple(line[s * options.batch :][: options.batch] for s in range(steps)), passes


def most_steps(options: AblateOptions) -> int:
    """Steps that one run may take."""
    return min(options.max_steps, SMOKE_STEPS) if options.smoke else options.max_steps


def too_few(steps: int) -> str:
    """Why a run of so few steps can carry no verdict, or the empty string."""
    if steps >= ENOUGH_STEPS:
        return ""
    return f"underpowered: {steps} steps, a verdict needs at least {ENOUGH_STEPS}"


def _seed(text: str) -> int:
    try:
        return int(text or 0)
    except ValueError:
        message = f"ablate: the order shuffled:{text} has no whole number as its seed"
        raise ConfigError("ablate-order", message) from None


def _slot_order(slots: Slots, rows: Rows) -> Rows:
    """Slots of the records in that order, windows of a record one after another."""
    first = np.searchsorted(slots.row, rows, "left")
    last = np.searchsorted(slots.row, rows, "right")
    spans = [np.arange(a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
    return np.concatenate(spans) if spans else np.zeros(0, np.int64)


def _listed(text: TrainingText, path: Path) -> Rows:
    """Rows of the records whose ids a file lists."""
    found = {record_id: row for row, record_id in enumerate(text.id)}
    ids = _read_ids(path)
    missing = [i for i in ids if i not in found]
    if missing:
        raise InputError(
            "ablate-order",
            f"{path}: {len(missing)} of {len(ids)} record ids are not in the training text "
            f"(first {missing[0]}); take ids from records/ of the same audit",
        )
    return np.array([found[i] for i in ids], np.int64)


def _read_ids(path: Path) -> Sequence[int]:
    """Record ids of a .parquet (column record_id, or id) or a .jsonl (key, or bare numbers)."""
    try:
        if path.suffix == ".parquet":
            from pyarrow import parquet

            names = parquet.read_schema(path).names
            column = "record_id" if "record_id" in names else "id"
            return [int(v) for v in parquet.read_table(path, columns=[column])[column].to_pylist()]
        values = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return [
            int(v["record_id" if "record_id" in v else "id"] if isinstance(v, dict) else v)
            for v in values
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = (
            f"{path}: not an order of record ids ({error}); give file, shuffled:SEED, or a file"
        )
        raise InputError("ablate-order", message) from error
