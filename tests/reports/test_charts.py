from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

import pytest
import sample_report
from page_parser import Page

from corpusgate.model import Chart
from corpusgate.reports import charts, figure, ticks
from corpusgate.reports.canvas import COLORS
from corpusgate.reports.curves import points

LOSS, LENGTHS, LABELS, TOKENS = sample_report.charts()


def draw(chart: Chart, narrow: bool = False) -> str:
    return charts.svg(chart, "c", charts.CANVASES[chart.kind][narrow])


@pytest.mark.parametrize("chart", [LOSS, LENGTHS, LABELS], ids=lambda chart: chart.name)
def test_a_drawing_is_the_same_every_time_and_refers_to_nothing(chart: Chart):
    drawn = draw(chart)
    assert drawn == draw(chart)
    Page(drawn)
    assert not re.search(r"http|url\(|href|style|script|class=|font-family|#[0-9a-f]{6}", drawn)
    assert "var(--a)" in drawn
    assert "var(--b)" in drawn
    assert "var(--dim)" in drawn


@pytest.mark.parametrize("chart", [LOSS, LENGTHS, LABELS], ids=lambda chart: chart.name)
def test_no_font_of_the_machine_moves_anything(chart: Chart, monkeypatch: pytest.MonkeyPatch):
    usual = charts.spec
    drawn = set()
    for font in ("DejaVu Sans Mono", "Liberation Sans Narrow"):

        def in_font(chart: Chart, canvas: Any, font: str = font) -> dict[str, Any]:
            spec = usual(chart, canvas)
            spec["config"]["font"] = font
            return spec

        monkeypatch.setattr(charts, "spec", in_font)
        drawn.add(draw(chart))
    assert len(drawn) == 1


def test_words_for_those_who_do_not_see_it():
    drawn = draw(LOSS)
    assert f'<title id="c-title">{LOSS.title}</title>' in drawn
    assert f'<desc id="c-desc">{LOSS.sentence}</desc>' in drawn
    assert 'aria-labelledby="c-title c-desc"' in drawn


def test_marks_have_their_words_and_words_never_meet():
    assert "step 171: 12 of 16 records" in draw(LOSS)
    marks = tuple((float(x), f"step {x}: here") for x in (100, 103, 106, 290))
    drawn = draw(replace(LOSS, marks=marks), narrow=True)
    at = re.findall(
        r'<text(?: text-anchor="end")?[^>]*translate\(([-0-9.]+),([-0-9.]+)\)[^>]*font-weight',
        drawn,
    )
    assert len(at) == 4
    assert len({y for _, y in at}) >= 3
    assert "step 100: here" in drawn


def test_a_mark_outside_the_curve_is_not_drawn():
    drawn = draw(replace(LOSS, marks=((900.0, "too late"),)))
    assert "too late" not in drawn


def test_a_histogram_ends_where_its_last_bin_ends():
    rows = ((1.0, 0.5, "s"), (2.0, 0.5, "s"))
    chart = Chart("n", "steps", "t", "s", "x", "y", rows)
    line = re.findall(r'd="(M[^"]*)"[^>]*stroke="var', draw(chart))[-1]
    numbers = [float(n) for n in re.findall(r"[-0-9.]+", line)]
    assert max(numbers[::2]) == charts.CANVASES["steps"][0].width


def test_bars_show_their_values_and_the_spaces_of_tokens():
    drawn = draw(TOKENS)
    assert "\u2423the" in drawn
    assert "4.1\u00a0%" in drawn
    assert "&lt;b&gt;\u27e6ZWSP\u27e7" in drawn


def test_many_bars_are_cut_to_the_largest_in_their_order():
    rows = tuple((f"n{i}", float(i), "s") for i in range(60))
    drawn = draw(Chart("n", "bars", "t", "s", "x", "y", rows))
    assert "n59" in drawn
    assert "n45" not in drawn
    assert drawn.index("n46<") < drawn.index("n59<")


def test_names_are_cut_by_the_columns_they_take():
    assert ticks.fit("AddToPlaylistAgain", 8) == "AddToPl\u2026"
    assert ticks.fit("\u6625\u82b1\u79cb\u6708", 6) == "\u6625\u82b1\u2026"
    assert ticks.fit("short", 5) == "short"


