"""Marks on a chart: a pale rule at a place on x, with words above the plot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from corpusgate.reports.canvas import COLORS
from corpusgate.reports.ticks import fit, wide
from corpusgate.text.visible import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from corpusgate.reports.canvas import Canvas

# More words than this hide the curve; every mark stands in the table below the chart.
MOST = 24
LANE = 15
"""Height of one line of words above the plot, px."""
_ABOVE = -12
"""Baseline of the lowest line of words, px from the top of the plot."""
_LETTER = 6.6
"""Width of a bold letter of 12 px, about, px."""


@dataclass(frozen=True)
class Label:
    """A mark with the line its words stand on, set so that they stay inside the drawing."""

    x: float
    text: str
    lane: int
    align: Literal["left", "right"]


def labels(
    marks: Sequence[tuple[float, str]], domain: tuple[float, float], canvas: Canvas, *, log: bool
) -> list[Label]:
    """Set the words of each mark on the lowest line where they touch no other's."""
    low, high = domain
    ends: list[float] = []
    found = []
    for x, words in sorted(mark for mark in marks if low <= mark[0] <= high)[:MOST]:
        at = _part(x, low, high, log=log) * canvas.width
        text = fit(plain(words, keep=""), int(canvas.width / _LETTER))
        width = wide(text) * _LETTER
        fits = at + width <= canvas.width
        start = at if fits else max(0.0, at - width)
        lane = next((i for i, end in enumerate(ends) if start > end), len(ends))
        ends[lane : lane + 1] = [start + width + _LETTER]
        found.append(Label(x, text, lane, "left" if fits else "right"))
    return found


def lanes(found: Sequence[Label]) -> int:
    """How many lines of words stand above the plot."""
    return max((label.lane + 1 for label in found), default=0)


def layers(found: Sequence[Label], x: alt.X, canvas: Canvas) -> list[alt.Chart]:
    """The rules and the words, on the x axis of the chart."""
    import altair as alt

    shown = []
    for label in found:
        top = _ABOVE - LANE * label.lane
        at = alt.Chart(alt.InlineData([{"x": label.x, "t": label.text}])).encode(x=x)
        rule = at.mark_rule(color=COLORS["mark"], strokeWidth=7, opacity=1)
        shown.append(rule.encode(y=alt.value(top + 6), y2=alt.value(canvas.height)))
        words = at.mark_text(align=label.align, baseline="alphabetic", fontWeight=600)
        fg = alt.value(COLORS["fg"])
        shown.append(words.encode(y=alt.value(top), text="t:N", color=fg))
    return shown


def _part(value: float, low: float, high: float, *, log: bool) -> float:
    if log:
        value, low, high = math.log(value), math.log(low), math.log(high)
    return (value - low) / (high - low)
