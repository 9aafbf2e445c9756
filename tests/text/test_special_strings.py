from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_blocks import block_of

from corpusgate.text.special_strings import is_html, special_strings


@pytest.mark.parametrize(
    "text",
    [
        "<|endoftext|>", "<|im_start|>", "<|eot_id|>", "<|user|>", "<|reserved_200000|>",
        "<|START_OF_TURN_TOKEN|>", "<\uff5cbegin\u2581of\u2581sentence\uff5c>", "[INST]",
        "[/INST]", "<<SYS>>", "<</SYS>>", "[TOOL_CALLS]", "[CLS]", "[gMASK]", "[unused7]", "<s>",
        "</s>", "<unk>", "<PAD>", "<mask>", "<extra_id_0>", "<start_of_turn>", "<unused99>",
        "<fim_middle>",
    ],
)  # fmt: skip
def test_finds_the_strings_of_each_family(text: str) -> None:
    assert special_strings(block_of([f"a {text} b"])) == {(0, text): 1}


@pytest.mark.parametrize(
    "text",
    [
        "a < b | c > d", "<|x|>", "<|\u03c8|>", "<|> x <|>", "[inst]", "[MASKED]", "<unknown>",
        "<b>s</b>", "x <S> y", "<pad-left>", "[1] [CLS 1]", "<|a b_c|>", "<\uff5c>", "<fim>",
        "<unused>", "<extra_id_>",
    ],
)  # fmt: skip
def test_passes_over_what_only_looks_alike(text: str) -> None:
    assert not special_strings(block_of([text]))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("it costs <s>20</s> 15 euros", True),
        ("<p>an unclosed <s> in a page</p>", True),
        ("line<br>break </s>", True),
        ("<svg><mask><rect/></mask></svg>", True),
        ("a </s> b", False),
        ("<s> a sentence </s>", False),
        ("<s>one</s> <s>two</s>", False),
        ("<s>one", False),
        ("old <s>20</s> and </s> left over", False),
        ("the capital is <mask>.", False),
    ],
)
def test_struck_text_of_html_is_no_sentence_marker(text: str, html: bool) -> None:
    assert is_html(text) is html
    found = special_strings(block_of([text]))
    assert (not found) is html


def test_counts_by_record_and_leaves_what_is_between_the_texts() -> None:
    texts = [["<unk> <unk>", "x"], ["plain", "[SEP]"], "<unk>", "<|im_"]
    block = block_of(texts)
    assert special_strings(block) == {(0, "<unk>"): 2, (1, "[SEP]"): 1, (2, "<unk>"): 1}
    half = block.with_columns(span=block.span - np.array([0, 1]))
    assert special_strings(half) == {(0, "<unk>"): 1}
    broken = block.with_columns(fault=("", "", "not JSON", ""))
    assert (2, "<unk>") not in special_strings(broken)


@given(st.lists(st.text(st.sampled_from("<s>/|[INSTunk]a\u79cb "), max_size=20), max_size=5))
def test_a_block_is_the_sum_of_its_records(texts: list[str]) -> None:
    apart = {
        (row, name): n
        for row, text in enumerate(texts)
        for (_, name), n in special_strings(block_of([text])).items()
    }
    assert special_strings(block_of(texts)) == apart
