from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_blocks import block_of

from corpusgate.model import Block, Loss, Sample, TokenFacts
from corpusgate.pipeline import tokenize as stage
from corpusgate.pipeline.tokenize import Loaded, TokenizeOptions, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Built = Callable[[str], Loaded]


def facts(loaded: Loaded, texts: Sequence[Any], **options: Any) -> TokenFacts:
    return tokenize(block_of(texts), loaded, TokenizeOptions(**options))[1]


def labels(found: TokenFacts) -> list[tuple[str, ...]]:
    return [Loss(int(bits)).labels for bits in found.loss]


@given(texts=st.lists(st.text(max_size=40), max_size=6))
def test_byte_level_bpe_is_exact_on_any_text(built: Built, texts: list[str]) -> None:
    found = facts(built("byte-bpe"), texts)
    assert not found.loss.any()
    assert not found.lost
    assert not found.unknown.any()


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("nfc", "Cafe\u0301", ("nfc",)),
        ("nfc", "\uff21\uff22\uff11", ()),
        ("nfkc", "\u4e2d\u3000\u6587", ("nfkc",)),
        ("wordpiece", "The cat", ("case",)),
        ("wordpiece", "caf\u00e9", ("accents",)),
        ("wordpiece", "  hello", ("leading-space",)),
        ("wordpiece", "x!y", ("inner-space",)),
        ("wordpiece", "a\x01\u200bb", ("dropped-control",)),
        ("wordpiece", "\u2764\ufe0f", ("unk",)),
        ("wordpiece", "the cat", ()),
        ("unigram", "a \u0416 b", ("unk",)),
        ("prefixing", "a\u2581b", ("inner-space",)),
        ("prefixing", "hi  </s>  there", ("space-after-special",)),
        ("prefixing", "x<0x0A>y \u79cb", ()),
        ("panicking", "a" * 40 + "b", ("crash",)),
        ("erring", "\u00e9", ("crash",)),
        ("alphabetless", "a1b", ("other",)),
    ],
)
def test_names_what_each_kind_of_tokenizer_loses(
    built: Built, name: str, text: str, expected: tuple[str, ...]
) -> None:
    assert labels(facts(built(name), ["a", text])) == [(), expected]


def test_counts_tokens_and_unknown_tokens(built: Built) -> None:
    ids, found = tokenize(
        block_of(["the cat", "", "\u79cb \u5929 a"]), built("wordpiece"), TokenizeOptions()
    )
    assert found.tokens.tolist() == [6, 0, 3]
    assert found.unknown.tolist() == [0, 0, 2]
    assert [len(held) for held in ids] == [6, 0, 3]
    assert found.used.tolist() == sorted({i for held in ids for i in held})
    assert found.vocabulary == built("wordpiece").vocabulary
    assert dict(found.script_bytes) == {"Latn": 7, "Zyyy": 0, "Hani": 9}
    assert dict(found.script_tokens) == {"Latn": 6, "Zyyy": 0, "Hani": 3}
    assert dict(found.script_unknown) == {"Latn": 0, "Zyyy": 0, "Hani": 2}


def test_several_texts_of_a_record_are_one(built: Built) -> None:
    found = facts(built("byte-bpe"), [["ab", "cd"], "ab\ncd"])
    assert found.tokens.tolist() == [5, 5]


def test_unreadable_records_are_left_out(built: Built) -> None:
    block = block_of(["a", "b b", "c c c"])
    block = block.with_columns(fault=("", "not JSON", ""), status=np.array([0, 0, 2], np.int8))
    ids, found = tokenize(block, built("byte-bpe"), TokenizeOptions(context=1))
    assert found.tokens.tolist() == [1, 0, 0]
    assert len(ids) == 1


def test_special_tokens_in_text_are_counted_and_read_as_text(built: Built) -> None:
    chat = built("chat")
    found = facts(chat, ["<|im_start|>a<|im_start|><|im_end|>", "a    b\tcorpus", "<tool_call>"])
    assert found.special == (
        (0, "<|im_end|>", 1),
        (0, "<|im_start|>", 2),
        (2, "<tool_call>", 1),
    )
    assert found.tokens[0] == len("<|im_start|>a<|im_start|><|im_end|>")
    assert not found.loss.any()
    unknown = facts(built("wordpiece"), ["a [ unk ]", "[UNK] [UNK] \u79cb"])
    assert unknown.special == ((1, "[UNK]", 2),)
    assert unknown.unknown.tolist() == [0, 1]


