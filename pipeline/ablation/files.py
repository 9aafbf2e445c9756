"""An ablation as files: order.parquet, steps.parquet, verdicts.json. No clock in them."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from corpusgate.errors import InputError
from corpusgate.model import Ablation, OrderSlot, TrainRun, TrainStep
from corpusgate.text.visible import escaped

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

VERSION = 1
TABLES = ("order", "runs")
PLACE = ("id", "source", "record", "line", "offset", "evidence")
"""What is kept of the example of a named record."""


def write(found: Ablation, folder: Path) -> None:
    """Write an ablation; `folder` is made."""
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(_order(found), folder / "order.parquet", compression="zstd")
    pq.write_table(_steps(found), folder / "steps.parquet", compression="zstd")
    (folder / "verdicts.json").write_text(to_json(found), encoding="utf-8")


def to_json(found: Ablation) -> str:
    """Everything but the order and the steps, as strict JSON."""
    from pydantic import TypeAdapter

    held = TypeAdapter(Ablation).dump_python(found, mode="json", exclude=set(TABLES))
    held["version"] = VERSION
    held["records"] = [_flat(named) for named in held.pop("named")]
    held["runs"] = [{"name": run.name, "view": run.view} for run in found.runs]
    return escaped(json.dumps(held, indent=1, sort_keys=True, allow_nan=False)) + "\n"


def read(folder: Path) -> Ablation:
    """The ablation that `write` left.

    Raises:
        InputError: the folder holds none.
    """
    import pyarrow.parquet as pq
    from pydantic import TypeAdapter, ValidationError

    try:
        held: dict[str, Any] = json.loads((folder / "verdicts.json").read_text(encoding="utf-8"))
        del held["version"]
        views = {run["name"]: run["view"] for run in held.pop("runs")}
        held["named"] = [_nested(record) for record in held.pop("records")]
        order = pq.read_table(folder / "order.parquet").to_pylist()
        steps = pq.read_table(folder / "steps.parquet").to_pylist()
        held["order"] = [OrderSlot(**row) for row in order]
        held["runs"] = [
            TrainRun(name, view, tuple(_step(row) for row in steps if row["run"] == name))
            for name, view in views.items()
        ]
        return TypeAdapter(Ablation).validate_python(held)
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        message = f"{folder}: holds no ablation that can be read; run `corpusgate ablate` again"
        raise InputError("unreadable-ablation", message) from error


def _flat(named: dict[str, Any]) -> dict[str, Any]:
    """A named record with its place beside its p."""
    example = named.pop("example")
    return {**{name: example[name] for name in PLACE}, **named}


def _nested(record: dict[str, Any]) -> dict[str, Any]:
    example = {name: record.pop(name) for name in PLACE}
    return {"example": example, **record}


def _step(row: dict[str, Any]) -> TrainStep:
    held = {f.name: row[f.name] for f in fields(TrainStep)}
    return TrainStep(**{**held, "records": tuple(row["records"])})


def _order(found: Ablation) -> pa.Table:
    import pyarrow as pa

    text = {"source", "stratum"}
    kinds = {"record_id": pa.uint64()}
    schema = pa.schema(
        [
            (f.name, pa.string() if f.name in text else kinds.get(f.name, pa.int64()))
            for f in fields(OrderSlot)
        ]
    )
    return pa.Table.from_pylist([asdict(slot) for slot in found.order], schema=schema)


def _steps(found: Ablation) -> pa.Table:
    import pyarrow as pa

    kinds = {
        "step": pa.int64(), "candidate": pa.bool_(), "records": pa.list_(pa.uint64()),
    }  # fmt: skip
    schema = pa.schema(
        [
            ("run", pa.string()),
            *((f.name, kinds.get(f.name, pa.float64())) for f in fields(TrainStep)),
        ]
    )
    rows = [{"run": run.name, **asdict(step)} for run in found.runs for step in run.steps]
    return pa.Table.from_pylist(rows, schema=schema)
