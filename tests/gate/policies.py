"""Policies and metrics at their edges, and how a property is shown to be able to fail."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from corpusgate.model import Rule, Severity
from corpusgate.pipeline.gate import OPERATORS, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corpusgate.model import Judgement

EXAMPLES = int(os.environ.get("CORPUSGATE_EXAMPLES", "40"))
FEW = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)

# neighbours of a limit, both zeros, the smallest and the largest: where comparisons go wrong
LIMITS = (0.0, -0.0, 5e-324, 0.5, math.nextafter(0.5, 1), 1.0, -1.0, sys.float_info.max)
VALUES = (*LIMITS, -sys.float_info.max, math.nan, math.inf, -math.inf, None)
SPLITS = ("train", "val", "v1.0")
CHECKS = ("length-shift", "empty-text")
MEASURES = ("ks", "share")


@dataclass(frozen=True)
class Case:
    policy: Policy
    metrics: Mapping[str, float | None]
    splits: tuple[str, ...]
    requested: frozenset[str]
    records: int
    errors: int

    def judged_by(self, evaluate: Callable[..., Judgement]) -> Judgement:
        return evaluate(
            self.policy,
            self.metrics,
            self.splits,
            self.requested,
            self.records,
            errors=self.errors,
        )


def is_nan(value: float | None) -> bool:
    return value is not None and math.isnan(value)


def finite() -> st.SearchStrategy[float]:
    return st.sampled_from(LIMITS) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    metric = f"{draw(st.sampled_from(CHECKS))}.{draw(st.sampled_from(MEASURES))}"
    split = draw(st.sampled_from((None, None, *SPLITS)))
    return Rule(
        metric if split is None else f"{metric}.{split}",
        draw(st.sampled_from(sorted(OPERATORS))),
        draw(finite()),
        draw(st.sampled_from(Severity)),
        draw(st.sampled_from(("split", "train", "against-train", "measured"))),
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    splits = tuple(draw(st.sampled_from(((), ("train",), ("val",), SPLITS))))
    names = [f"{c}.{m}.{s}" for c in CHECKS for m in MEASURES for s in SPLITS]
    policy = Policy(tuple(draw(st.lists(rules(), max_size=12))))
    whole = draw(st.booleans())
    values = finite() if whole else st.sampled_from(VALUES)

    def value(name: str) -> float | None:
        # a value that equals its own limit is where a wrong comparison shows
        limits = [rule.value for rule in policy.rules if name.startswith(rule.metric)]
        return draw(st.sampled_from(limits) | values if limits else values)

    kept = names if whole else draw(st.lists(st.sampled_from(names), unique=True))
    return Case(
        policy,
        {name: value(name) for name in kept},
        splits,
        frozenset(draw(st.sampled_from(((), CHECKS[:1], CHECKS, CHECKS, CHECKS)))),
        draw(st.sampled_from((0, 1, 7, 7))),
        draw(st.sampled_from((0, 0, 0, 2))),
    )


def falsify(law: Callable[[Case], None]) -> None:
    """Assert that the law is broken by some case."""
    search = settings(
        max_examples=300,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        report_multiple_bugs=False,
    )
    with pytest.raises(AssertionError, match="law"):
        search(given(cases())(law))()
