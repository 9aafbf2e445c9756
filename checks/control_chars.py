"""control-chars: NUL, C0, DEL and C1 control characters in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.checks._characters import CharacterCheck, cut_characters
from corpusgate.model import Severity
from corpusgate.text.characters import CONTROL

if TYPE_CHECKING:
    from collections import Counter


@dataclass(frozen=True)
class ControlChars(CharacterCheck):
    """Find control characters other than tab, newline, carriage return and form feed."""

    # Published text holds none: 0 of 20,000 records of anthropics/evals (persona), 0 of 89,717
    # of chinese-poetry. A thousandth puts one into every 60th batch of 16 records.
    limit: float = 0.001
    kinds = CONTROL
    noun = "control character"
    remedy = (
        "Train on the clean copy, where they are cut (`corpusgate clean`; the ledger lists each), "
        "and look for the tool that let them in: they often stand for bytes that were lost."
    )
    above = Severity.ERROR
    below = Severity.WARNING

    def characters(self, text: str) -> Counter[str]:
        return cut_characters(text, self.name())
