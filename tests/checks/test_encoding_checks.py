"""undecodable-bytes and mixed-encoding: what they count, and how they tell it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from builders import block_of

from corpusgate.checks.mixed_encoding import MixedEncoding
from corpusgate.checks.undecodable_bytes import UndecodableBytes
from corpusgate.model import Block, Evidence, Severity, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.model import Check, Finding, Partial

NAMES = ("utf-8", "gb18030", "cp950", "big5hkscs", "cesu-8")
OK, RECOVERED, UNSURE, UNDECODABLE = Status


def decoded(
    records: Sequence[tuple[Status, str, float]],
    text: str = "caf\u00e9",
    source: str = "t.jsonl",
    **more: Any,
) -> Block:
    """A block of one text, its records read like this: (status, encoding, margin)."""
    numbers = [NAMES.index(name) if name else -1 for _, name, _ in records]
    block = block_of([text] * len(records), source=source)
    return replace(
        block,
        status=np.array([status for status, _, _ in records], np.int8),
        encoding=np.array(numbers, np.int16),
        encodings=NAMES,
        margin=np.array([margin for *_, margin in records]),
        runner_up=np.array([NAMES.index("cp950") if m > 0 else -1 for *_, m in records], np.int16),
        **more,
    )


def told(check: Check[Any], *blocks: Block) -> list[Finding]:
    total: Partial = sum((check.observe(b) for b in blocks[1:]), check.observe(blocks[0]))
    none: Any = None
    evidence = Evidence({"train": total}, {"train": sum(map(len, blocks))}, none)
    return list(check.conclude(evidence))


nan = float("nan")
UTF8 = (OK, "utf-8", nan)


def test_what_has_no_sure_reading_is_an_error() -> None:
    block = decoded(
        [UTF8] * 6
        + [(UNSURE, "gb18030", 1.234), (UNDECODABLE, "utf-8", 9.0), (UNDECODABLE, "", 7.0)]
        + [(RECOVERED, "gb18030", 20.0)]
    )
    (finding,) = told(UndecodableBytes(), block)
    assert (finding.severity, finding.count, finding.value) == (Severity.ERROR, 3, 0.3)
    assert finding.message == (
        "3 of 10 records (30 %; limit 0 %) have no sure reading: 1 could be read, but not surely "
        "(gb18030 1); 2 not at all (no encoding at all 1, utf-8 1). "
        f"For example t.jsonl line {finding.examples[0].line}."
    )
    seen = {example.record: example.evidence for example in finding.examples}
    assert seen[6] == (
        ("status", "unsure"),
        ("encoding", "gb18030"),
        ("margin", "1.23 nats"),
        ("runner-up", "cp950"),
    )
    assert {
        record for record, evidence in seen.items() if dict(evidence)["status"] == "undecodable"
    } == {7, 8}
    assert finding.examples[0].record in {7, 8}  # what cannot be read at all comes first


def test_a_share_within_the_limit_is_a_warning() -> None:
    block = decoded([UTF8] * 9 + [(UNSURE, "gb18030", 1.0)])
    (finding,) = told(UndecodableBytes(limit=0.1), block)
    assert finding.severity == Severity.WARNING
    assert told(UndecodableBytes(), decoded([UTF8] * 3)) == []


def test_encodings_are_counted_by_family() -> None:
    blocks = [
        decoded([UTF8, UTF8, (RECOVERED, "cp950", 30.0)]),
        decoded([(RECOVERED, "big5hkscs", 30.0), (RECOVERED, "gb18030", 30.0)], source="u.jsonl"),
    ]
    (finding,) = told(MixedEncoding(), *blocks)
    assert (finding.severity, finding.count, finding.value) == (Severity.WARNING, 3, 3.0)
    assert "3 encodings (limit 1): records in cp950 2, utf-8 2, gb18030 1." in finding.message
    assert "3 of 5 records (60 %) were recovered" in finding.message
    assert {example.source for example in finding.examples} == {"t.jsonl", "u.jsonl"}


def test_ascii_is_no_encoding_of_its_own() -> None:
    plain = decoded([UTF8] * 5, text="plain words")
    chinese = decoded([(RECOVERED, "gb18030", 30.0)] * 4)
    (finding,) = told(MixedEncoding(), plain, chinese)
    assert (finding.severity, finding.value) == (Severity.INFO, 1.0)
    assert "one encoding (limit 1): records in gb18030 4" in finding.message
    (finding,) = told(MixedEncoding(), plain, chinese, decoded([UTF8]))
    assert finding.severity == Severity.WARNING


def test_what_is_not_sure_is_in_no_encoding() -> None:
    unsure = decoded([UTF8, (UNSURE, "gb18030", 1.0), (UNDECODABLE, "cp950", 1.0)])
    assert told(MixedEncoding(), unsure) == []
    broken = decoded([UTF8, (RECOVERED, "gb18030", 30.0)], fault=("", "half a record"))
    assert told(MixedEncoding(), broken) == []


def test_cesu8_among_utf8_is_mixed() -> None:
    (finding,) = told(MixedEncoding(), decoded([UTF8, (RECOVERED, "cesu-8", 20.0)]))
    assert (finding.severity, finding.count) == (Severity.WARNING, 1)
