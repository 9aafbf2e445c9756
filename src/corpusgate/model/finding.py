"""Findings, examples, rules: what is said about a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping


class Severity(IntEnum):
    """How much a finding weighs; a rule of that severity decides whether the gate shuts."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The name used in configuration and reports."""
        return self.name.lower()


@dataclass(frozen=True, order=True)
class Example:
    """One record to look at. `excerpt` is filled in when the report is made."""

    id: int
    source: str
    record: int
    line: int
    offset: int
    evidence: tuple[tuple[str, str], ...] = ()
    """Named facts, in the order to show them: ("U+0000", "16"), ("gb18030", "...")."""
    excerpt: str = ""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, measured, with the limit it broke and records to look at."""

    check: str
    split: str
    severity: Severity
    message: str
    value: float | None = None
    limit: float | None = None
    count: int = 0
    examples: tuple[Example, ...] = ()
    remedy: str = ""
    """What to do: one sentence, with the command or the path where there is one."""


Operator: TypeAlias = Literal["<=", ">=", "<", ">", "==", "!="]

Scope: TypeAlias = Literal["split", "train", "against-train", "measured"]
"""The splits a measure exists for: each one, the train split, each one held against train (or
against the first where none is called train), or those alone that it was measured for."""


@dataclass(frozen=True)
class Rule:
    """A limit on a metric. `metric` is `check.measure` (every split) or with `.split`."""

    metric: str
    op: Operator
    value: float
    severity: Severity = Severity.ERROR
    scope: Scope = "split"

    @property
    def check(self) -> str:
        """The check whose measure is limited."""
        return self.metric.split(".", 1)[0]

    @property
    def split(self) -> str | None:
        """The split that is named (it may hold dots), or None for each one in scope."""
        parts = self.metric.split(".", 2)
        return parts[2] if parts[2:] else None


@dataclass(frozen=True)
class Outcome:
    """What became of one rule on one metric."""

    metric: str
    op: Operator
    limit: float
    severity: Severity
    value: float | None
    state: Literal["pass", "warn", "fail", "missing"]


@dataclass(frozen=True)
class Judgement:
    """The verdict of a policy over the metrics of an audit."""

    verdict: Literal["pass", "fail", "error", "empty"]
    outcomes: tuple[Outcome, ...] = ()
    errors: int = 0
    """Inputs that could not be read."""

    @property
    def exit_code(self) -> int:
        """The code `audit` and `gate` exit with."""
        return {"pass": 0, "fail": 1, "error": 2, "empty": 3}[self.verdict]


@dataclass(frozen=True)
class SplitCount:
    """What was read of a split: records = kept + quarantined."""

    records: int = 0
    kept: int = 0
    quarantined: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class Chart:
    """One chart of the page: its data, drawn by `reports`.

    `kind` is "lines" (x, y, series), "bars" (x category, y, series) or "steps" (histogram
    outline; x is the left edge of a bin). The first series is what is (train, the run as it
    was), the second what it is held against. A `y` that begins with "share" is shown in per
    cent. `marks` are x positions to point at, with a label each.
    """

    name: str
    kind: Literal["lines", "bars", "steps"]
    title: str
    sentence: str
    """What to see, in one sentence."""
    x: str
    y: str
    rows: tuple[tuple[float | str, float, str], ...]
    marks: tuple[tuple[float, str], ...] = ()
    log_x: bool = False
    section: Literal["", "spikes", "splits", "tokenizer"] = ""
    """Where the page shows it; "" is with the spikes for lines, else with the splits."""


@dataclass(frozen=True)
class Note:
    """One line of an audit's account: a name, a value, what it means."""

    name: str
    value: str
    sentence: str = ""


@dataclass(frozen=True)
class Report:
    """All that `reports/` may know of an audit: no rows, no code, no clock."""

    title: str
    judgement: Judgement
    splits: Mapping[str, SplitCount]
    findings: tuple[Finding, ...]
    states: Mapping[str, str]
    metrics: Mapping[str, float | None]
    todo: tuple[str, ...] = ()
    """What to do first, in order; plain sentences, code in backquotes."""
    cause: str = ""
    """The cause in one sentence, with effect and p, if a cause was found."""
    charts: tuple[Chart, ...] = ()
    spikes: tuple[Spike, ...] = ()
    cleaning: tuple[Note, ...] = ()
    encodings: tuple[tuple[str, str, int, int], ...] = ()
    """(split, encoding, records, records set aside)."""
    tokenizer: tuple[Note, ...] = ()
    """What the tokenizer does to these texts, a measure a line."""
    account: tuple[Note, ...] = ()
    """Every byte accounted for: what was kept, edited, set aside, rebuilt."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """The page (Markdown) of each check that found something."""
    errors: tuple[str, ...] = ()
    """Inputs that could not be read, a line each with path and remedy."""
    warnings: tuple[str, ...] = ()
    """What was met and left out on the way to the sources."""


@dataclass(frozen=True)
class Spike:
    """A verdict about one step of a proxy run."""

    run: str
    step: int
    verdict: str
    sentence: str
    p: float | None = None
    effect: float | None = None
    interval: tuple[float, float] | None = None
    records: tuple[Example, ...] = ()
    reasons: tuple[Note, ...] = ()
    """Each suspect and why it is in or out."""
