"""Horizontal bars, grouped by series, with their values at the end instead of an axis."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corpusgate.reports.canvas import (
    COLORS,
    SERIES,
    Canvas,
    Margins,
    inline,
    is_percent,
    keys,
    scale,
    series_of,
)
from corpusgate.reports.figures import figure, percent
from corpusgate.reports.ticks import DRAWABLE, fit
from corpusgate.text.visible import plain

if TYPE_CHECKING:
    import altair as alt

    from corpusgate.model import Chart
    from corpusgate.reports.canvas import Layers

# As many as one glance takes in; the table below the chart holds the others.
MOST = 14
_SPACE = "\u2423"
_THICK = 13
_GAP = 9
_MARGINS = Margins(left=124, right=62, top=4, bottom=4)
# Letters of 12 px that the left margin holds (about 7 px each).
_COLUMNS = 16


def placed(chart: Chart) -> list[tuple[str, float, str]]:
    """The rows that can be drawn."""
    return [(str(x), y, name) for x, y, name in chart.rows if abs(y) <= DRAWABLE]


def _largest(rows: list[tuple[str, float, str]]) -> list[str]:
    """The categories that are drawn: the largest, in the order of the chart."""
    total: dict[str, float] = {}
    for x, y, _ in rows:
        total[x] = max(total.get(x, 0.0), abs(y))
    largest = sorted(total, key=lambda name: -total[name])[:MOST]
    return [name for name in total if name in largest]


def bars(chart: Chart, canvas: Canvas) -> tuple[Layers, Canvas, Margins]:
    """The layers of a bar chart, on a canvas as high as its bars need."""
    import altair as alt

    names, shown = series_of(chart), _largest(placed(chart))
    key = {name: f"c{i}" for i, name in enumerate(shown)}
    rows = [(key[x], y, name) for x, y, name in placed(chart) if x in key]
    low, high = min((y for _, y, _ in rows), default=0), max((y for _, y, _ in rows), default=0)
    x = alt.X(
        "y:Q",
        axis=None,
        scale=alt.Scale(domain=[min(low, 0.0), max(high, 0.0) or 1.0], nice=False),
    )
    color = alt.Color("s:N", scale=scale(len(names), SERIES), legend=None)
    band = _THICK * len(names) + _GAP
    across = {
        "y": alt.Y("x:N", axis=None, scale=_bands([*key.values()], _GAP / band)),
        "yOffset": alt.YOffset("s:N", scale=_bands(keys(len(names)), 0.12)),
    }
    base = alt.Chart(_labelled(chart, rows, names))
    values = base.mark_text(align="left", dx=5, baseline="middle", fontSize=11).encode(
        x=x, text="t:N", color=alt.value(COLORS["dim"]), **across
    )
    words = [{"x": key[name], "t": fit(_written(name), _COLUMNS)} for name in shown]
    titles = alt.Chart(alt.InlineData(words))
    named = titles.mark_text(align="right", baseline="middle", fontSize=12).encode(
        x=alt.value(-8), y=across["y"], text="t:N", color=alt.value(COLORS["fg"])
    )
    layers = alt.layer(
        base.mark_bar(opacity=0.85).encode(x=x, color=color, **across), values, named
    )
    return layers, replace(canvas, height=max(1, len(shown)) * band), _MARGINS


def _written(category: str) -> str:
    """The name of a bar; spaces at its ends, which tell tokens apart, are drawn."""
    bare = category.strip(" ")
    before, _, after = category.partition(bare) if bare else (category, "", "")
    return plain(f"{_SPACE * len(before)}{bare}{_SPACE * len(after)}", keep="")


def _bands(domain: list[str], padding: float) -> alt.Scale:
    import altair as alt

    return alt.Scale(domain=domain, paddingInner=padding, paddingOuter=padding / 2)


def _labelled(chart: Chart, rows: list[tuple[str, float, str]], names: list[str]) -> alt.InlineData:
    """The rows with the value as it is written behind the bar."""
    data = inline(rows, names)
    for row, (_, y, _) in zip(data.values, rows, strict=True):
        row["t"] = percent(y) if is_percent(chart) else figure(y)
    return data
