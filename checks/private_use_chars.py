"""private-use-chars: code points whose meaning only a private agreement tells."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from corpusgate.checks._characters import CharacterCheck
from corpusgate.model import Severity
from corpusgate.text.characters import TABLE, Kind, char_class

_PRIVATE_USE = re.compile(f"[{char_class(TABLE[Kind.PRIVATE_USE])}]")


@dataclass(frozen=True)
class PrivateUseChars(CharacterCheck):
    """Find private-use characters: icon fonts, rare ideographs of a font that is not here."""

    # Published sets hold a few: 9 of the 57,607 Tang poems of chinese-poetry, 18 of the 95,460
    # lines of NiuTrans/Classical-Modern. A thousandth is above five times either.
    limit: float = 0.001
    kinds = Kind.PRIVATE_USE
    noun = "private-use character"
    remedy = (
        "Find out which font or standard they were meant for and map them to Unicode; what no one "
        "can name is noise to a model."
    )
    above = Severity.WARNING
    below = Severity.INFO

    def characters(self, text: str) -> Counter[str]:
        return Counter(_PRIVATE_USE.findall(text))
