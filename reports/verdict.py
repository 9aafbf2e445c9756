"""A verdict for a terminal: the gate and the rules that it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusgate.text.visible import plain

if TYPE_CHECKING:
    from corpusgate.model import Judgement

HEADS = {
    "pass": "gate open",
    "fail": "gate shut: a limit is broken",
    "error": "gate shut: something was not measured or could not be read",
    "empty": "gate shut: there is nothing to audit",
}
STATES = {"fail": "broken", "warn": "warning", "missing": "missing"}


def verdict(judgement: Judgement) -> str:
    """The verdict and every rule that did not hold."""
    lines = [HEADS[judgement.verdict]]
    for outcome in judgement.outcomes:
        if outcome.state == "pass":
            continue
        value = "not measured" if outcome.value is None else f"{outcome.value:.6g}"
        limit = f"{outcome.op} {outcome.limit:.6g}"
        told = f"{STATES[outcome.state]:8} {outcome.metric}: {value}, limit {limit}"
        lines.append(plain(told, keep=""))
    return "\n".join(lines) + "\n"
