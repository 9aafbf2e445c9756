"""The gate: a policy over the metrics of an audit, one verdict, and the file that keeps it."""

from __future__ import annotations

import json
import math
import operator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from corpusgate.errors import ConfigError, InputError
from corpusgate.model import Judgement, Operator, Outcome, Rule, Scope, Severity
from corpusgate.text.visible import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

OPERATORS: dict[Operator, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}

TRAIN = "train"
"""The split that the others are held against."""

VERSION = 1
"""Of gate.json."""


@dataclass(frozen=True)
class Policy:
    """The limits of a gate. No rules: nothing but an unreadable input shuts it.

    Raises:
        ConfigError: a rule that no metric could be held to, or that every value would pass.
    """

    rules: tuple[Rule, ...] = ()

    def __post_init__(self) -> None:
        for rule in self.rules:
            _refuse_unusable(rule)

    def bind(
        self, metrics: Iterable[str], splits: Sequence[str], requested: Collection[str]
    ) -> tuple[tuple[str, Rule], ...]:
        """Name the metric of every rule that binds, sorted by name.

        A rule without a split binds to each metric of its measure and to each split that its
        scope says should have one, so that a metric nobody wrote is missed. With no split at
        all it binds to its own name, which no metric bears. Rules that name a split take the
        place of those on the same measure that name none.
        """
        names = sorted(metrics)
        named = {rule.metric for rule in self.rules if rule.split is not None}
        bound = []
        for rule in self.rules:
            if rule.check not in requested:
                continue
            if rule.split is not None:
                bound.append((rule.metric, rule))
                continue
            prefix = rule.metric + "."
            found = {name for name in names if name.startswith(prefix)}
            wanted = found.union(prefix + split for split in _scope(rule.scope, splits))
            bound += [(name, rule) for name in wanted or {rule.metric} if name not in named]
        return tuple(sorted(bound, key=_order))


def evaluate(  # noqa: PLR0913 - what a verdict rests on, each by its name
    policy: Policy,
    metrics: Mapping[str, float | None],
    splits: Sequence[str],
    requested: Collection[str],
    records: int,
    *,
    errors: int = 0,
) -> Judgement:
    """Hold the metrics of an audit to a policy.

    Args:
        policy: the limits.
        metrics: `check.measure.split` to value.
        splits: the splits that were read.
        requested: the checks whose stages were asked for; the rules of others do not bind.
            A check that cannot apply (it compares splits and there is one) is not requested.
        records: records read.
        errors: inputs that could not be read.
    """
    outcomes = []
    for name, rule in policy.bind(metrics, splits, requested):
        value = _finite(metrics.get(name))
        held = None if value is None else OPERATORS[rule.op](value, rule.value)
        outcomes.append(settle(name, rule, value, held=held))
    return judge(outcomes, records, errors)


def settle(name: str, rule: Rule, value: float | None, *, held: bool | None) -> Outcome:
    """Say what became of a rule on a metric that held it, broke it or (None) is missing."""
    if held is None:
        return Outcome(name, rule.op, rule.value, rule.severity, None, "missing")
    if held:
        return Outcome(name, rule.op, rule.value, rule.severity, value, "pass")
    state: Literal["fail", "warn"] = "fail" if rule.severity is Severity.ERROR else "warn"
    return Outcome(name, rule.op, rule.value, rule.severity, value, state)


def judge(outcomes: Iterable[Outcome], records: int, errors: int) -> Judgement:
    """Weigh outcomes: an error before a broken limit, that before nothing to audit.

    Of no records every share is counted over nothing: the verdict is then "empty" (exit 3),
    not the error that a missing metric is otherwise.
    """
    outcomes = tuple(outcomes)
    states = {outcome.state for outcome in outcomes}
    if errors or (records and "missing" in states):
        return Judgement("error", outcomes, errors)
    if "fail" in states:
        return Judgement("fail", outcomes)
    return Judgement("pass" if records else "empty", outcomes)


def to_json(judgement: Judgement) -> str:
    """Write a judgement as the text of gate.json: sorted keys, ASCII, no clock."""
    outcomes = [{**asdict(o), "severity": o.severity.label} for o in judgement.outcomes]
    table = {
        "version": VERSION,
        "verdict": judgement.verdict,
        "exit_code": judgement.exit_code,
        "errors": judgement.errors,
        "outcomes": outcomes,
    }
    return escaped(json.dumps(table, indent=2, sort_keys=True, allow_nan=False)) + "\n"


def from_json(text: str, name: str = "gate.json") -> Judgement:
    """Read the text of a gate.json.

    Raises:
        InputError: it is no gate.json, or its verdict and its exit code contradict.
    """
    try:
        table: dict[str, Any] = json.loads(text)
        outcomes = tuple(
            Outcome(**{**row, "severity": Severity[row["severity"].upper()]})
            for row in table["outcomes"]
        )
        judgement = Judgement(table["verdict"], outcomes, table["errors"])
        sound = table["version"] == VERSION and judgement.exit_code == table["exit_code"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unreadable(name) from error
    if not sound:
        raise _unreadable(name)
    return judgement


def write(judgement: Judgement, path: Path) -> None:
    """Write gate.json."""
    path.write_text(to_json(judgement), "utf-8", newline="\n")


def read(path: Path) -> Judgement:
    """Read gate.json.

    Raises:
        InputError: it cannot be read; see `from_json`.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(str(path)) from error
    return from_json(text, str(path))


def _scope(scope: Scope, splits: Sequence[str]) -> list[str]:
    if scope == "measured":
        return []
    if scope == "train":
        return [TRAIN]
    reference = TRAIN if TRAIN in splits else next(iter(splits), "")
    return [split for split in splits if scope == "split" or split != reference]


def _order(bound: tuple[str, Rule]) -> tuple[str, str, float, int]:
    name, rule = bound
    return name, rule.op, rule.value, rule.severity


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _refuse_unusable(rule: Rule) -> None:
    why = ""
    if len(rule.metric.split(".", 1)) == 1 or not all(rule.metric.split(".", 2)):
        why = "a metric is named check.measure or check.measure.split"
    elif rule.op not in OPERATORS:
        why = f"the operator {rule.op!r} is none of {', '.join(OPERATORS)}"
    elif not math.isfinite(rule.value):
        why = f"{rule.value} is no limit: state a finite number"
    elif rule.scope not in get_args(Scope):
        why = f"the scope {rule.scope!r} is none of {', '.join(get_args(Scope))}"
    if why:
        raise ConfigError("unusable-rule", f"rule on {rule.metric!r}: {why}")


def _unreadable(name: str) -> InputError:
    remedy = "run `corpusgate gate` on the audit again"
    return InputError("unreadable-gate", f"{name} is no gate.json of version {VERSION}: {remedy}")
