"""What an audit is told: corpusgate.toml, or [tool.corpusgate] of pyproject.toml."""

from corpusgate.config.file import load, render
from corpusgate.config.sections import (
    AblateSection,
    GateOptions,
    InputOptions,
    ReportOptions,
    RuleLine,
)
from corpusgate.config.settings import Config

__all__ = [
    "AblateSection",
    "Config",
    "GateOptions",
    "InputOptions",
    "ReportOptions",
    "RuleLine",
    "load",
    "render",
]
