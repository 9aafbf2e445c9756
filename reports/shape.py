"""The shape of report.json, from which its JSON Schema is exported."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

VERSION: Literal[1] = 1
"""Of report.json: it grows with each change that a reader could trip over."""


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SplitShape(_Shape):
    """What was read of a split: records = kept + quarantined."""

    records: int
    kept: int
    quarantined: int
    bytes: int


class FactShape(_Shape):
    """A named fact about a record."""

    name: str
    value: str


class ExampleShape(_Shape):
    """One record to look at; `line` and `offset` are null in columnar sources."""

    source: str
    record: int = Field(description="from 0, over the non-blank records of the source")
    line: int | None = Field(description="from 1, in the source")
    offset: int | None = Field(description="of the first byte, in the decompressed source")
    excerpt: str
    evidence: list[FactShape]


class FindingShape(_Shape):
    """One thing that is wrong, with the limit it broke."""

    check: str
    split: str
    severity: Literal["info", "warning", "error"]
    message: str
    value: float | None
    limit: float | None
    count: int
    remedy: str
    examples: list[ExampleShape]


class RuleShape(_Shape):
    """What became of one limit of the gate."""

    metric: str
    op: Literal["<=", ">=", "<", ">", "==", "!="]
    limit: float | None
    severity: Literal["info", "warning", "error"]
    value: float | None
    state: Literal["pass", "warn", "fail", "missing"]


class NoteShape(_Shape):
    """One line of an account."""

    name: str
    value: str
    sentence: str


class SpikeShape(_Shape):
    """A verdict about one step of a proxy run."""

    run: str
    step: int
    verdict: str
    sentence: str
    p: float | None
    effect: float | None
    interval: tuple[float | None, float | None] | None
    records: list[ExampleShape]
    reasons: list[NoteShape]


class EncodingShape(_Shape):
    """How many records of a split were read from an encoding."""

    split: str
    encoding: str
    records: int
    quarantined: int


class ReportShape(_Shape):
    """An audit."""

    version: Literal[1]
    title: str
    verdict: Literal["pass", "fail", "error", "empty"]
    headline: str = Field(description="the verdict in a few words")
    lead: str = Field(description="the cause if one was found, else what weighs most")
    cause: str = Field(description="empty if no cause was found")
    todo: list[str] = Field(description="what to do first")
    errors: list[str] = Field(description="inputs that could not be read")
    warnings: list[str] = Field(description="what was left out on the way to the sources")
    splits: dict[str, SplitShape]
    findings: list[FindingShape]
    states: dict[str, str] = Field(description="measured, not-requested, or not-run: why")
    metrics: dict[str, float | None] = Field(description="null: counted over nothing")
    rules: list[RuleShape]
    spikes: list[SpikeShape]
    encodings: list[EncodingShape]
    tokenizer: list[NoteShape]
    cleaning: list[NoteShape]
    account: list[NoteShape]
