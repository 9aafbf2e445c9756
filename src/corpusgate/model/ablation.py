"""What an ablation found: curves, spikes with their verdicts, records named, arms compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from corpusgate.model.finding import Example, Spike

Verdict: TypeAlias = Literal[
    "data",
    "optimizer",
    "numerics",
    "interaction",
    "mix",
    "order",
    "both",
    "chance",
    "inconclusive",
]


@dataclass(frozen=True)
class OrderSlot:
    """One place of the frozen order: a token range of a record."""

    step: int
    slot: int
    record_id: int
    source: str
    record: int
    token_start: int
    token_end: int
    tokens: int
    """Targets, with the end of the record where the range holds it."""
    bytes: int
    stratum: str


@dataclass(frozen=True)
class TrainStep:
    """What one step of a run showed, before its batch was learned from."""

    step: int
    loss: float
    """Nats a token."""
    bits: float
    """Bits per byte."""
    gradient: float
    """Norm before clipping."""
    rate: float
    """Learning rate."""
    probe: float
    """Loss of a fixed clean probe, nats a token."""
    p: float | None
    """That the batch's records are like those of other steps; uncorrected."""
    candidate: bool
    """Whether the step was looked into."""
    records: tuple[int, ...]
    """Ids of the batch's records."""


@dataclass(frozen=True)
class TrainRun:
    """One run of the proxy."""

    name: str
    """raw, or pulse for the control."""
    view: str
    """raw or clean."""
    steps: tuple[TrainStep, ...]


@dataclass(frozen=True)
class NamedRecord:
    """A record that makes its step odd."""

    example: Example
    step: int
    p: float
    """Conformal, against sound records of other steps."""
    q: float
    """After Benjamini-Hochberg over the records of all rejected steps."""
    checks: tuple[str, ...]
    """Other checks that flagged it."""


@dataclass(frozen=True)
class Arm:
    """A run of the confirmation: the same order with some slots given to other records."""

    name: str
    """raw, without-named, without-random, clean."""
    replaced: int
    """Slots given to other records of like length and source."""
    loss: tuple[float, ...]
    bits: tuple[float, ...]
    probe: tuple[float, ...]
    height: float | None
    """Mean distance of the data steps from the steps around them, bits per byte."""
    usual: float | None
    """The same over all other steps: what a height must exceed to be a spike."""
    interval: tuple[float, float] | None = None
    """Bootstrap interval of the height over the data steps, 95 %."""


@dataclass(frozen=True)
class Ablation:
    """Everything an ablation leaves, without a clock."""

    order: tuple[OrderSlot, ...] = ()
    runs: tuple[TrainRun, ...] = ()
    spikes: tuple[Spike, ...] = ()
    named: tuple[NamedRecord, ...] = ()
    arms: tuple[Arm, ...] = ()
    passes: float = 0.0
    """Passes over the data spent; a forward pass alone counts a third."""
    alpha: float = 0.05
    """Family-wise error that the verdicts share."""
    false_rate: float | None = None
    """Share of clean corpora, drawn anew, that the content test alarms on."""
    underpowered: str = ""
    """Why no verdict could be reached, or empty."""
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def run(self, name: str) -> TrainRun | None:
        """The run of that name."""
        return next((run for run in self.runs if run.name == name), None)

    def verdicts(self, *names: str) -> tuple[Spike, ...]:
        """Spikes with one of these verdicts."""
        return tuple(spike for spike in self.spikes if spike.verdict in names)
