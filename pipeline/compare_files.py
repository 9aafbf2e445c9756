"""compare.json and plots/*.csv: a comparison as text, and back."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from corpusgate.errors import InputError
from corpusgate.model import Comparison
from corpusgate.text.visible import escaped, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import TypeAdapter

    from corpusgate.model import Chart

# What a file may be called on any system; a split may be called anything.
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def to_json(comparison: Comparison) -> str:
    """Write a comparison as the text of compare.json: indented, keys in order of the model."""
    return escaped(_adapter().dump_json(comparison, indent=2).decode()) + "\n"


def from_json(text: str, name: str = "compare.json") -> Comparison:
    """Read the text of a compare.json.

    Raises:
        InputError: it is none.
    """
    from pydantic import ValidationError

    try:
        return _adapter().validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise InputError(
            "unreadable-comparison",
            f"{name} is no comparison ({where}: {first['msg']}): run `corpusgate compare` again",
        ) from None


def plots(comparison: Comparison) -> dict[str, str]:
    """Each chart of a comparison as (file name, CSV text)."""
    return tables(comparison.charts)


def tables(charts: Iterable[Chart]) -> dict[str, str]:
    """Each chart as (file name, CSV text) with columns x, y, series, for `dvc plots`."""
    held: dict[str, str] = {}
    for chart in charts:
        name = _UNSAFE.sub("_", chart.name)
        taken = f"{name}.csv" in held
        held[f"{name}-{len(held)}.csv" if taken else f"{name}.csv"] = _csv(chart.rows)
    return held


def _csv(rows: tuple[tuple[float | str, float, str], ...]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["x", "y", "series"])
    writer.writerows([plain(v, "") if isinstance(v, str) else v for v in row] for row in rows)
    return out.getvalue()


def _adapter() -> TypeAdapter[Comparison]:
    from pydantic import TypeAdapter

    return TypeAdapter(Comparison)
