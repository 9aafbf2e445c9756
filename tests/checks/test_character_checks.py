"""The checks of characters: their pages, their counts, their words."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import block_of
from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st

import corpusgate.checks
from corpusgate.checks._characters import DEFAULT, CharacterCheck, CharacterTally
from corpusgate.checks.control_chars import ControlChars
from corpusgate.checks.invisible_chars import InvisibleChars
from corpusgate.checks.private_use_chars import PrivateUseChars
from corpusgate.checks.replacement_chars import ReplacementChars
from corpusgate.model import Evidence, Severity, Status
from corpusgate.text.policy import apply, cuts

if TYPE_CHECKING:
    from corpusgate.model import Finding

CHECKS = (ControlChars(), InvisibleChars(), PrivateUseChars(), ReplacementChars())


def page_examples(check: CharacterCheck, heading: str) -> list[str]:
    path = Path(corpusgate.checks.__path__[0]) / f"{check.name().replace('-', '_')}.md"
    section = path.read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    (fence,) = re.findall(r"```jsonl\n(.*?)```", section, re.DOTALL)
    return [json.loads(line)["text"] for line in fence.splitlines()]


def evidence(total: CharacterTally, split: str = "train") -> Evidence[CharacterTally]:
    none: Any = None
    return Evidence({split: total}, {split: total.rows}, none)


def findings(check: CharacterCheck, texts: list[str]) -> list[Finding]:
    return list(check.conclude(evidence(check.observe(block_of(texts)))))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
def test_the_page_holds(check: CharacterCheck) -> None:
    for text in page_examples(check, "Flagged"):
        (finding,) = findings(check, [text])
        assert (finding.severity, finding.count, finding.value) == (check.above, 1, 1.0)
    assert findings(check, page_examples(check, "Passed")) == []


def test_characters_and_records_are_counted() -> None:
    texts = ["a\x00\x00\x02", "b", "c\x00", "\t\n\r\f"] + ["fine"] * 6
    (finding,) = findings(ControlChars(), texts)
    assert finding.message == (
        "4 control characters in 2 of 10 records (20 %; limit 0.1 %): NUL 3, U+0002 1. "
        "Worst: t.jsonl line 1, with 3."
    )
    assert (finding.value, finding.limit, finding.count) == (0.2, 0.001, 2)
    assert finding.severity == Severity.ERROR
    first, second = finding.examples
    assert (first.record, first.evidence) == (0, (("U+0000", "2"), ("U+0002", "1")))
    assert (second.record, second.evidence) == (2, (("U+0000", "1"),))
    assert "clean" in finding.remedy


def test_private_use_is_counted_by_characters_and_by_records() -> None:
    check = PrivateUseChars()
    total = check.observe(block_of(["\ue000\U000f0000", "x\ue000", "y"]))
    assert check.metrics(evidence(total, "val")) == {
        "share.val": 2 / 3,
        "records.val": 2,
        "characters.val": 3,
    }
    (finding,) = check.conclude(evidence(total, "val"))
    assert finding.message.startswith("3 private-use characters in 2 of 3 records (66.7 %")
    assert finding.split == "val"


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
def test_the_limit_is_the_line_between_severities(check: CharacterCheck) -> None:
    (bad, *_) = page_examples(check, "Flagged")
    texts = [bad] + ["fine"] * 9
    (at_limit,) = findings(replace(check, limit=0.1), texts)  # type: ignore[type-var]
    (above,) = findings(replace(check, limit=0.09), texts)  # type: ignore[type-var]
    assert (at_limit.severity, above.severity) == (check.below, check.above)
    assert check.limit == 0.001
    (rule,) = check.rules()
    assert (rule.metric, rule.op, rule.value) == (f"{check.name()}.share", "<=", check.limit)
    assert rule.severity == check.above


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name())
def test_nothing_seen_is_no_number_and_no_finding(check: CharacterCheck) -> None:
    assert math.isnan(check.metrics(evidence(CharacterTally()))["share.train"])
    assert list(check.conclude(evidence(CharacterTally()))) == []


def test_records_that_cannot_be_read_are_not_counted() -> None:
    block = block_of(["\x00", "\x00\x00", "ok", "ok"])
    status = block.status.copy()
    status[0] = Status.UNDECODABLE
    total = ControlChars().observe(replace(block, status=status, fault=("", "", "", "broken")))
    assert (total.rows, total.dirty, total.characters) == (2, 1, 2)


def test_a_share_is_full_only_where_it_is() -> None:
    texts = ["\x00"] * 3999 + ["fine"]
    (finding,) = findings(ControlChars(), texts)
    assert "(> 99.9 %; limit" in finding.message
    (finding,) = findings(ControlChars(), ["\x00\x01\x02\x03\x04\x05\x06"])
    assert "(100 %; limit" in finding.message
    assert finding.message.count("U+000") == 4
    assert "and 2 others" in finding.message


@given(st.lists(HOSTILE, max_size=5), st.lists(HOSTILE, max_size=5))
def test_what_is_counted_is_what_cleaning_cuts(left: list[str], right: list[str]) -> None:
    for check in (ControlChars(), InvisibleChars()):
        total = check.observe(block_of([*left, *right]))
        cut = [sum(c.end - c.start for c in cuts(t, DEFAULT) if c.check == check.name())
               for t in (*left, *right)]  # fmt: skip
        assert total.characters == sum(cut) == total.names.total()
        assert total.dirty == sum(n > 0 for n in cut)
        clean = [apply(text, cuts(text, DEFAULT)) for text in (*left, *right)]
        assert check.observe(block_of(clean)).dirty == 0


@given(st.lists(HOSTILE, max_size=6), st.integers(0, 6))
def test_parts_add_up(texts: list[str], at: int) -> None:
    for check in CHECKS:
        whole = check.observe(block_of(texts))
        a, b = block_of(texts[:at]), block_of(texts[at:], first=len(texts[:at]))
        total = check.observe(a) + check.observe(b)
        lines = [replace(e, offset=0) for e in total.sample.examples]
        assert lines == [replace(e, offset=0) for e in whole.sample.examples]
        assert (total.rows, total.dirty, total.names) == (whole.rows, whole.dirty, whole.names)
        assert whole + CharacterTally() == whole
