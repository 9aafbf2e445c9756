"""The spike story: the page says what the data say, wherever the noise lies, and where none is."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from corpusgate.cli.main import main

pytestmark = [pytest.mark.torch, pytest.mark.slow]
ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "demo"
CONFIG = '[ablate]\norder = "file"\n'


def builder():
    spec = importlib.util.spec_from_file_location("build", DEMO / "spike" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def audited(root, steps, config=CONFIG):
    """(report.json, text of the page) of a corpus with noise in some batches."""
    data = root / "data"
    data.mkdir(parents=True)
    built = builder().lines(DEMO, tuple(steps), seed=1)
    (data / "train.jsonl").write_bytes(b"".join(line + b"\n" for line in built))
    (data / "corpusgate.toml").write_text(config)
    code = main(["audit", str(data), "--ablate", "--out", str(root / "audit")])
    assert code in (0, 1)
    page = (root / "audit" / "report.html").read_text(encoding="utf-8")
    report = json.loads((root / "audit" / "report.json").read_text(encoding="utf-8"))
    return report, re.sub(r"<[^>]+>", "", page), root / "audit"


def data_steps(report, run="raw"):
    return [s["step"] for s in report["spikes"] if s["run"] == run and s["verdict"] == "data"]


def test_the_page_follows_the_noise_and_is_silent_without_it(tmp_path):
    steps = [70, 118, 171]
    moved, page, folder = audited(tmp_path / "moved", steps)
    assert data_steps(moved) == steps
    assert "spikes at steps 70, 118, 171 because of the records of those batches" in page
    verdicts = json.loads((folder / "ablation" / "verdicts.json").read_text())
    named = verdicts["records"]
    found = {name["record"] // 16 for name in named}
    assert found == set(steps)
    assert len(named) >= 0.9 * 14 * len(steps)
    assert all(n["line"] == n["record"] + 1 for n in named)
    arms = {
        arm["name"]: arm
        for arm in json.loads((folder / "ablation" / "verdicts.json").read_text())["arms"]
    }
    height = {name: arm["height"] for name, arm in arms.items()}
    assert height["without-named"] < height["raw"] / 3
    assert height["clean"] < height["raw"] / 3
    assert height["without-random"] > height["raw"] / 2

    none, silent, _ = audited(tmp_path / "none", [])
    assert data_steps(none) == []
    assert "because of the records" not in silent
    assert "noisy-batch" not in {f["check"] for f in none["findings"]}


def test_a_pulse_of_the_learning_rate_is_not_the_data(tmp_path):
    pulse = CONFIG + "confirm = false\n[ablate.pulse]\nstep = 110\n"
    report, page, _ = audited(tmp_path, [], pulse)
    control = [s for s in report["spikes"] if s["run"] == "pulse" and s["verdict"] != "chance"]
    assert [s["verdict"] for s in control] == ["optimizer"] * len(control)
    assert control
    assert 110 <= control[0]["step"] <= 114
    assert data_steps(report) == data_steps(report, "pulse") == []
    assert "not the data" in page


def test_the_shipped_corpus_is_what_its_builder_builds():
    build = builder()
    built = b"".join(line + b"\n" for line in build.lines(DEMO, build.STEPS, seed=1))
    assert (DEMO / "spike" / "train.jsonl").read_bytes() == built
    noisy = build.NOISY * len(build.STEPS) / (build.BATCH * build.TOTAL)
    assert 0.04 < noisy < 0.06
