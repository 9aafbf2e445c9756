"""Slots and the frozen order: every byte of every record has a place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import ablation_texts as texts
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.errors import ConfigError, InputError
from corpusgate.pipeline.ablation.options import AblateOptions
from corpusgate.pipeline.ablation.order import batches, most_steps, record_order
from corpusgate.pipeline.ablation.vocabulary import END, Slots, Vocabulary

if TYPE_CHECKING:
    from pathlib import Path

TEXT = texts.planted([3], 8)
WORDS = Vocabulary.train(TEXT.raw, 400)


@given(st.lists(st.text(max_size=60), min_size=1, max_size=8), st.integers(8, 20))
def test_windows_of_a_record_are_its_tokens_and_hold_all_its_bytes(
    raw: list[str], block: int
) -> None:
    slots = Slots.of(raw, WORDS, block)
    for row, ids in enumerate(WORDS.encode(raw)):
        own = np.flatnonzero(slots.row == row)
        targets = [t for i in own for t in slots.targets[i, : slots.length[i]].tolist()]
        inputs = [t for i in own for t in slots.inputs[i, : slots.length[i]].tolist()]
        assert targets == [*ids, END]
        assert inputs == [END, *ids]
        assert slots.start[own].tolist() == [w * block for w in range(len(own))]
        assert slots.end[own][-1] == len(ids)
        plain = "\ufffd" not in raw[row]
        if plain:
            size = len(raw[row].encode("utf-8", "replace"))
            assert slots.bytes[own].sum() == size + 1


def test_a_replaced_byte_counts_as_one() -> None:
    junk = ["\ufffd" * 8, "ab \ufffd\ufffd cd"] * 20
    words = Vocabulary.train(junk, 300)
    slots = Slots.of(junk[:2], words, 64)
    assert slots.bytes.tolist() == [8 + 1, 3 + 2 + 3 + 1]


def test_records_without_text_have_no_slot_and_special_names_are_text() -> None:
    slots = Slots.of(["<|end|>", None, "", "a\ud800b"], WORDS, 16)
    assert np.unique(slots.row).tolist() == [0, 2, 3]
    assert END not in slots.targets[0, : slots.length[0] - 1]
    assert slots.length[slots.row == 2].tolist() == [1]


@given(st.integers(1, 70), st.integers(2, 9), st.integers(1, 3), st.integers(0, 5))
def test_each_pass_trains_on_every_slot_once(n: int, batch: int, passes: int, seed: int) -> None:
    slots = Slots.of([f"r{i}" for i in range(n)], WORDS, 8)
    for order in ("file", f"shuffled:{seed}"):
        options = AblateOptions(order=order, batch=batch, passes=passes)
        found, times = batches(slots, np.arange(n), options)
        line = np.concatenate(found)
        assert times == passes
        assert {len(b) for b in found} == {batch}
        assert len(line) - batch < n * passes <= len(line)
        for p in range(passes):
            assert np.array_equal(np.sort(line[p * n : (p + 1) * n]), np.arange(n))
        if order == "file":
            assert np.array_equal(line[:n], np.arange(n))


def test_shuffles_differ_by_seed_and_pass() -> None:
    slots = Slots.of(TEXT.raw, WORDS, 64)
    rows = np.arange(len(TEXT))
    one, two = (batches(slots, rows, AblateOptions(order=f"shuffled:{s}"))[0] for s in (1, 2))
    assert not np.array_equal(one[0], two[0])
    assert not np.array_equal(one[0], one[8])
    again, _ = batches(slots, rows, AblateOptions(order="shuffled:1"))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))


def test_a_listed_order_is_followed(tmp_path: Path) -> None:
    ids = [TEXT.id[i] for i in (5, 2, 9)]
    held = tmp_path / "order.parquet"
    pq.write_table(pa.table({"record_id": pa.array(ids, pa.uint64())}), held)
    lines = tmp_path / "order.jsonl"
    lines.write_text(f"{ids[0]}\n" + "".join(json.dumps({"id": i}) + "\n" for i in ids[1:]))
    for path in (held, lines):
        rows = record_order(TEXT, AblateOptions(order=str(path)))
        assert rows.tolist() == [5, 2, 9]


@pytest.mark.parametrize("content", ["[1", '{"x": 1}', "99999999", '"a"', None])
def test_an_order_that_cannot_be_followed_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "order.jsonl"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=r"order\.jsonl"):
        record_order(TEXT, AblateOptions(order=str(path)))


def test_too_many_records_are_drawn_in_a_shuffle_and_cut_off_in_a_file() -> None:
    shuffled = AblateOptions(order="shuffled:3", max_steps=2)
    assert most_steps(shuffled) == 2
    rows = record_order(TEXT, shuffled)
    assert len(rows) == 32
    assert rows.max() > 32
    assert record_order(TEXT, AblateOptions(order="file", max_steps=2)).tolist() == list(range(32))


@pytest.mark.parametrize(
    "wrong", [{"batch": 1}, {"block": 4}, {"alpha": 0.0}, {"q": 1.0}, {"vocabulary": 100}]
)
def test_settings_out_of_bounds_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        AblateOptions(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="seed"):
        record_order(TEXT, AblateOptions(order="shuffled:x"))
