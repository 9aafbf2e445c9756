"""replacement-chars: U+FFFD, where a character was lost before the text came here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from corpusgate.checks._characters import CharacterCheck
from corpusgate.model import Severity
from corpusgate.text.characters import Kind


@dataclass(frozen=True)
class ReplacementChars(CharacterCheck):
    """Find the mark that a decoder leaves for bytes it could not read."""

    # A large published set holds a few: 13 of the 32,110 poems (ci and qu) of chinese-poetry,
    # one in 2,470. A thousandth is two and a half times as many.
    limit: float = 0.001
    kinds = Kind.REPLACEMENT
    noun = "replacement character"
    remedy = (
        "What stood there is lost: read the source again in its true encoding, or leave these "
        "records out."
    )
    above = Severity.WARNING
    below = Severity.INFO

    def characters(self, text: str) -> Counter[str]:
        return Counter({"\ufffd": text.count("\ufffd")})
