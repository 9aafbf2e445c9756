"""Where the ticks of an axis stand, which points of a long curve are drawn, what fits a gutter."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

Point: TypeAlias = tuple[float, float, str]
"""(x, y, series); y is NaN where there is none."""

# Beyond this no axis has a place for a number, and neither has float arithmetic on it: the
# drawing has a gap there, the table the number.
DRAWABLE = 1e15


def span(values: Iterable[float], *, log: bool = False) -> tuple[float, float]:
    """The least and the greatest number, apart from each other even if all are one."""
    numbers = [value for value in values if not math.isnan(value)]
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    if high - low > max(1e-12, 1e-9 * max(abs(low), abs(high))):
        return low, high
    # A flat curve would have no axis: half as much again on a log scale, else half a unit or
    # 5 % on both sides.
    if log:
        return low / 1.5, high * 1.5
    room = max(abs(low) * 0.05, 0.5)
    return low - room, high + room


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most `most` round values (1, 2 or 5 times a power of ten) that cover low to high."""
    rough = (high - low) / max(1, most - 2)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{i * step:.12g}") for i in range(first, last + 1)]


def inside(values: Sequence[float], low: float, high: float) -> list[float]:
    """The ticks that an axis from low to high can show."""
    room = (high - low) * 1e-9
    return [value for value in values if low - room <= value <= high + room]


def decades(low: float, high: float, most: int) -> list[float]:
    """Values 1, 2, 5 times powers of ten within low to high, thinned to at most `most`."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [float(f"{m}e{power}") for power in range(first, last + 1) for m in steps]
        found = inside(found, low, high)
        if len(found) <= most:
            break
    return found[:: math.ceil(len(found) / most) or 1]


def pick(rows: Sequence[Point], buckets: int, keep: Collection[float]) -> list[Point]:
    """Thin each series to the lowest and the highest point of every bucket of x.

    A peak is never thinned away, and the points at `keep` stay.
    """
    low, high = span(x for x, _, _ in rows)
    extremes: dict[tuple[str, int], list[Point]] = {}
    for row in rows:
        bucket = int((row[0] - low) / (high - low) * buckets)
        extremes.setdefault((row[2], bucket), []).append(row)
    if all(len(found) <= 2 for found in extremes.values()):  # noqa: PLR2004
        return list(rows)
    chosen = []
    for found in extremes.values():
        ordered = sorted(found, key=lambda row: (not math.isnan(row[1]), row[1]))
        both = {ordered[0], ordered[-1]} | {row for row in found if row[0] in keep}
        chosen += [row for row in found if row in both]
    return chosen


def wide(text: str) -> int:
    """Columns a text takes, a CJK character counting two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def fit(text: str, columns: int) -> str:
    """The text cut to a number of columns, with an ellipsis if it was longer."""
    if wide(text) <= columns:
        return text
    kept = ""
    for char in text:
        if wide(kept + char) > columns - 1:
            break
        kept += char
    return kept + "\u2026"
