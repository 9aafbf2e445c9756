"""Totals as files: what checks have seen, written as JSON and read back as it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from corpusgate.pipeline.token_summary import TokenizerSummary
from corpusgate.text.visible import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import TypeAdapter

    from corpusgate.model import Check, Partial

TOKENIZER = "tokenizer"
"""Where the summary of what the tokenizer does stands among the totals of the checks."""

Totals = dict[tuple[str, str], "Partial"]
"""(check, split) to what the check has seen."""


_adapters: dict[type[Partial], TypeAdapter[Any]] = {}


def _adapter(partial: type[Partial]) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    if partial not in _adapters:
        _adapters[partial] = TypeAdapter(partial)
    return _adapters[partial]


def dump_totals(totals: Totals) -> str:
    """Totals as JSON, keys sorted."""
    out: dict[str, dict[str, Any]] = {}
    for (check, split), total in sorted(totals.items()):
        held = json.loads(_adapter(type(total)).dump_json(total))
        out.setdefault(check, {})[split] = held
    return escaped(json.dumps(out, sort_keys=True, indent=1))


def load_totals(text: str, checks: Iterable[Check[Any]]) -> Totals:
    """The totals that `dump_totals` wrote, for the checks that are still there."""
    partials = {check.name(): check.partial for check in checks} | {TOKENIZER: TokenizerSummary}
    out: Totals = {}
    for check, splits in json.loads(text).items():
        if check in partials:
            for split, held in splits.items():
                data = json.dumps(held)
                out[check, split] = _adapter(partials[check]).validate_json(data)
    return out
