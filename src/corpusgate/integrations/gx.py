"""The gate's policy as a Great Expectations suite over the one wide row of an audit's metrics."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from corpusgate.errors import MissingExtraError
from corpusgate.pipeline.gate import judge, settle

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from corpusgate.model import Judgement, Rule
    from corpusgate.pipeline.gate import Policy

METRIC = "is a number"
"""Why of the expectation that a metric is there and finite; rules have their own text."""


def evaluate_gx(  # noqa: PLR0913 - the same signature
    policy: Policy,
    metrics: Mapping[str, float | None],
    splits: Sequence[str],
    requested: Collection[str],
    records: int,
    *,
    errors: int = 0,
) -> Judgement:
    """Hold metrics to a policy with Great Expectations; see `corpusgate.pipeline.gate.evaluate`.

    Raises:
        MissingExtraError: great-expectations is not installed.
    """
    bound = policy.bind(metrics, splits, requested)
    found = _validate(compile_suite(bound), metrics)
    outcomes = []
    for name, rule in bound:
        present, value = found.get((name, METRIC), (False, None))
        held = found.get((name, _why(rule)), (None, None))[0] if present else None
        outcomes.append(settle(name, rule, value, held=held))
    return judge(outcomes, records, errors)


def compile_suite(bound: Iterable[tuple[str, Rule]]) -> Any:
    """Compile rules bound to metrics into an ExpectationSuite over a row of those columns.

    Every metric gets one expectation of its own, that it is a finite number: on a missing
    value some expectations of Great Expectations pass because they see no value at all.
    """
    expectations = {}
    for name, rule in bound:
        expectations[name, METRIC] = _between(name, METRIC, -sys.float_info.max, sys.float_info.max)
        expectations[name, _why(rule)] = _expectation(name, rule)
    suite = _great_expectations().ExpectationSuite
    return suite(name="corpusgate-policy", expectations=list(expectations.values()))


def _validate(
    suite: Any, metrics: Mapping[str, float | None]
) -> dict[tuple[str, str], tuple[bool | None, float | None]]:
    """(success or None if the expectation raised, value) by (metric, why)."""
    import pandas as pd

    context = _great_expectations().get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    row = pd.DataFrame([dict(metrics)], dtype="float64")
    asset = context.data_sources.add_pandas("corpusgate").add_dataframe_asset("metrics")
    batch = asset.add_batch_definition_whole_dataframe("audit").get_batch({"dataframe": row})
    found = {}
    for result in batch.validate(context.suites.add(suite)).results:
        config = result.expectation_config
        raised = _raised(result.exception_info)
        value = result.result.get("observed_value")
        found[config.kwargs["column"], config.meta["why"]] = (
            None if raised else bool(result.success),
            None if value is None else float(value),
        )
    return found


def _raised(info: Mapping[str, Any] | None) -> bool:
    """Whether an expectation raised; it says so flatly or once for each of its metrics."""
    parts = [info or {}, *(p for p in (info or {}).values() if isinstance(p, dict))]
    return any(part.get("raised_exception") for part in parts)


def _expectation(name: str, rule: Rule) -> Any:
    why, limit = _why(rule), rule.value
    match rule.op:
        case "<=" | "<":
            return _between(name, why, None, limit, strict_max=rule.op == "<")
        case ">=" | ">":
            return _between(name, why, limit, None, strict_min=rule.op == ">")
        case "==":
            return _between(name, why, limit, limit)
        case "!=":
            expect = _great_expectations().expectations.ExpectColumnValuesToNotBeInSet
            return expect(column=name, value_set=[limit], meta={"why": why})


def _between(name: str, why: str, low: float | None, high: float | None, **strict: bool) -> Any:
    """The largest of one value lies in a range; unlike "values between", NaN fails it."""
    expect = _great_expectations().expectations.ExpectColumnMaxToBeBetween
    return expect(column=name, min_value=low, max_value=high, meta={"why": why}, **strict)


def _why(rule: Rule) -> str:
    return f"{rule.op} {rule.value!r}"


def _great_expectations() -> Any:
    os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read at import; nothing leaves this machine
    try:
        import great_expectations as gx
        import great_expectations.expectations
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "great_expectations":
            purpose = "gate --evaluator gx"
            raise MissingExtraError.of("great-expectations", "gx", purpose) from None
        raise
    return gx
