from __future__ import annotations

import json
import re
import tomllib
from functools import reduce
from math import isnan
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import generators
import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_blocks import block_of

import corpusgate.checks
from corpusgate.checks._losses import CHANGED, DESTROYED, GRAVEST
from corpusgate.checks.lossy_round_trip import LossyRoundTrip
from corpusgate.checks.special_token_in_text import SpecialTokenInText
from corpusgate.checks.truncation import Truncation
from corpusgate.checks.unknown_tokens import UnknownTokenShare
from corpusgate.model import Block, Check, Evidence, Finding, Loss, Severity
from corpusgate.pipeline.tokenize import Loaded, TokenizeOptions, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Built = Callable[[str], Loaded]

CHECKS = (SpecialTokenInText(), LossyRoundTrip(), UnknownTokenShare(), Truncation())
TEXTS = [
    "The cat",
    "a  b",
    "fine",
    "\u79cb x",
    "caf\u00e9",
    "a </s> b",
    "[CLS] of",
    "",
    "\U0001f642",
]


def measured(loaded: Loaded | None, texts: Sequence[str], context: int = 0, cut: int = 0) -> Block:
    """The block of the texts from number `cut` on, tokenized if there is a tokenizer."""
    base = sum(len(text.encode()) + 1 for text in texts[:cut])
    block = block_of(texts[cut:], first=cut, base=base)
    if loaded is None:
        return block
    found = tokenize(block, loaded, TokenizeOptions(context=context or None))[1]
    return block.with_columns(tokens=found)


def evidence(check: Check[Any], *blocks: Block) -> Evidence[Any]:
    parts = [check.observe(block) for block in blocks]
    return Evidence({"train": reduce(add, parts, check.partial())}, {"train": 0}, None)  # type: ignore[arg-type]


def concluded(check: Check[Any], *blocks: Block) -> list[Finding]:
    return list(check.conclude(evidence(check, *blocks)))


def page_examples(check: Check[Any], heading: str, built: Built) -> Block:
    """The block of a page's example, under the tokenizer that it names."""
    page = Path(corpusgate.checks.__path__[0]) / f"{check.name().replace('-', '_')}.md"
    fence = re.compile(rf"## {heading}\n\n```(jsonl|toml)\n(.*?)```", re.DOTALL)
    kind, body = fence.search(page.read_text(encoding="utf-8")).groups()  # type: ignore[union-attr]
    if kind == "jsonl":
        return measured(None, [json.loads(line)["text"] for line in body.splitlines()])
    params = tomllib.loads(body)
    (records,) = getattr(generators, params["generator"])(params).values()
    texts = [record["text"] for record in records]
    return measured(built(params["tokenizer"]), texts, params.get("context", 0))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
def test_pages_say_what_is_flagged_and_what_passes(check: Check[Any], built: Built) -> None:
    bad = concluded(check, page_examples(check, "Flagged", built))
    assert bad
    assert all(finding.severity >= Severity.WARNING for finding in bad)
    assert concluded(check, page_examples(check, "Passed", built)) == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
@given(cut=st.integers(0, len(TEXTS)), name=st.sampled_from(["wordpiece", "unigram", "chat"]))
def test_any_cut_and_order_gives_the_same_sums(
    check: Check[Any], built: Built, cut: int, name: str
) -> None:
    texts = TEXTS * 4
    whole = check.observe(measured(built(name), texts, 6))
    parts = [
        check.observe(measured(built(name), texts[:stop], 6, start))
        for start, stop in ((0, cut), (cut, cut + 9), (cut + 9, len(texts)))
    ]
    assert reduce(add, reversed(parts)) == reduce(add, parts) == whole
    assert check.partial() + whole == whole


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
def test_nothing_measured_is_no_number(check: Check[Any]) -> None:
    numbers = check.metrics(evidence(check))
    shares = [value for name, value in numbers.items() if not name.startswith("records")]
    assert all(map(isnan, shares))
    assert concluded(check) == []
    assert all(rule.metric.split(".")[1] + ".train" in numbers for rule in check.rules())


@pytest.mark.parametrize("check", CHECKS[1:], ids=lambda check: check.name())
def test_without_a_tokenizer_they_have_seen_nothing(check: Check[Any]) -> None:
    assert check.tokenizer
    assert check.observe(measured(None, TEXTS)) == check.partial()


def test_each_flagged_example_of_special_tokens_is_flagged(built: Built) -> None:
    check = SpecialTokenInText()
    assert not check.tokenizer
    bad, good = (page_examples(check, heading, built) for heading in ("Flagged", "Passed"))
    assert check.observe(bad).flagged == len(bad)
    assert check.observe(good).flagged == 0


