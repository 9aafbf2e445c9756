from __future__ import annotations

import json
import shutil

import pytest
from pipelines import Ran, Repository, files

pytestmark = pytest.mark.slow

OPEN, SHUT = "en_bank", "en_choice"


@pytest.fixture(scope="module")
def first(shared: Repository) -> Ran:
    """The first run of two sets: one whose gate is open, one whose gate is shut."""
    for name in (OPEN, SHUT):
        shared.configure(name, "[ablate]\n", '[ablate]\nrun = "off"\n')
    return shared.dvc("repro", "--keep-going", f"gate@{OPEN}", f"gate@{SHUT}")


def test_a_shut_gate_fails_and_leaves_the_report(shared: Repository, first: Ran) -> None:
    assert first.code != 0
    assert f"failed to reproduce 'gate@{SHUT}'" in first.text
    assert first.stages[-1].startswith("gate@")
    audit = shared.root / "audits" / SHUT
    assert "Gate shut" in (audit / "report.html").read_text(encoding="utf-8")
    assert json.loads((audit / "gate.json").read_text(encoding="utf-8"))["verdict"] == "fail"
    again = shared.dvc("repro", f"gate@{SHUT}")
    assert again.code != 0
    assert again.stages == [f"gate@{SHUT}"]
    assert (audit / "report.html").is_file()
    assert (audit / "gate.json").is_file()


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", [OPEN, SHUT])
def test_repro_leaves_what_an_audit_leaves(shared: Repository, name: str) -> None:
    other = shared.root / "audits-alone" / name
    done = shared.corpusgate("audit", f"examples/demo/{name}", "--out", str(other))
    assert done.code == {OPEN: 0, SHUT: 1}[name]
    mine, theirs = files(other), files(shared.root / "audits" / name)
    assert mine.keys() == theirs.keys()
    assert [path for path in mine if mine[path] != theirs[path]] == []


@pytest.mark.usefixtures("first")
def test_a_second_repro_does_nothing(shared: Repository) -> None:
    beside = shared.root / "examples" / "demo" / OPEN / "README.md"
    beside.write_text("Beside the data, and no part of it.\n", encoding="utf-8")
    again = shared.dvc("repro", f"gate@{OPEN}")
    assert again.code == 0
    assert again.stages == []
    assert "Data and pipelines are up to date." in again.text


@pytest.mark.usefixtures("first")
def test_metrics_and_plots_have_something_to_show(shared: Repository) -> None:
    metrics = f"audits/{SHUT}/metrics.json"
    shown = json.loads(shared.dvc("metrics", "show", "--json", metrics).text)
    held = shown[""]["data"][metrics]["data"]
    assert held["control-chars.characters.train"] == 17
    told = shared.dvc("plots", "show", "--json", "--out", "shown")
    plots = json.loads(told.text[told.text.index("{") :])["data"]
    for name, series in {"length of documents": "train", "labels": "test"}.items():
        (drawn,) = plots[f"{OPEN}, {name}"]
        rows = drawn["content"]["data"]["values"]
        assert {row["series"] for row in rows} >= {series}
        assert sum(float(row["y"]) for row in rows if row["series"] == series) == pytest.approx(1)


@pytest.mark.usefixtures("first")
def test_a_limit_reruns_report_and_gate_alone(shared: Repository) -> None:
    """The last of those that share a repository: it leaves a set with a shut gate."""
    judged = [f"report@{OPEN}", f"gate@{OPEN}"]
    shared.configure(OPEN, "[gate]\n", "[checks.duplicate]\nlimit = 0.25\n[gate]\n")
    of_check = shared.dvc("repro", f"gate@{OPEN}")
    assert (of_check.code, of_check.stages) == (0, judged)
    # seven leaks of 1,441 are more than a thousandth
    rule = 'rules = [{metric = "split-leakage.share", value = 0.001, severity = "error"}]\n'
    shared.configure(OPEN, "[gate]\n", f"[gate]\n{rule}")
    of_gate = shared.dvc("repro", f"gate@{OPEN}")
    assert (of_gate.code != 0, of_gate.stages) == (True, judged)


@pytest.mark.torch
def test_ablation_is_the_same_in_a_pipeline(repository: Repository) -> None:
    repository.configure(SHUT, "[ablate]\n", '[ablate]\nrun = "on"\nsmoke = true\n')
    done = repository.dvc("repro", f"report@{SHUT}")
    assert done.code == 0
    alone = repository.root / "alone" / SHUT
    repository.corpusgate("audit", f"examples/demo/{SHUT}", "--out", str(alone))
    (alone / "gate.json").unlink()
    mine, theirs = files(alone), files(repository.root / "audits" / SHUT)
    assert mine == theirs
    assert "ablation/verdicts.json" in mine
    assert any(path.startswith("ablation/plots/") for path in mine)
    shutil.rmtree(alone)
    by_itself = repository.root / "itself"
    repository.corpusgate("ablate", f"examples/demo/{SHUT}", "--out", str(by_itself))
    assert (by_itself / "verdicts.json").read_bytes() == mine["ablation/verdicts.json"]
