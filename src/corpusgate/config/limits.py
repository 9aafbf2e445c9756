"""The policy of the gate: what the checks state, changed by what [gate] says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from corpusgate.errors import ConfigError
from corpusgate.model import Check, Rule, Severity
from corpusgate.pipeline.gate import Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corpusgate.config.sections import GateOptions, RuleLine


def policy(gate: GateOptions, checks: Iterable[Check[Any]], where: str) -> Policy:
    """Make the policy of these checks; `where` is the file that [gate] stands in.

    Raises:
        ConfigError: [gate] names a check that is none of these, or weighs a rule there is not.
    """
    judges = {check.name(): check for check in checks}
    stated = [rule for name in sorted(judges) for rule in judges[name].rules()]
    named = (*gate.disable, *(line.metric.split(".")[0] for line in gate.rules))
    for name in named:
        if name not in judges:
            what = f"{where}: [gate] names a check {name!r} that there is not"
            raise ConfigError.unknown("unknown-check", what, name, judges)
    written = {line.metric for line in gate.rules}
    kept = [r for r in stated if r.check not in gate.disable and r.metric not in written]
    rules = [*kept, *(_rule(line, stated) for line in gate.rules)]
    settled = [False] * len(kept) + [line.severity is not None for line in gate.rules]
    for key in gate.severity:
        if not any(_covers(key, rule) for rule in rules):
            what = f"{where}: [gate] severity of {key!r}, which no rule is on"
            known = {name for rule in rules for name in (rule.check, rule.metric)}
            raise ConfigError.unknown("unknown-rule", what, key, known)
    try:
        weighed = zip(rules, settled, strict=True)
        return Policy(tuple(rule if fixed else _weigh(rule, gate) for rule, fixed in weighed))
    except ConfigError as error:
        raise ConfigError(error.slug, f"{where}: [gate] {error}") from error


def _rule(line: RuleLine, stated: Sequence[Rule]) -> Rule:
    """The rule of a line, which takes what it leaves open from the nearest that the check states.

    A measure that the check does not limit exists for the splits that all its others do.
    """
    rule = Rule(line.metric, line.op, line.value)
    alike = [r for r in stated if _measure(r) == _measure(rule)]
    of_check = [r for r in stated if r.check == rule.check]
    scopes = {r.scope for r in alike or of_check}
    severity = alike[0].severity if alike else Severity.ERROR
    scope = scopes.pop() if len(scopes) == 1 else rule.scope
    return replace(
        rule,
        severity=Severity[line.severity.upper()] if line.severity else severity,
        scope=line.scope or scope,
    )


def _weigh(rule: Rule, gate: GateOptions) -> Rule:
    keys = sorted((key for key in gate.severity if _covers(key, rule)), key=len)
    if not keys:
        return rule
    return replace(rule, severity=Severity[gate.severity[keys[-1]].upper()])


def _covers(key: str, rule: Rule) -> bool:
    """Whether a key (check, check.measure or check.measure.split) means a rule."""
    return f"{rule.metric}.".startswith(f"{key}.")


def _measure(rule: Rule) -> list[str]:
    return rule.metric.split(".", 2)[:2]