def test_truncation_leaves_room_for_the_template(built: Built) -> None:
    texts = ["a b c", "a b c d e f"]
    assert not facts(built("wordpiece"), texts).truncated.any()
    assert facts(built("wordpiece"), texts, context=6).truncated.tolist() == [0, 2]
    assert facts(built("byte-bpe"), texts, context=6).truncated.tolist() == [0, 5]
    assert facts(built("wordpiece"), texts, context=1).truncated.tolist() == [3, 6]


def test_a_crash_costs_its_record_alone(built: Built) -> None:
    texts = ["the cat", "a" * 40 + "b", "caf\u00e9"] * 3
    found = facts(built("panicking"), texts)
    clean = facts(built("byte-bpe"), texts)
    crashed = np.array([False, True, False] * 3)
    assert (found.loss != 0).tolist() == crashed.tolist()
    assert found.tokens[~crashed].tolist() == clean.tokens[~crashed].tolist()
    assert next(after for *_, after in found.lost).startswith("PanicException")


def test_a_text_that_decodes_to_a_crash_is_one(
    built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = built("byte-bpe")

    def decode(_: Loaded, ids: list[list[int]]) -> list[Any]:
        return [stage.Crash("PanicException: decoder") for _ in ids]

    monkeypatch.setattr(Loaded, "decode", decode)
    assert labels(facts(loaded, ["a"])) == [("crash",)]


def test_a_long_record_is_given_in_pieces(built: Built) -> None:
    spaces = f"x{' ' * 300_000}x"
    words = "the cat " * 20_000
    found = facts(built("byte-bpe"), ["a", spaces, words])
    assert found.in_pieces == (1, 2)
    assert not found.loss.any()
    whole = facts(built("byte-bpe"), ["a", spaces, words], piece=10**9)
    assert whole.in_pieces == ()
    assert abs(found.tokens - whole.tokens).tolist() == [0, 0, 1]


def test_lone_surrogates_are_noted_where_they_stand(built: Built) -> None:
    block = block_of(["half \ufffd end", "whole", "cut"])
    block = block.with_columns(notes=(("lone-surrogate", 0), ("lone-surrogate", 2)))
    found = tokenize(block, built("byte-bpe"), TokenizeOptions())[1]
    assert labels(found) == [("surrogate",), (), ()]


def test_batches_and_pieces_change_nothing(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["The " + "cat " * n + "\u79cb" + " caf\u00e9" * (n % 3) + "</s>" for n in range(40)]
    for name in ("wordpiece", "unigram", "prefixing"):
        whole = facts(built(name), texts)
        with monkeypatch.context() as small:
            small.setattr(stage, "BATCH_CHARACTERS", 50)
            assert same(facts(built(name), texts), whole)


def same(a: TokenFacts, b: TokenFacts) -> bool:
    return all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("tokens", "unknown", "truncated", "loss", "used")
    ) and (a.special, a.lost, a.script_bytes, a.script_tokens, a.script_unknown) == (
        b.special, b.lost, b.script_bytes, b.script_tokens, b.script_unknown,
    )  # fmt: skip


@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_what_is_shown_is_of_the_lowest_ids(built: Built, seed: int) -> None:
    rng = np.random.default_rng(seed)
    texts = [["The", "a  b", "fine", "\u79cb"][k] for k in rng.integers(0, 4, 60)]
    block: Block = block_of(texts)
    found = tokenize(block, built("wordpiece"), TokenizeOptions())[1]
    for loss in (Loss.CASE, Loss.INNER_SPACE, Loss.UNK):
        rows = [row for row in range(60) if found.loss[row] & loss]
        shown = [row for row, label, *_ in found.lost if label == loss.label]
        assert shown == sorted(rows, key=lambda row: block.ids[row])[: Sample.K]
    assert {(b, a) for _, label, b, a in found.lost if label == "case"} == {("The", "the")}


def test_nothing_to_read_is_nothing_seen(built: Built) -> None:
    ids, found = tokenize(block_of([]), built("byte-bpe"), TokenizeOptions(context=4))
    assert ids == []
    assert len(found.tokens) == len(found.loss) == len(found.used) == 0
    assert found.script_bytes == ()
