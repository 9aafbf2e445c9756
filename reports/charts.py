"""A chart as inline SVG with CSS variables for colours, words for those who do not see it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from markupsafe import Markup

from corpusgate.reports.bars import bars, placed
from corpusgate.reports.canvas import COLORS, Canvas, assemble
from corpusgate.reports.curves import curves, points
from corpusgate.reports.escape import json_text
from corpusgate.text.visible import plain

if TYPE_CHECKING:
    from corpusgate.model import Chart

# (wide, narrow): the page is at most 68rem wide and a phone about 390 px. Each drawing is shown
# near its own size, so that its letters are those of the page.
CANVASES = {
    "lines": (Canvas(860, 210, x_ticks=8), Canvas(304, 190, x_ticks=5)),
    "steps": (Canvas(390, 170, x_ticks=6), Canvas(304, 170, x_ticks=5)),
    "bars": (Canvas(250, 1, x_ticks=0), Canvas(164, 1, x_ticks=0)),
}


def has_data(chart: Chart) -> bool:
    """Whether there is anything to draw."""
    rows = placed(chart) if chart.kind == "bars" else points(chart)
    return not all(math.isnan(y) for _, y, _ in rows)


def drawings(chart: Chart, ident: str) -> list[tuple[str, Markup]]:
    """(class, SVG) of the wide and the narrow drawing of a chart that has data.

    Args:
        chart: what to draw.
        ident: unique on the page; ids inside the SVG begin with it.
    """
    kinds = zip(("wide", "narrow"), CANVASES[chart.kind], strict=True)
    return [(kind, svg(chart, f"{ident}-{kind}", canvas)) for kind, canvas in kinds]


def svg(chart: Chart, ident: str, canvas: Canvas) -> Markup:
    """One drawing, the same bytes every time, without a script, a style or a reference."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(spec(chart, canvas))
    source = ElementTree.fromstring(drawn)  # noqa: S314 - written by vl_convert just now
    labels = f"{ident}-title {ident}-desc"
    root = ElementTree.Element(
        "svg", {"viewBox": source.get("viewBox", ""), "role": "img", "aria-labelledby": labels}
    )
    for tag, words in (("title", chart.title), ("desc", chart.sentence)):
        child = ElementTree.SubElement(root, tag, {"id": f"{ident}-{tag}"})
        child.text = plain(words, keep="")
    root.extend(kept for child in source for kept in _slim(child))
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # noqa: S704 - escaped there


def spec(chart: Chart, canvas: Canvas) -> dict[str, Any]:
    """The Vega-Lite specification of a chart that has data."""
    if chart.kind == "bars":
        layers, canvas, margins = bars(chart, canvas)
    else:
        layers, margins = curves(chart, canvas)
    return assemble(layers, canvas, margins)


def vega_lite(chart: Chart) -> str:
    """The chart as a file of its own, in plain colours: strict JSON, the same bytes every time."""
    drawn = spec(chart, CANVASES[chart.kind][0]) if has_data(chart) else {}
    words = {
        "text": plain(chart.title, ""),
        "subtitle": plain(chart.sentence, ""),
        "anchor": "start",
    }
    return json_text({**drawn, "title": words})


# All that a drawing needs: no class, no id, no role, no font (the page's own serves).
_KEPT = frozenset(
    {"d", "fill", "fill-opacity", "font-weight", "height", "opacity", "stroke", "stroke-dasharray"}
    | {"stroke-width", "text-anchor", "transform", "width", "x", "x1", "x2", "y", "y1", "y2"}
)
_DEFAULTS = {"opacity": "1", "transform": "translate(0,0)", "font-weight": "normal"}
_VARIABLES = {color: f"var(--{name})" for name, color in COLORS.items()}
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def _slim(element: ElementTree.Element) -> list[ElementTree.Element]:
    """The element without what draws nothing; a group that says nothing gives its children."""
    tag = element.tag.rpartition("}")[2]
    hidden = element.get("display") == "none" or "background" in element.get("class", "")
    if hidden or tag == "defs" or element.get("fill") == "transparent":
        return []
    slim = ElementTree.Element(tag)
    for name, value in element.attrib.items():
        if name in _KEPT and _DEFAULTS.get(name) != value:
            slim.set(name, _VARIABLES.get(value) or _NUMBER.sub(_rounded, value))
    slim.text = element.text
    children = [kept for child in element for kept in _slim(child)]
    slim.extend(children)
    if tag == "g":
        return [slim] if slim.attrib and children else children
    return [slim]


def _rounded(match: re.Match[str]) -> str:
    """A tenth of a pixel is finer than a screen shows."""
    text = f"{float(match[0]):.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
