"""gate DIR: without a policy of its own, the limits that the audit was held to."""

import json

import pytest

from corpusgate.cli.main import main

RULES = '[gate]\nrules = [{ metric = "duplicate.share", value = 0.0, severity = "error" }]\n'
RECORDS = '{"text": "one and the same"}\n{"text": "one and the same"}\n'


@pytest.mark.parametrize("evaluator", ["native", "gx"])
def test_a_gate_that_was_shut_by_the_data_s_own_limits_stays_shut(tmp_path, monkeypatch, evaluator):
    data, out = tmp_path / "data", tmp_path / "audit"
    data.mkdir()
    (data / "train.jsonl").write_text(RECORDS)
    (data / "corpusgate.toml").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    assert main(["audit", str(data), "--no-ablate", "--out", str(out)]) == 1
    first = json.loads((out / "gate.json").read_text())
    assert main(["gate", str(out), "--evaluator", evaluator]) == 1
    assert json.loads((out / "gate.json").read_text()) == first


def test_a_policy_that_is_named_goes_before(tmp_path, monkeypatch):
    data, out = tmp_path / "data", tmp_path / "audit"
    data.mkdir()
    (data / "train.jsonl").write_text(RECORDS)
    (data / "corpusgate.toml").write_text(RULES)
    (tmp_path / "mild.toml").write_text(RULES.replace("0.0", "1.0"))
    monkeypatch.chdir(tmp_path)
    main(["audit", str(data), "--no-ablate", "--out", str(out)])
    assert main(["gate", str(out), "--policy", str(tmp_path / "mild.toml")]) == 0
