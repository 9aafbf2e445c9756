"""dvc.yaml says what the stages read and leave: held against the code that runs them."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from corpusgate import registry
from corpusgate.api.sweep import LEAVES

ROOT = Path(__file__).parents[2]
PIPELINE = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))
SETS = sorted(path.parent.name for path in (ROOT / "examples" / "demo").glob("*/corpusgate.toml"))
# decode's export is for a reader of its own and not asked for in the pipeline
EXPORT = "records.parquet"
# what a stage may read of an earlier one, beside its outs
OF_THE_DATA = "examples/demo/${item}"


def stage(name: str) -> dict[str, Any]:
    return PIPELINE["stages"][name]["do"]


def paths(entries: list[Any]) -> list[str]:
    return [next(iter(entry)) if isinstance(entry, dict) else entry for entry in entries]


def params(name: str) -> list[str]:
    (held,) = stage(name)["params"]
    ((file, keys),) = held.items()
    assert file == "examples/demo/${item}/corpusgate.toml"
    return keys


def test_every_set_is_audited_by_every_stage() -> None:
    (held,) = PIPELINE["vars"]
    assert sorted(held["sets"]) == SETS
    assert list(PIPELINE["stages"]) == list(LEAVES)
    assert {s["foreach"] for s in PIPELINE["stages"].values()} == {"${sets}"}


@pytest.mark.parametrize("name", LEAVES)
def test_the_outs_are_what_the_stage_leaves(name: str) -> None:
    outs = paths(stage(name)["outs"] + stage(name).get("metrics", []))
    left = [f"audits/${{item}}/{path}" for path in LEAVES[name] if path != EXPORT]
    assert sorted(outs) == sorted(left)


@pytest.mark.parametrize("name", LEAVES)
def test_what_a_stage_depends_on_is_there(name: str) -> None:
    outs = {path for other in LEAVES for path in LEAVES[other] if path != EXPORT}
    for dep in stage(name)["deps"]:
        mine = dep.removeprefix("audits/${item}/")
        assert dep == OF_THE_DATA or (ROOT / dep).is_dir() or mine in outs


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_the_sections_that_are_followed(name: str) -> None:
    held = tomllib.loads(
        (ROOT / "examples" / "demo" / name / "corpusgate.toml").read_text(encoding="utf-8")
    )
    for key in {key for stage_name in LEAVES for key in params(stage_name)}:
        at: Any = held
        for part in key.split("."):
            assert part in at
            at = at[part]


def test_what_checks_look_at_while_reading_is_followed() -> None:
    """A limit belongs to report and gate; any other option to the stage that is observed."""
    for check, kind in registry.checks().items():
        for option in fields(kind):
            if not option.name.endswith("limit") and kind.needs in {"decode", "clean", "tokenize"}:
                assert f"checks.{check}.{option.name}" in params(kind.needs)
    for name in ("report", "gate"):
        assert {"checks", "gate"} <= set(params(name))


def test_nothing_above_the_report_follows_a_limit() -> None:
    for name in ("decode", "clean", "tokenize", "compare", "ablate"):
        assert not {"checks", "gate", "report"} & set(params(name))


def test_a_report_is_no_part_of_the_cache_and_a_verdict_stays() -> None:
    report = stage("report")["outs"] + stage("report")["metrics"]
    assert all(options["cache"] is False for entry in report for options in entry.values())
    assert stage("gate")["outs"] == [
        {"audits/${item}/gate.json": {"cache": False, "persist": True}}
    ]


def test_plots_name_files_that_a_template_draws() -> None:
    for entry in PIPELINE["plots"]:
        ((_, plot),) = entry.items()
        assert (ROOT / ".dvc" / "plots" / f"{plot['template']}.json").is_file()
        (path,) = plot["y"]
        top, name, *below = path.split("/")
        assert (top, name in SETS) == ("audits", True)
        assert below[0] in {"plots", "ablation"}
