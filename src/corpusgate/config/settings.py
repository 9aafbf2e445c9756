"""Config: one model of all sections, and what is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, create_model

from corpusgate.config import limits
from corpusgate.config.faults import validated
from corpusgate.config.sections import AblateSection, GateOptions, InputOptions, ReportOptions
from corpusgate.pipeline.clean import CleanOptions
from corpusgate.pipeline.compare import CompareOptions
from corpusgate.pipeline.decode import DecodeOptions
from corpusgate.pipeline.tokenize import TokenizeOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusgate.model import Check
    from corpusgate.pipeline.gate import Policy

READS: Mapping[str, tuple[str, ...]] = {
    "survey": ("input",),
    "decode": ("input", "decode"),
    "clean": ("input", "decode", "clean"),
    "tokenize": ("input", "decode", "clean", "tokenize", "compare"),
    "measure": ("input", "decode", "clean", "tokenize", "checks"),
    "compare": ("input", "decode", "clean", "tokenize", "compare"),
    "ablate": ("input", "decode", "clean", "checks", "ablate"),
    "report": ("input", "decode", "clean", "ablate", "checks", "gate", "report"),
    "gate": ("ablate", "checks", "gate"),
}
"""The sections that what a stage leaves rests on."""

JUDGING = ("report", "gate")
"""The stages that hold sums to limits; those above them make the sums."""


class Config(BaseModel):
    """Every section with its defaults. A new section is one more line here."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: InputOptions = InputOptions()
    decode: DecodeOptions = DecodeOptions()
    clean: CleanOptions = CleanOptions()
    tokenize: TokenizeOptions = TokenizeOptions()
    compare: CompareOptions = CompareOptions()
    ablate: AblateSection = AblateSection()
    gate: GateOptions = GateOptions()
    report: ReportOptions = ReportOptions()
    checks: Mapping[str, Mapping[str, Any]] = Field(default_factory=dict)
    """Options by check, as written; `judges` makes the checks of them."""
    _source: Path | None = PrivateAttr(None)

    @classmethod
    def of(cls, table: Mapping[str, Any], source: Path | None = None) -> Config:
        """The configuration that a table, read from `source`, states.

        Raises:
            ConfigError: a key is unknown, or a value of the wrong kind.
        """
        config = validated(cls, table, _name(source))
        config._source = source
        return config

    @property
    def source(self) -> Path | None:
        """The file it was read from, if any."""
        return self._source

    def resolve(self, path: str) -> Path:
        """A path that it names, from the folder of its file."""
        return (self._source.parent if self._source else Path()) / path

    def judges(self, available: Mapping[str, type[Check[Any]]]) -> tuple[Check[Any], ...]:
        """The checks with their options, sorted by name.

        Raises:
            ConfigError: [checks] names a check or an option that there is not.
        """
        fields: dict[str, Any] = {
            name: (kind, Field(default_factory=kind)) for name, kind in available.items()
        }
        model = create_model("Checks", __config__=ConfigDict(extra="forbid"), **fields)
        made = validated(model, self.checks, _name(self._source), ("checks",))
        return tuple(getattr(made, name) for name in sorted(available))

    def policy(self, checks: Iterable[Check[Any]]) -> Policy:
        """The limits of the gate: the rules that these checks state, changed by [gate].

        Raises:
            ConfigError: [gate] names a check or a rule that there is not.
        """
        return limits.policy(self.gate, checks, _name(self._source))

    def slice(self, stage: str) -> dict[str, Any]:
        """What a stage reads of this, as plain JSON: a key for what the stage leaves.

        Not which files make up which split: those are its inputs, not its options. Nor, above
        the report, an option of a check whose name ends in "limit": `observe` reads none.
        """
        table = self.model_dump(mode="json", include=set(READS[stage]))
        table.get("input", {}).pop("splits", None)
        if "checks" in table and stage not in JUDGING:
            table["checks"] = _without_limits(table["checks"])
        return table


def _without_limits(checks: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    kept = {
        name: {key: value for key, value in options.items() if not key.endswith("limit")}
        for name, options in checks.items()
    }
    return {name: options for name, options in kept.items() if options}


def _name(source: Path | None) -> str:
    return str(source) if source else "the command line"
