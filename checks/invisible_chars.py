"""invisible-chars: characters that cannot be seen and that nothing around them needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.checks._characters import CharacterCheck, cut_characters
from corpusgate.model import Severity
from corpusgate.text.characters import INVISIBLE

if TYPE_CHECKING:
    from collections import Counter


@dataclass(frozen=True)
class InvisibleChars(CharacterCheck):
    """Find zero-width, direction, tag and byte order mark characters out of place."""

    # Published English text holds a few from copying: 4 of 20,000 records of anthropics/evals
    # (persona), one in 5,000. A thousandth is five times as many.
    limit: float = 0.001
    kinds = INVISIBLE
    noun = "invisible character"
    remedy = (
        "Train on the clean copy, where they are cut (`corpusgate clean`; the ledger lists each); "
        "read the records named here first: tags and direction overrides can hide instructions."
    )
    above = Severity.WARNING
    below = Severity.INFO

    def characters(self, text: str) -> Counter[str]:
        return cut_characters(text, self.name())
