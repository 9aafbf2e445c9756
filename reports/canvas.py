"""What every drawing shares: sizes, colours, series, and the axis that needs no font."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import altair as alt

    from corpusgate.model import Chart

    Layers: TypeAlias = alt.LayerChart | alt.FacetChart


@dataclass(frozen=True)
class Canvas:
    """Size of the plot without its margins in px, and how many ticks x has room for."""

    width: int
    height: int
    x_ticks: int


@dataclass(frozen=True)
class Margins:
    """Room around the plot in px."""

    left: int
    right: int
    top: int
    bottom: int


# Colours of the light theme of page.css, by the variable that stands for them on the page.
# A specification is drawn in these, so that any viewer of Vega-Lite shows it as it should be.
COLORS = {
    "a": "#b4551d",
    "b": "#2563a8",
    "dim": "#5a626b",
    "fg": "#1b1e22",
    "line": "#dfe2e5",
    "mark": "#f3e4dc",
}
SERIES = tuple(COLORS[name] for name in ("a", "b", "dim", "fg"))
# Beyond colour, one series is told from another by its dashes and its width. The first is
# broad, so that it shows below the second where both run together.
DASHES: tuple[list[int], ...] = ([1, 0], [1, 0], [5, 3], [2, 2])
WIDTHS = (2.2, 1.2, 1.2, 1.2)


def series_of(chart: Chart) -> list[str]:
    """The series in order of appearance."""
    return list(dict.fromkeys(name for _, _, name in chart.rows))


def is_percent(chart: Chart) -> bool:
    """Whether y is a share, to be written in per cent."""
    return chart.y.startswith("share")


def scale(count: int, values: Sequence[Any]) -> alt.Scale:
    """A scale from the keys of `count` series to values; the last value serves all that follow."""
    import altair as alt

    last = len(values) - 1
    chosen = [values[min(i, last)] for i in range(count)]
    return alt.Scale(type="ordinal", domain=keys(count), range=chosen)


def keys(count: int) -> list[str]:
    """Keys that stand for the series, whose names are the data's own."""
    return [f"s{i}" for i in range(count)]


def inline(rows: Sequence[tuple[Any, float, str]], names: Sequence[str]) -> alt.InlineData:
    """Rows as inline data with the fields x, y and s."""
    import altair as alt

    key = dict(zip(names, keys(len(names)), strict=True))
    return alt.InlineData(
        [{"x": x, "y": y if math.isfinite(y) else None, "s": key[name]} for x, y, name in rows]
    )


def assemble(plot: Layers, canvas: Canvas, margins: Margins) -> dict[str, Any]:
    """The specification, laid out by numbers alone: no width of a text has a say in it."""
    import altair as alt

    axis: dict[str, Any] = {
        "domainColor": COLORS["line"],
        "gridColor": COLORS["line"],
        "labelBound": False,
        "labelColor": COLORS["dim"],
        "labelFlush": False,
        "labelFontSize": 12,
        "labelLimit": 0,
        "labelOverlap": False,
        "tickColor": COLORS["line"],
        "titleColor": COLORS["dim"],
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    padding = {
        "left": margins.left,
        "right": margins.right,
        "top": margins.top,
        "bottom": margins.bottom,
    }
    sized = plot.properties(
        width=canvas.width,
        height=canvas.height,
        padding=padding,
        autosize=alt.AutoSizeParams(type="none"),
    )
    styled = sized.configure(aria=False, background="transparent").configure_view(stroke=None)
    spec: dict[str, Any] = styled.configure_axis(**axis).to_dict()
    return spec
