from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from text_blocks import block_of

from corpusgate.model import TokenFacts
from corpusgate.pipeline.token_summary import TokenizerSummary, Used, notes
from corpusgate.pipeline.tokenize import Loaded, TokenizeOptions, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable

    Built = Callable[[str], Loaded]

TEXTS = ["The cat", "\u79cb\u5929 a", "", "caf\u00e9 noir", "\u0416 b", "a </s>"]


def summed(loaded: Loaded, texts: list[str], first: int = 0) -> TokenizerSummary:
    block = block_of(texts, first=first)
    found = tokenize(block, loaded, TokenizeOptions(context=6, piece=8))[1]
    return TokenizerSummary.of(found, len(texts))


@given(cut=st.integers(0, len(TEXTS)))
def test_any_cut_gives_the_same_sum(built: Built, cut: int) -> None:
    for name in ("wordpiece", "unigram"):
        whole = summed(built(name), TEXTS)
        parts = [summed(built(name), TEXTS[:cut]), summed(built(name), TEXTS[cut:], cut)]
        assert reduce(add, parts) == reduce(add, reversed(parts)) == whole
        assert whole + TokenizerSummary() == whole


@given(st.sets(st.integers(0, 300_000)), st.sets(st.integers(0, 300_000)))
def test_used_ids_are_a_union(one: set[int], other: set[int]) -> None:
    def used(ids: set[int]) -> Used:
        zeros = np.zeros(0, np.int64)
        held = np.array(sorted(ids), np.int64)
        return Used.of(TokenFacts(zeros, zeros, zeros, zeros.astype(np.uint32), used=held))

    both = used(one) + used(other)
    assert len(both) == len(one | other)
    assert both == used(one | other)
    assert used(one) + Used() == used(one)


def test_it_survives_its_file(built: Built) -> None:
    whole = summed(built("wordpiece"), TEXTS)
    adapter = TypeAdapter(TokenizerSummary)
    assert adapter.validate_json(adapter.dump_json(whole)) == whole


def test_notes_tell_the_account(built: Built) -> None:
    total = summed(built("wordpiece"), TEXTS)
    told = {note.name: (note.value, note.sentence) for note in notes(total, ["padding"])}
    assert told["records"] == ("6", "1 given back exactly")
    assert told["tokens"] == (f"{total.tokens}", "3 of them unknown")
    assert told["vocabulary used"][0].startswith(f"{len(total.used)} of 117 (")
    assert told["tokens a byte, Hani"] == ("0.375", "3 tokens of 8 bytes; 2 unknown")
    assert told["cut off"][0] == f"{total.truncated} of {total.tokens} tokens"
    assert "from 3 of 6 records" in told["cut off"][1]
    assert told["read in pieces"][0] == "1 record"
    assert "switched off" in told
    assert notes(TokenizerSummary()) == ()
