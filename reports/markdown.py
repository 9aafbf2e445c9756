"""Markdown as HTML, a small subset: no raw HTML, no link, no image, no attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markupsafe import Markup

from corpusgate.reports.escape import html

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

# The only tags that are ever written. A heading goes three levels down, to stand inside a
# finding; the page's own title is left out, since the finding bears it.
_TAGS = frozenset(
    "p ul ol li em strong blockquote table thead tbody tr th td".split()  # noqa: SIM905
)
_HEADINGS = {"h2": "h5", "h3": "h6"}
_TITLE = "h1"


def render(text: str) -> Markup:
    """The page of a check as HTML."""
    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(text)
    return Markup("").join(_blocks(tokens))


def inline(text: str) -> Markup:
    """One sentence, with what stands in backquotes as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # an unpaired backquote is a character like any other
        return html(text)
    return Markup("").join(_code(part) if i % 2 else html(part) for i, part in enumerate(parts))


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(html(text))


def _blocks(tokens: list[Token]) -> Iterator[Markup]:
    in_title = False
    for token in tokens:
        if token.tag == _TITLE:
            in_title = token.nesting > 0
        elif in_title or token.hidden:
            continue
        elif token.type == "inline":
            yield from _inline(token.children or [])
        elif token.type in {"fence", "code_block"}:
            yield Markup("<pre><code>{}</code></pre>").format(html(token.content))
        else:
            yield _tag(token)


def _inline(tokens: list[Token]) -> Iterator[Markup]:
    target = ""
    for token in tokens:
        if token.type == "code_inline":
            yield _code(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            yield Markup("\n")
        elif token.type == "link_open":
            target = str(token.attrs.get("href", ""))
        elif token.type == "link_close":
            yield html(f" ({target})")
        elif token.tag in _TAGS:
            yield _tag(token)
        else:  # text, and what is not in the subset: an image's alternative text
            yield html(token.content)


def _tag(token: Token) -> Markup:
    name = _HEADINGS.get(token.tag, token.tag if token.tag in _TAGS else "")
    if not name:
        return Markup("")
    return Markup(f"<{name}>" if token.nesting > 0 else f"</{name}>")  # noqa: S704 - of our set
