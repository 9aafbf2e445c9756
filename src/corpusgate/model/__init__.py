"""The nouns every other module speaks in. Imports nothing of ours but errors."""

from corpusgate.model.block import UNKNOWN, Block, Columns, Pieces, Status, record_ids
from corpusgate.model.check import Check, Evidence, Partial, Records, Sample, Stage, share
from corpusgate.model.finding import (
    Chart,
    Example,
    Finding,
    Judgement,
    Note,
    Operator,
    Outcome,
    Report,
    Rule,
    Severity,
    Spike,
    SplitCount,
)
from corpusgate.model.tokens import TokenFacts

__all__ = [
    "UNKNOWN",
    "Block",
    "Chart",
    "Check",
    "Columns",
    "Evidence",
    "Example",
    "Finding",
    "Judgement",
    "Note",
    "Operator",
    "Outcome",
    "Partial",
    "Pieces",
    "Records",
    "Report",
    "Rule",
    "Sample",
    "Severity",
    "Spike",
    "SplitCount",
    "Stage",
    "Status",
    "TokenFacts",
    "record_ids",
    "share",
]