def test_a_long_curve_keeps_its_peaks():
    rows = [(float(i), 4.0 + (i % 7) / 100, "s") for i in range(40_000)]
    rows[12_345] = (12_345.0, 99.0, "s")
    thin = ticks.pick(rows, 100, {7.0})
    assert len(thin) <= 2 * 101 + 1
    assert (12_345.0, 99.0, "s") in thin
    assert rows[7] in thin
    assert len(draw(Chart("n", "lines", "t", "s", "x", "y", tuple(rows)))) < 40_000


def test_a_gap_breaks_the_line_and_an_infinite_loss_has_no_place():
    rows = (
        (0.0, 1.0, "s"),
        (1.0, math.nan, "s"),
        (2.0, math.inf, "s"),
        (3.0, 1.5, "s"),
        (4.0, 2.0, "s"),
    )
    chart = Chart("n", "lines", "t", "s", "x", "y", rows)
    assert charts.has_data(chart)
    line = re.findall(r'd="(M[^"]*)"[^>]*stroke="var', draw(chart))[-1]
    assert line.count("M") == 2


def test_zero_on_a_logarithmic_axis_stands_before_the_least():
    chart = replace(LENGTHS, rows=((0.0, 0.5, "a"), (4.0, 0.5, "a"), (-1.0, 0.5, "a")))
    assert [x for x, _, _ in points(chart)] == [2.0, 4.0]
    draw(chart)


@pytest.mark.parametrize("kind", ["lines", "steps", "bars"])
@pytest.mark.parametrize(
    "rows",
    [
        ((1.0, 0.0, "s"),),
        ((1.0, -3.0, "s"), (2.0, -3.0, "s")),
        ((1.0, 1e300, "s"), (2.0, 5.0, "s")),
        ((1e-9, 1e-9, "s"), (2e-9, 2e-9, "t")),
        tuple((float(i), float(i * j), f"series {j}") for i in range(3) for j in range(9)),
    ],
    ids=["one", "flat", "huge", "tiny", "many series"],
)
def test_odd_data_can_be_drawn(kind: Any, rows: tuple[tuple[float, float, str], ...]):
    Page(draw(Chart("n", kind, "t", "s", "x", "y", rows)))


@pytest.mark.parametrize("kind", ["lines", "steps", "bars"])
def test_nothing_to_draw_is_said(kind: Any):
    chart = Chart("n", kind, "t", "s", "x", "y", (("a", math.nan, "s"),))
    assert not charts.has_data(chart)
    assert figure.build(chart, "c").drawings == ()
    assert json.loads(charts.vega_lite(chart))["title"]["text"] == "t"


@pytest.mark.parametrize(("low", "high"), [(0, 299), (0.0, 0.131), (-3.5, 7), (1e-9, 2e-9)])
def test_ticks_are_round_and_cover(low: float, high: float):
    at = ticks.ticks(low, high, 6)
    assert at[0] <= low
    assert at[-1] >= high
    assert 2 <= len(at) <= 7
    assert all(float(f"{value:.2g}") == value for value in at)


def test_ticks_of_a_logarithmic_axis():
    assert ticks.decades(1, 1024, 6) == [1, 10, 100, 1000]
    assert ticks.decades(1, 20, 6) == [1, 2, 5, 10, 20]


def test_the_table_holds_marked_rows_and_says_what_it_leaves_out():
    built = figure.build(LOSS, "c")
    assert built.series == ("all records", "without the 12 named")
    assert "171" in [row[0] for row in built.rows]
    assert len(built.rows) + built.left_out == 300
    assert len(built.rows) < 50
    whole = figure.build(LABELS, "c")
    assert whole.rows[0] == ("AddToPlaylist", "31\u00a0%", "20\u00a0%")
    assert whole.left_out == 0


def test_a_value_that_is_absent_is_no_zero():
    chart = replace(LABELS, rows=(("a", 0.5, "train"), ("b", 0.5, "val")))
    assert figure.build(chart, "c").rows == (
        ("a", "50\u00a0%", "\u2013"),
        ("b", "\u2013", "50\u00a0%"),
    )


def test_the_file_of_a_chart_stands_alone():
    text = charts.vega_lite(LABELS)
    assert text == charts.vega_lite(LABELS)
    spec = json.loads(text)
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert "var(--" not in text
    assert COLORS["a"] in text
    assert spec["title"]["text"] == "Labels"
