"""What the checks of a tokenizer share: how they say a share, a place, a list of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusgate.model import UNKNOWN

if TYPE_CHECKING:
    from collections import Counter

    from corpusgate.model import Example, Sample

NAMED = 5
"""Names listed in a message, the most frequent first."""


def percent(value: float) -> str:
    """A share in three digits; 0 % and 100 % only where it is."""
    text = f"{100 * value:.3g}"
    return f"{'> 99.9' if text == '100' and value < 1 else text} %"


def place(example: Example) -> str:
    """Source and line of a record, or its number where the source has no lines."""
    if example.line == UNKNOWN:
        return f"{example.source} record {example.record:,}"
    return f"{example.source} line {example.line:,}"


def first(sample: Sample) -> str:
    """A sentence that names an example, if there is one."""
    return f" For example {place(sample.examples[0])}." if sample.examples else ""


def named(counts: Counter[str]) -> str:
    """The most frequent names with their counts, and how many more there are."""
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    text = ", ".join(f"{name} {n:,}" for name, n in ranked[:NAMED])
    others = len(ranked) - NAMED
    return f"{text} and {others:,} others" if others > 0 else text
