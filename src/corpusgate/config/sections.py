"""Sections of the configuration that are more than the options of one stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator

from corpusgate.errors import ConfigError
from corpusgate.model import Operator, Scope
from corpusgate.pipeline.ablation.options import AblateOptions
from corpusgate.pipeline.read.options import ReadOptions

SeverityName: TypeAlias = Literal["info", "warning", "error"]


def _listed(value: object) -> object:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


Strings: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""One string, or a list of them."""


@dataclass(frozen=True)
class InputOptions(ReadOptions):
    """Reading, and the files or globs of each split, from the folder of the configuration."""

    text: Strings = ()
    splits: Mapping[str, Strings] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.splits:  # a folder of the clean copy bears it
            if name in {"", ".", ".."} or "/" in name or "\0" in name:
                why = f"input.splits: {name!r} is no name of a split; leave out slashes and dots"
                raise ConfigError("unusable-option", why)


@dataclass(frozen=True)
class AblateSection(AblateOptions):
    """Ablation, and whether it is asked for: auto is where torch can be imported."""

    run: Literal["auto", "on", "off"] = "auto"


@dataclass(frozen=True)
class RuleLine:
    """One limit of the gate; severity and scope are the check's own where they are not given."""

    metric: str
    value: float
    op: Operator = "<="
    severity: SeverityName | None = None
    scope: Scope | None = None


@dataclass(frozen=True)
class GateOptions:
    """What the gate holds an audit to, beside the limits that the checks state themselves.

    Attributes:
        rules: each takes the place of the check's own rules on that metric.
        disable: checks whose own limits do not bind; they are measured all the same.
        severity: by check, check.measure or check.measure.split; the longest name decides.
    """

    rules: tuple[RuleLine, ...] = ()
    disable: tuple[str, ...] = ()
    severity: Mapping[str, SeverityName] = field(default_factory=dict)


@dataclass(frozen=True)
class ReportOptions:
    """How the page is headed."""

    title: str = ""
