"""Lines over steps and outlines of histograms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from corpusgate.reports import marks
from corpusgate.reports.canvas import (
    DASHES,
    SERIES,
    WIDTHS,
    Margins,
    inline,
    is_percent,
    scale,
    series_of,
)
from corpusgate.reports.ticks import DRAWABLE, decades, inside, pick, span, ticks
from corpusgate.text.visible import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from corpusgate.model import Chart
    from corpusgate.reports.canvas import Canvas, Layers
    from corpusgate.reports.ticks import Point

# From here a number on an axis is shorter with a prefix (100k).
_PREFIXED = 1e5
_Y_TICKS = 6
_LEFT, _RIGHT, _TOP, _BOTTOM = 42, 4, 26, 44
"""Room for labels and titles of the axes, px."""


def points(chart: Chart) -> list[Point]:
    """The rows that can be drawn: x can be placed, not below 0 on a log scale; y may be a gap."""
    found = [
        (float(x), y if abs(y) <= DRAWABLE else math.nan, name)
        for x, y, name in chart.rows
        if not isinstance(x, str) and abs(x) <= DRAWABLE and not (chart.log_x and x < 0)
    ]
    if not chart.log_x:
        return found
    floor = min((x for x, _, _ in found if x > 0), default=1.0) / 2
    return [(x or floor, y, name) for x, y, name in found]


def curves(chart: Chart, canvas: Canvas) -> tuple[Layers, Margins]:
    """The layers of a line chart or a histogram, and the margins its labels need."""
    import altair as alt

    names, rows, outline = series_of(chart), points(chart), chart.kind == "steps"
    if outline:
        rows = _closed(rows, names, log=chart.log_x)
    else:
        rows = pick(rows, canvas.width // 2, {x for x, _ in chart.marks})
    domain = span((x for x, _, _ in rows), log=chart.log_x)
    words = marks.labels(chart.marks, domain, canvas, log=chart.log_x)
    head = marks.LANE * marks.lanes(words)
    x, y = _x(chart, domain, canvas), _y(chart, rows, head)
    color = alt.Color("s:N", scale=scale(len(names), SERIES), legend=None)
    shape: dict[str, Any] = {"interpolate": "step-after"} if outline else {}
    base = alt.Chart(inline(rows, names)).encode(x=x, y=y, color=color)
    line = base.mark_line(invalid="break-paths-show-domains", **shape).encode(
        strokeDash=alt.StrokeDash("s:N", scale=scale(len(names), DASHES), legend=None),
        strokeWidth=alt.StrokeWidth("s:N", scale=scale(len(names), WIDTHS), legend=None),
    )
    below = [base.mark_area(opacity=0.16, line=False, **shape)] if outline else []
    plot = alt.layer(*marks.layers(words, x, canvas), *below, line)
    return plot, Margins(_LEFT, _RIGHT, _TOP + head, _BOTTOM)


def _closed(rows: list[Point], names: Sequence[str], *, log: bool) -> list[Point]:
    """The bins with the right edge of the last one, which is as wide as the one before it."""
    *before, last = sorted({x for x, _, _ in rows})
    if all(y == 0 for x, y, _ in rows if x == last):
        return rows
    previous = before[-1] if before else (last / 2 if log else last - 1)
    end = last * last / previous if log else 2 * last - previous
    closed: list[Point] = []
    for name in names:
        own = sorted((row for row in rows if row[2] == name), key=lambda row: row[0])
        closed += [*own, (end, own[-1][1], name)] if own else []
    return closed


def _x(chart: Chart, domain: tuple[float, float], canvas: Canvas) -> alt.X:
    import altair as alt

    low, high = domain
    at = decades(low, high, canvas.x_ticks) if chart.log_x else ticks(low, high, canvas.x_ticks)
    kind: Any = "log" if chart.log_x else "linear"
    axis = alt.Axis(
        format=_number(high),
        grid=False,
        maxExtent=22,
        minExtent=22,
        title=plain(chart.x, keep=""),
        titleAlign="right",
        titleBaseline="alphabetic",
        titleX=canvas.width,
        titleY=38,
        values=inside(at, low, high),
    )
    return alt.X("x:Q", axis=axis, scale=alt.Scale(type=kind, domain=[low, high], nice=False))


def _y(chart: Chart, rows: Sequence[Point], head: int) -> alt.Y:
    import altair as alt

    bottom, top = span(y for _, y, _ in rows)
    at = ticks(min(bottom, 0.0) if chart.kind == "steps" else bottom, top, _Y_TICKS)
    axis = alt.Axis(
        domain=False,
        format=_number(at[-1]),
        maxExtent=40,
        minExtent=40,
        ticks=False,
        title=plain(chart.y, keep=""),
        titleAlign="left",
        titleAngle=0,
        titleBaseline="alphabetic",
        titleX=-42,
        titleY=-12 - head,
        values=at,
    )
    if is_percent(chart):
        axis.labelExpr = "format(100 * datum.value, ',~r') + '\u00a0%'"
    scale_y = alt.Scale(domain=[at[0], at[-1]], nice=False, zero=False)
    return alt.Y("y:Q", axis=axis, scale=scale_y, stack=None)


def _number(highest: float) -> str:
    return "~s" if highest >= _PREFIXED else ",~r"
