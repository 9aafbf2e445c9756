"""The one function every output uses for text: no control, invisible character or markup."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from corpusgate.text import visible

_BOX = Markup('<span class="g" title="{}">{}</span>')
_SURROGATE = re.compile("[\ud800-\udfff]")


def html(value: object) -> Markup:
    """Text as HTML for element content (never for an attribute); Markup passes as it is."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return Markup("")
    return Markup("").join(
        _box(run) if run.hidden else escape(run.text) for run in visible.runs(str(value))
    )


@lru_cache(4096)
def _box(run: visible.Run) -> Markup:
    code = f"U+{ord(run.hidden):04X}"
    name = f"{run.text} {code}" if run.text != code else code
    return _BOX.format(name, visible.label(run))


def strict(value: Any) -> Any:
    """A copy that every strict reader of JSON, Arrow or UTF-8 takes.

    NaN and infinities become None, tuples lists, and a lone surrogate is spelled out by name.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return _SURROGATE.sub(lambda match: visible.plain(match[0]), value)
    if isinstance(value, Mapping):
        return {strict(str(key)): strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    return value


def json_text(value: Any) -> str:
    """Strict JSON with sorted keys, a newline at its end, and hidden characters as escapes."""
    text = json.dumps(strict(value), ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True)
    escaped = (
        _escape(run.hidden) * run.times if run.hidden else run.text
        for run in visible.runs(text, keep="\n")
    )
    return "".join(escaped) + "\n"


def _escape(char: str) -> str:
    """The JSON escape of a character: one for each of its UTF-16 units."""
    units = char.encode("utf-16-be").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))
