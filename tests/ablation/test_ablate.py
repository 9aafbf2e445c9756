"""An ablation from end to end: the verdict follows the cause, and is the same again."""

from __future__ import annotations

import builtins
import math
import sys
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import ablation_texts as texts
import pytest

from corpusgate.errors import MissingExtraError
from corpusgate.pipeline.ablation.cost import plan
from corpusgate.pipeline.ablation.files import read, to_json, write
from corpusgate.pipeline.ablation.options import AblateOptions, Pulse
from corpusgate.pipeline.ablation.run import ablate

if TYPE_CHECKING:
    from pathlib import Path

    from corpusgate.model import Ablation, Spike
    from corpusgate.pipeline.ablation.corpus import TrainingText

pytestmark = pytest.mark.torch

STEPS = 90
SPOILT = (5, 50, 51)
OPTIONS = AblateOptions(order="file", vocabulary=600)


@cache
def noisy() -> tuple[TrainingText, Ablation]:
    """A text with three bad batches, and what its ablation finds, with a pulse as control."""
    text = texts.planted(SPOILT, STEPS)
    return text, ablate(text, replace(OPTIONS, pulse=Pulse(60)))


def told(found: Ablation, run: str) -> dict[int, str]:
    """Verdicts by step, but chance."""
    return {s.step: s.verdict for s in found.spikes if s.run == run and s.verdict != "chance"}


def test_bad_batches_are_data_and_their_rows_are_named() -> None:
    text, found = noisy()
    assert told(found, "raw") == dict.fromkeys(SPOILT, "data")
    bad = {text.id[row] for row, checks in enumerate(text.checks) if checks}
    named = {n.example.id for n in found.named}
    assert len(named & bad) >= 0.9 * len(bad)
    assert len(named - bad) <= 2
    for one in found.named:
        row = text.id.index(one.example.id)
        assert row // texts.BATCH == one.step
        assert one.example.line == text.line[row]
        assert one.q <= OPTIONS.q
    for spike in found.verdicts("data"):
        assert spike.p is not None
        assert spike.p <= OPTIONS.alpha
        assert spike.interval is not None
        assert spike.effect is not None
        assert spike.interval[0] < spike.effect < spike.interval[1]
        assert {r.id for r in spike.records} == {
            n.example.id for n in found.named if n.step == spike.step
        }
        assert "control-chars" in spike.sentence


def test_the_spike_goes_with_the_named_records_and_not_with_random_ones() -> None:
    _, found = noisy()
    arms = {arm.name: arm for arm in found.arms}
    assert list(arms) == ["raw", "without-named", "without-random", "clean"]
    height = {name: arm.height or math.nan for name, arm in arms.items()}
    assert height["without-named"] < height["raw"] / 2
    assert height["clean"] < height["raw"] / 2
    assert height["without-random"] > height["raw"] / 2
    assert arms["without-named"].replaced == arms["without-random"].replaced == len(found.named)
    raw = found.run("raw")
    assert raw
    assert arms["raw"].bits == tuple(step.bits for step in raw.steps)
    for arm in found.arms[1:]:
        first = min(SPOILT) if arm.name != "without-random" else 0
        assert arm.bits[:first] == arms["raw"].bits[:first]
        assert len(arm.bits) == STEPS


def test_a_pulse_on_the_clean_copy_is_the_optimizer_and_gives_no_list_to_skip() -> None:
    _, found = noisy()
    control = told(found, "pulse")
    assert set(control.values()) == {"optimizer"}
    assert 60 <= min(control) <= 64
    for spike in found.spikes:
        if spike.run == "pulse":
            assert not spike.records
            assert "not the data" in spike.sentence or spike.verdict == "chance"


def test_the_log_has_every_step_and_the_order_every_slot() -> None:
    text, found = noisy()
    raw = found.run("raw")
    assert raw
    assert [s.step for s in raw.steps] == list(range(STEPS))
    assert raw.steps[0].loss == pytest.approx(math.log(600), abs=0.2)
    assert raw.steps[-1].bits < raw.steps[20].bits < raw.steps[0].bits
    assert raw.steps[-1].probe < raw.steps[0].probe
    assert all(s.gradient > 0 < s.rate for s in raw.steps)
    assert {s.step for s in raw.steps if s.candidate} == {
        s.step for s in found.spikes if s.run == "raw"
    }
    for step in raw.steps:
        here = [slot for slot in found.order if slot.step == step.step]
        assert [slot.slot for slot in here] == list(range(texts.BATCH))
        assert tuple(slot.record_id for slot in here) == step.records
    assert sorted({slot.record for slot in found.order}) == list(range(len(text)))
    assert found.order[17].source == "a.jsonl"


def test_an_ablation_is_the_same_again_to_the_bit() -> None:
    text, found = noisy()
    again = ablate(text, replace(OPTIONS, pulse=Pulse(60)))
    assert again == found
    assert to_json(again) == to_json(found)
    other = ablate(text, replace(OPTIONS, seed=1, confirm=False))
    assert told(other, "raw") == told(found, "raw")
    assert other.runs[0].steps != found.runs[0].steps


