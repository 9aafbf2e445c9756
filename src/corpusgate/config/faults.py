"""Hold a table to its model, and say what is wrong by file, key and nearest known key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from corpusgate.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic_core import ErrorDetails

M = TypeVar("M", bound=BaseModel)

UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")

# a value is shown to be recognised, not read
WIDTH = 40


def validated(model: type[M], table: Mapping[str, Any], where: str, at: tuple[str, ...] = ()) -> M:
    """Make a model of a table, by its types alone: a number in quotes is no number.

    Args:
        model: what it must be.
        table: as read; what JSON does not have (a date) is taken as a string.
        where: the file, to name it.
        at: the keys above the table.

    Raises:
        ConfigError: one line for each fault.
    """
    text = json.dumps(table, default=str)
    try:
        return model.model_validate_json(text, strict=True)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        slug = "unknown-key" if faults[0]["type"] in UNKNOWN else "config-value"
        lines = [f"{where}: {_fault(fault, model, at)}" for fault in faults]
        raise ConfigError(slug, "\n".join(lines)) from error
    except ConfigError as error:
        raise ConfigError(error.slug, f"{where}: {error}") from error


def _fault(fault: ErrorDetails, model: type[BaseModel], at: tuple[str, ...]) -> str:
    path = _dotted((*at, *fault["loc"]))
    if fault["type"] in UNKNOWN:
        *above, key = fault["loc"]
        known = _keys(model.model_json_schema(), above)
        return str(ConfigError.unknown("", f"{path}: unknown key", str(key), known))
    if fault["type"] == "missing":
        return f"{path}: missing"
    shown = json.dumps(fault["input"], ensure_ascii=True, default=str)
    shown = shown if len(shown) <= WIDTH else shown[:WIDTH] + "..."
    why = fault["msg"].removeprefix("Value error, ")
    return f"{path} = {shown}: {why[:1].lower()}{why[1:]}"


def _dotted(path: Sequence[str | int]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")


def _keys(schema: dict[str, Any], path: Sequence[str | int]) -> list[str]:
    """The keys that a table at this path may have."""
    node = schema
    for part in path:
        node = _followed(node, schema)
        below = node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part)
        node = below or node.get("additionalProperties") or {}
    return list(_followed(node, schema).get("properties", {}))


def _followed(node: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    node = next((kind for kind in node.get("anyOf", ()) if "$ref" in kind), node)
    found: dict[str, Any] = (
        schema["$defs"][node["$ref"].rpartition("/")[2]] if "$ref" in node else node
    )
    return found
