"""The one function every output uses for text: no control, invisible character or markup."""

from __future__ import annotations

import json
import math
from typing import Any

from markupsafe import Markup, escape

from corpusgate.text import visible

_BOX = Markup('<span class="g" title="{}">{}</span>')
_ASTRAL = 0x10000


def html(value: object) -> Markup:
    """Text as HTML for element content (never for an attribute); Markup passes as it is."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return Markup("")
    return Markup("").join(
        _box(run) if run.hidden else escape(run.text) for run in visible.runs(str(value))
    )


def _box(run: visible.Run) -> Markup:
    code = f"U+{ord(run.hidden):04X}"
    name = f"{run.text} {code}" if run.text != code else code
    return _BOX.format(name, visible.label(run))


def json_text(value: Any, *, indent: int | None = 1) -> str:
    """Strict JSON with sorted keys: NaN and infinities as null, hidden characters as escapes.

    A lone surrogate, which no strict reader takes, is spelled out as its name.
    """
    text = json.dumps(
        _finite(value), ensure_ascii=False, allow_nan=False, indent=indent, sort_keys=True
    )
    return "".join(
        _json_escape(run.hidden) * run.times if run.hidden else run.text
        for run in visible.runs(text, keep="\n")
    )


def _finite(value: Any) -> Any:
    """A copy in which no float is NaN or infinite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def _json_escape(char: str) -> str:
    code = ord(char)
    if code >= _ASTRAL:
        code -= _ASTRAL
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return visible.plain(char) if _is_surrogate(code) else f"\\u{code:04x}"


def _is_surrogate(code: int) -> bool:
    return 0xD800 <= code <= 0xDFFF  # noqa: PLR2004