def test_files_hold_all_of_it(tmp_path: Path) -> None:
    _, found = noisy()
    write(found, tmp_path / "one")
    write(read(tmp_path / "one"), tmp_path / "two")
    assert read(tmp_path / "one") == found
    for name in ("order.parquet", "steps.parquet", "verdicts.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_moved_noise_moves_the_verdict_and_without_noise_there_is_none() -> None:
    moved = ablate(texts.planted([33], STEPS), replace(OPTIONS, confirm=False))
    assert told(moved, "raw") == {33: "data"}
    assert not moved.arms
    none = ablate(texts.planted([], STEPS), OPTIONS)
    assert not none.verdicts("data", "both", "optimizer")
    assert not none.named
    assert not none.arms
    assert none.passes < 4


def test_a_pulse_on_bad_batches_is_both() -> None:
    pulse = Pulse(49, 3, 60.0, "raw")
    found = ablate(texts.planted([51], STEPS), replace(OPTIONS, confirm=False, pulse=pulse))
    assert told(found, "pulse")[51] == "both"
    assert told(found, "raw") == {51: "data"}


def test_what_no_check_explains_is_not_called_a_fault() -> None:
    text = texts.planted([50], STEPS)
    bare = replace(text, checks=(frozenset[str](),) * len(text))
    found = ablate(bare, replace(OPTIONS, confirm=False))
    assert told(found, "raw") == {50: "inconclusive"}
    assert not found.named
    hidden = replace(text, stratum=("//a.jsonl",) * len(text))
    assert told(ablate(hidden, replace(OPTIONS, confirm=False)), "raw") == {50: "inconclusive"}


def spike_at(found: Ablation, step: int) -> Spike:
    return next(s for s in found.spikes if s.run == "raw" and s.step == step)


def test_a_step_is_replayed_to_the_bit_and_says_its_reasons() -> None:
    _, found = noisy()
    assert not [note for note in found.notes if "unsafe" in note]
    reasons = {note.name: note for note in spike_at(found, 50).reasons}
    assert reasons["probe before"].value.endswith("nats")
    assert reasons["named"].value == f"{len(spike_at(found, 50).records)} of 16"
    early = {note.name: note for note in spike_at(found, 5).reasons}
    assert "had not seen" in early["bits per byte"].sentence


@pytest.mark.parametrize(
    ("raw", "pulse"),
    [
        ([], None),
        ([""], None),
        (["one record"], Pulse(5)),
        (["the same record"] * 200, None),
        (["a long record " * 400], None),
        (["a\ud800b", "", "\x00"] * 30, None),
    ],
)
def test_small_texts_have_no_verdict_and_do_no_harm(raw: list[str], pulse: Pulse | None) -> None:
    found = ablate(texts.text_of(raw), AblateOptions(pulse=pulse))
    assert "underpowered" in found.underpowered
    assert {s.verdict for s in found.spikes} <= {"inconclusive"}
    assert found.order or not raw
    to_json(found)


def test_a_record_longer_than_a_block_takes_its_slots_in_order() -> None:
    found = ablate(
        texts.text_of(["a b c d e f g " * 40, "x"]), AblateOptions(order="file", block=16)
    )
    own = [slot for slot in found.order if slot.record == 0]
    size = own[0].token_end
    assert [slot.token_start for slot in own[:3]] == [0, size, 2 * size]
    assert [slot.tokens for slot in own[:3]] == [size] * 3


def test_a_smoke_run_is_short_and_a_long_text_is_cut() -> None:
    text = texts.planted([], STEPS)
    found = ablate(text, replace(OPTIONS, smoke=True))
    assert len(found.runs[0].steps) == 36
    assert "underpowered" in found.underpowered
    assert any("864 of 1440 records were left out" in note for note in found.notes)
    assert plan(text, replace(OPTIONS, smoke=True)).steps == 36


def test_the_cost_that_is_said_is_about_the_cost_that_is_met() -> None:
    text, found = noisy()
    asked = replace(OPTIONS, pulse=Pulse(60))
    assert plan(text, asked).steps == pytest.approx(STEPS, abs=3)
    assert found.passes == pytest.approx(plan(text, asked).passes, rel=0.5)
    alone = replace(OPTIONS, confirm=False)
    assert plan(text, alone).passes < plan(text, OPTIONS).passes < plan(text, asked).passes


def test_progress_tells_the_stage_and_never_goes_back() -> None:
    seen: list[tuple[str, int, int]] = []
    ablate(texts.planted([50], 62), OPTIONS, lambda *tick: seen.append(tick))
    stages = list(dict.fromkeys(stage for stage, _, _ in seen))
    assert stages == [
        "ablate: content", "ablate: train raw", "ablate: replay raw", "ablate: confirm",
    ]  # fmt: skip
    for stage in stages:
        done = [(d, total) for name, d, total in seen if name == stage]
        assert done == sorted(done)
        assert done[-1][0] == done[-1][1]


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    held = builtins.__import__

    def refuse(name: str, *more: Any) -> Any:
        if name.partition(".")[0] == "torch":
            raise ImportError(name)
        return held(name, *more)

    for name in [n for n in sys.modules if n.startswith("corpusgate.pipeline.ablation.training")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtraError, match=r"corpusgate\[train\]"):
        ablate(texts.planted([], 2), OPTIONS)
