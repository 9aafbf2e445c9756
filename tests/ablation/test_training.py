"""The proxy: a causal model, and a run that can be rewound to the bit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ablation_texts as texts
import numpy as np
import pytest

from corpusgate.errors import ConfigError
from corpusgate.pipeline.ablation.options import AblateOptions, Pulse
from corpusgate.pipeline.ablation.vocabulary import Slots, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusgate.pipeline.ablation.training import Trainer

pytestmark = pytest.mark.torch

TEXT = texts.planted([4], 12)
WORDS = Vocabulary.train(TEXT.raw, 400)
SLOTS = Slots.of(TEXT.raw, WORDS, 64)
BATCHES = [np.arange(16 * t, 16 * t + 16) for t in range(12)]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    import torch

    from corpusgate.pipeline.ablation.training import single_thread

    with single_thread(torch.device("cpu")):
        yield


def trainer(seed: int = 0, **more: Any) -> Trainer:
    from corpusgate.pipeline.ablation.training import Trainer, pick_device

    options = AblateOptions(seed=seed, **more)
    return Trainer(SLOTS, WORDS.size, options, pick_device("cpu"))


def run(one: Trainer, until: int) -> list[np.ndarray[Any, Any]]:
    from corpusgate.pipeline.ablation.training import schedule

    rates = schedule(len(BATCHES))
    found = []
    while one.at < until:
        stepped = one.step(BATCHES[one.at], float(rates[one.at]))
        found.append(np.array([stepped.loss, stepped.gradient, *stepped.nats]))
    return found


def test_the_first_loss_is_that_of_a_guess_and_it_falls() -> None:
    one = trainer()
    found = run(one, 12)
    assert found[0][0] == pytest.approx(math.log(WORDS.size), abs=0.1)
    assert found[-1][0] < found[0][0] - 0.2


def test_a_run_is_the_same_to_the_bit_and_another_seed_is_not() -> None:
    first, again = run(trainer(), 12), run(trainer(), 12)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, run(trainer(seed=1), 12))


def test_weights_do_not_depend_on_the_seed_of_others() -> None:
    import torch

    torch.manual_seed(1)
    before = torch.get_rng_state()
    one = run(trainer(), 2)
    assert torch.equal(before, torch.get_rng_state())
    torch.manual_seed(2)
    assert np.array_equal(one, run(trainer(), 2))


@pytest.mark.parametrize("at", [0, 5])
def test_a_restored_run_goes_on_as_it_did(at: int) -> None:
    one = trainer()
    run(one, at)
    kept = one.snapshot()
    went_on = run(one, 12)
    one.restore(kept)
    assert one.at == at
    assert np.array_equal(run(one, 12), went_on)
    other = trainer(seed=9)
    run(other, 7)
    other.restore(kept)
    assert np.array_equal(run(other, 12), went_on)


def test_a_snapshot_without_the_moments_would_be_noticed() -> None:
    from dataclasses import replace

    one = trainer()
    run(one, 5)
    kept = one.snapshot()
    went_on = run(one, 12)
    one.restore(replace(kept, moments=tuple({} for _ in kept.moments)))
    assert not np.array_equal(run(one, 12), went_on)


def test_reaching_a_step_replays_to_it() -> None:
    from corpusgate.pipeline.ablation.training import schedule

    one = trainer()
    kept = [one.snapshot()]
    run(one, 6)
    kept.append(one.snapshot())
    found = run(one, 12)
    for step in (11, 3, 7, 6):
        one.reach(step, kept, BATCHES, schedule(len(BATCHES)))
        assert one.at == step
        if step >= 6:
            assert np.array_equal(one.score(BATCHES[step]), found[step - 6][2:])


def test_a_record_costs_the_same_beside_longer_ones() -> None:
    one = trainer()
    run(one, 4)
    alone = np.concatenate([one.score(np.array([i])) for i in range(40)])
    assert one.score(np.arange(40)) == pytest.approx(alone, rel=1e-5)


def test_no_target_is_seen_before_it_is_guessed() -> None:
    import torch

    one = trainer()
    run(one, 4)
    inputs = torch.from_numpy(SLOTS.inputs[:1, :12].astype(np.int64))
    targets = torch.from_numpy(SLOTS.targets[:1, :12].astype(np.int64))
    places = torch.arange(12)
    with torch.no_grad():
        before = one.network.losses(inputs, targets, places)
        changed = inputs.clone()
        changed[0, 7:] = 5
        after = one.network.losses(changed, targets, places)
    assert torch.allclose(before[0, :7], after[0, :7], atol=1e-5)
    assert not torch.allclose(before[0, 7:], after[0, 7:], atol=1e-3)


def test_places_turn_with_position() -> None:
    """Without rotary positions the last guess would not mind the order of what came before."""
    import torch

    one = trainer()
    run(one, 12)
    ids = torch.from_numpy(SLOTS.targets[:1, :8].astype(np.int64))
    turned = ids.clone()
    turned[0, :7] = ids[0, :7].flip(0)
    target, places = torch.full((1, 8), 9), torch.arange(8)
    with torch.no_grad():
        one_way, other = (one.network.losses(i, target, places)[0, -1] for i in (ids, turned))
    assert abs(float(one_way - other)) > 1e-6


def test_the_rate_warms_up_falls_to_a_tenth_and_can_be_pulsed() -> None:
    from corpusgate.pipeline.ablation.training import PEAK_RATE, schedule

    rate = schedule(300)
    assert rate[0] < PEAK_RATE / 10
    assert rate.max() == pytest.approx(PEAK_RATE, rel=0.02)
    assert rate[-1] == pytest.approx(PEAK_RATE / 10, rel=0.01)
    assert np.all(np.diff(rate[25:]) < 0)
    pulsed = schedule(300, Pulse(100, 3, 50.0))
    assert np.flatnonzero(pulsed != rate).tolist() == [100, 101, 102]
    assert pulsed[101] == pytest.approx(50 * rate[101])


def test_threads_are_as_they_were_afterwards() -> None:
    import torch

    from corpusgate.pipeline.ablation.training import single_thread

    torch.set_num_threads(2)
    with single_thread(torch.device("cpu")):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2


def test_a_gpu_that_is_not_there_is_said() -> None:
    import torch

    from corpusgate.pipeline.ablation.training import pick_device

    assert pick_device("cpu").type == "cpu"
    if not torch.cuda.is_available():
        assert pick_device("auto").type == "cpu"
        with pytest.raises(ConfigError, match="--device cpu"):
            pick_device("cuda")


@pytest.mark.parametrize(("size", "inner", "width"), [("tiny", 94_528, 64), ("small", 332_448, 96)])
def test_a_size_has_the_weights_it_is_said_to_have(size: str, inner: int, width: int) -> None:
    held = sum(w.numel() for w in trainer(size=size).weights)
    assert held == inner + 2 * width * WORDS.size