def test_the_tokenizers_own_special_tokens_are_added(built: Built) -> None:
    texts = ["end <|endoftext|> start", "a </s> b [INST] c", "<tool_call>{}</tool_call>", "a < b"]
    (plain,) = concluded(SpecialTokenInText(), measured(None, texts))
    (own,) = concluded(SpecialTokenInText(), measured(built("chat"), texts))
    assert (plain.count, own.count) == (2, 3)
    assert "control tokens" not in plain.message
    assert "3 of them into control tokens" in own.message
    assert own.severity is Severity.WARNING
    assert "<tool_call>" in own.message
    names = {name for example in own.examples for name, _ in example.evidence}
    assert names == {"<|endoftext|>", "</s>", "[INST]", "<tool_call>", "</tool_call>"}


def test_struck_html_is_a_command_where_the_tokenizer_says_so(built: Built) -> None:
    texts = ["it costs <s>20</s> 15 euros"]
    assert concluded(SpecialTokenInText(), measured(None, texts)) == []
    assert concluded(SpecialTokenInText(), measured(built("prefixing"), texts))[0].count == 1


def test_a_message_tells_what_how_many_where_and_the_limit(built: Built) -> None:
    texts = ["The cat"] * 2 + ["fine"] * 6
    (finding,) = concluded(LossyRoundTrip(), measured(built("wordpiece"), texts))
    assert "2 of 8 records" in finding.message
    assert "2 (25 %) lose text for good" in finding.message
    assert "(limit of each 1 %): case 2" in finding.message
    assert (finding.value, finding.limit, finding.count) == (0.25, 0.01, 2)
    assert finding.severity is Severity.ERROR
    assert finding.remedy.startswith("The tokenizer folds case")
    assert finding.examples[0].evidence == (
        ("lost", "case"), ("before", "The cat"), ("after", "the cat"),
    )  # fmt: skip


def test_the_gravest_records_and_losses_are_shown_first(built: Built) -> None:
    texts = ["a  b"] * 40 + ["so much  and " + "word " * 20 + "The"] + ["a  b"] * 40
    (finding,) = concluded(LossyRoundTrip(), measured(built("wordpiece"), texts))
    first = finding.examples[0]
    assert first.record == 40
    assert first.evidence[0] == ("lost", "case, inner-space")
    assert first.evidence[1][1].endswith("word The")
    assert first.evidence[2][1].endswith("word the")


@pytest.mark.parametrize(
    ("name", "text", "few", "many"),
    [
        ("wordpiece", "The", Severity.WARNING, Severity.ERROR),
        ("wordpiece", "a  b", Severity.INFO, Severity.WARNING),
        ("nfkc", "\uff21", Severity.INFO, Severity.WARNING),
        ("nfc", "e\u0301", Severity.INFO, Severity.WARNING),
    ],
)
def test_severity_goes_by_the_kind_of_loss_and_its_share(
    built: Built, name: str, text: str, few: Severity, many: Severity
) -> None:
    for fine, expected in ((99, few), (98, many)):
        texts = [text] * (100 - fine) + ["fine"] * fine
        (finding,) = concluded(LossyRoundTrip(), measured(built(name), texts))
        assert finding.severity is expected
        numbers = LossyRoundTrip().metrics(evidence(LossyRoundTrip(), measured(built(name), texts)))
        broken = [
            rule.severity
            for rule in LossyRoundTrip().rules()
            if numbers[rule.metric.split(".", 1)[1] + ".train"] > rule.value
        ]
        assert broken == ([expected] if fine == 98 else []), "the gate disagrees with the finding"


def test_every_loss_has_its_weight() -> None:
    assert set(GRAVEST) == set(Loss)
    assert not DESTROYED & CHANGED
    assert Loss((1 << len(Loss)) - 1) == DESTROYED | CHANGED | Loss.NFC


def test_unknown_tokens_are_counted_by_script(built: Built) -> None:
    texts = ["plain words"] * 100 + ["\u79cb\u5929", "\u0416 a"]
    (finding,) = concluded(UnknownTokenShare(), measured(built("wordpiece"), texts))
    assert finding.count == 3
    assert finding.value == pytest.approx(3 / 1004)
    assert "Hani 2" in finding.message
    assert "in 2 of 102 records" in finding.message
    assert finding.severity is Severity.WARNING
    (rare,) = concluded(
        UnknownTokenShare(limit=0.1), measured(built("wordpiece"), [*texts[:100], "\u79cb"])
    )
    assert rare.severity is Severity.INFO


def test_truncation_is_told_only_of_a_stated_context(built: Built) -> None:
    texts = ["word"] * 10 + ["a very long text of many words"]
    check = Truncation()
    assert check.metrics(evidence(check, measured(built("byte-bpe"), texts))) == {}
    block = measured(built("byte-bpe"), texts, 8)
    (finding,) = concluded(check, block)
    beyond = int(block.tokens.truncated.sum())  # type: ignore[union-attr]
    assert finding.count == beyond > 0
    assert finding.value == pytest.approx(beyond / block.tokens.tokens.sum())  # type: ignore[union-attr]
    assert "context of 8 tokens" in finding.message
    assert finding.severity is Severity.WARNING
    assert concluded(Truncation(limit=0.9), block)[0].severity is Severity.INFO
    assert check.rules() == ()
