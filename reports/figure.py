"""A chart with what goes around it: a key, one sentence, and its numbers as a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.reports import charts
from corpusgate.reports.canvas import is_percent, series_of
from corpusgate.reports.figures import NONE, figure, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from corpusgate.model import Chart

# A table that is read, not searched: the whole of it lies in plots/.
_ROWS = 40


@dataclass(frozen=True)
class Figure:
    """What the page shows of a chart."""

    chart: Chart
    drawings: tuple[tuple[str, Markup], ...]
    """(class, SVG); none if there is nothing to draw."""
    series: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """x, then the value of each series, as written."""
    left_out: int
    """Rows of the table that are not shown."""

    @property
    def is_wide(self) -> bool:
        """Whether it takes the whole width of the page."""
        return self.chart.kind == "lines"


def build(chart: Chart, ident: str) -> Figure:
    """The figure of a chart; `ident` is unique on the page."""
    series = series_of(chart)
    drawn = charts.drawings(chart, ident) if charts.has_data(chart) else []
    table = _table(chart, series)
    shown = _thin(table, {x for x, _ in chart.marks})
    rows = tuple((_name(x), *(_written(chart, y) for y in ys)) for x, ys in shown)
    return Figure(chart, tuple(drawn), tuple(series), rows, len(table) - len(shown))


_Rows = list[tuple[float | str, list[float | None]]]


def _table(chart: Chart, series: Sequence[str]) -> _Rows:
    """One row for each x, in the order of the chart, a column for each series."""
    column = {name: i for i, name in enumerate(series)}
    table: dict[float | str, list[float | None]] = {}
    for x, y, name in chart.rows:
        table.setdefault(x, [None] * len(series))[column[name]] = y
    return list(table.items())


def _thin(table: _Rows, marked: set[float]) -> _Rows:
    """Every k-th row, and each that is marked."""
    step = math.ceil(len(table) / _ROWS)
    return [row for i, row in enumerate(table) if i % step == 0 or row[0] in marked]


def _name(x: float | str) -> str:
    return x if isinstance(x, str) else figure(x)


def _written(chart: Chart, y: float | None) -> str:
    if y is None:
        return NONE
    return percent(y) if is_percent(chart) else figure(y)
