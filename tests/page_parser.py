"""What a browser would make of a page: its tags, attributes and text, and what may be there."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "path", "line", "rect"}
_TAGS = (
    "html head meta title style body header nav main section article footer div p span b i a "
    "h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tr th td details summary figure "
    "figcaption blockquote code pre em strong bdi mark svg g path line rect text desc"
)
TAGS = set(_TAGS.split())
_CLASSES = (
    "verdict ok error warning info kick lead todo tiles cards notes data n sev dim where "
    "place specimens facts stacked finding remedy about prose inputs spikes keys key k0 k1 k2 k3 "
    "wide narrow full two text hex g audit"
)
CLASSES = set(_CLASSES.split())
_COLUMNS = (
    "Severity Check Split What Value Limit Where Text Evidence Records Kept Bytes Encoding "
    "Metric State"
)
COLUMNS = set(_COLUMNS.split()) | {"Set aside"}
BOX = re.compile(r"[A-Z0-9+ a-z]{0,9}U\+[0-9A-F]{4,6}")
NAME = re.compile(r"[a-z][a-z0-9-]*")
NUMBERS = re.compile(r"[-MLHVZhvlazA ,.0-9]*|(translate|rotate)\([-,.0-9 ]+\)")
_SVG = (
    "d transform stroke-width stroke-dasharray opacity fill-opacity x x1 x2 y y1 y2 width "
    "height viewbox font-weight"
)
SVG = set(_SVG.split())


class Page(HTMLParser):
    """Parses a page, refusing what no template of ours writes."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.policy = ""
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            self._attribute(tag, name, value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            self._attribute(tag, name, value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)

    def _attribute(self, tag: str, name: str, value: str | None) -> None:
        value = value or ""
        if name == "id":
            assert NAME.fullmatch(value), value
            self.ids.append(value)
        elif name == "href":
            assert re.fullmatch(r"#[a-z][a-z0-9-]*|[A-Za-z0-9/._~%-]+", value), value
            self.links.append(value)
        elif name == "content" and value.startswith("default-src"):
            self.policy = value
        else:
            assert self._expected(tag, name, value), (tag, name, value)

    @staticmethod
    def _expected(tag: str, name: str, value: str) -> bool:
        words = {
            "lang": {"en"},
            "charset": {"utf-8"},
            "name": {"viewport", "color-scheme"},
            "content": {"width=device-width, initial-scale=1", "light dark"},
            "http-equiv": {"Content-Security-Policy"},
            "scope": {"col", "row"},
            "aria-hidden": {"true"},
            "aria-label": {"On this page"},
            "role": {"img"},
            "open": {""},
            "text-anchor": {"start", "middle", "end"},
            "data-th": COLUMNS,
        }
        if name in words:
            return value in words[name]
        if name == "class":
            return set(value.split()) <= CLASSES
        if name == "title":
            return tag == "span" and BOX.fullmatch(value) is not None
        if name == "aria-labelledby":
            return all(NAME.fullmatch(word) for word in value.split())
        if name in {"fill", "stroke"}:
            return (
                value == "none"
                or re.fullmatch(r"var\(--(a|b|fg|dim|line|mark)\)", value) is not None
            )
        return name in SVG and NUMBERS.fullmatch(value) is not None
