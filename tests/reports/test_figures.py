from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.reports.figures import chance, figure, percent, plural, size


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (0.05, "5 %"),
        (0.0157, "1.57 %"),
        (0.9999, "99.99 %"),
        (4.2e-7, "0.000042 %"),
        (-0.5, "\u221250 %"),
        (25.0, "2,500 %"),
        (1e307, "\u221e %"),
        (math.nan, "\u2013"),
        (None, "\u2013"),
    ],
)
def test_percent(value: float | None, text: str):
    assert percent(value) == text.replace(" ", "\u00a0")


@given(st.floats(1e-12, 1 - 1e-12))
def test_percent_is_0_or_100_only_if_it_is(share: float):
    assert percent(share) not in {"0\u00a0%", "100\u00a0%"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (13084.4, "13,084"),
        (999.7, "1,000"),
        (0.21134, "0.211"),
        (-0.02, "\u22120.02"),
        (5e-5, "5e\u22125"),
        (1e300, "1e300"),
        (math.inf, "\u221e"),
        (math.nan, "\u2013"),
        (None, "\u2013"),
    ],
)
def test_figure(value: float | None, text: str):
    assert figure(value) == text


def test_others():
    assert chance(0.031) == "p = 0.031"
    assert chance(5e-5) == "p < 0.0001"
    assert [size(n) for n in (0, 1, 999, 999_950)] == [
        "0\u00a0bytes",
        "1\u00a0byte",
        "999\u00a0bytes",
        "1\u00a0MB",
    ]
    assert plural(1, "record") == "1 record"
    assert plural(1200, "record") == "1,200 records"
