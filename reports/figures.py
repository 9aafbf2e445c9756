"""How numbers are written: grouped, few digits, never 0 % or 100 % unless it is."""

from __future__ import annotations

import math

NONE = "\u2013"
_MINUS = "\u2212"
_NBSP = "\u00a0"
# From here three significant digits are no longer a plain number ("1e+03").
_ROUND = 999.5
# Below this a fixed-point figure of three digits is mostly zeros.
_TINY = 1e-4
# From here it is mostly digits that say nothing (floats hold about 16).
_LONG = 1e15


def integer(value: int) -> str:
    """A count, in groups of three."""
    return f"{value:,}".replace("-", _MINUS)


def figure(value: float | None) -> str:
    """A measured value with three significant digits."""
    if value is None or math.isnan(value):
        return NONE
    if math.isinf(value):
        return "\u221e" if value > 0 else f"{_MINUS}\u221e"
    if abs(value) < _LONG and (value == int(value) or abs(value) >= _ROUND):
        return integer(round(value))
    text = f"{value:.3g}"
    if abs(value) < _TINY or abs(value) >= _LONG:
        mantissa, _, exponent = f"{value:.1e}".partition("e")
        text = f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    return text.replace("-", _MINUS)


def percent(share: float | None) -> str:
    """A share between 0 and 1 as per cent, with as many digits as its distance from 0 and 1."""
    if share is None or not math.isfinite(share):
        return figure(share)
    value = 100 * share
    if abs(value) >= _ROUND:
        return f"{figure(value)}{_NBSP}%"
    near = min(abs(value), abs(100 - value))
    digits = 0 if near == 0 else min(12, max(1, 2 - math.floor(math.log10(near))))
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if digits else text
    return f"{text}{_NBSP}%".replace("-", _MINUS)


def chance(p: float) -> str:
    """A p-value; what is below the resolution of any test here is said to be below it."""
    return f"p < {_TINY:.4f}" if p < _TINY else f"p = {figure(p)}"


def size(count: int) -> str:
    """A number of bytes in decimal units."""
    value, units = float(count), ["bytes", "kB", "MB", "GB", "TB"]
    while value >= _ROUND and len(units) > 1:
        value, units = value / 1000, units[1:]
    if units[0] == "bytes":
        return plural(count, "byte").replace(" ", _NBSP)
    return f"{value:.3g}{_NBSP}{units[0]}"


def plural(count: int, noun: str) -> str:
    """A count and its noun: 1 record, 2 records."""
    return f"{integer(count)} {noun}{'' if count == 1 else 's'}"
