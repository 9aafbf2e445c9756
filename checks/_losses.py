"""How grave the losses of a round trip are, and what to do about each."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from corpusgate.model import Loss

if TYPE_CHECKING:
    from collections.abc import Iterable

GRAVEST = (
    Loss.CRASH, Loss.UNK, Loss.OTHER, Loss.CASE, Loss.ACCENTS, Loss.SURROGATE,
    Loss.DROPPED_CONTROL, Loss.NFKC, Loss.INNER_SPACE, Loss.LEADING_SPACE,
    Loss.SPACE_AFTER_SPECIAL, Loss.NFC,
)  # fmt: skip
"""The order in which a record's losses are told."""

DESTROYED = Loss.CRASH | Loss.UNK | Loss.OTHER | Loss.CASE | Loss.ACCENTS
"""What no decoder can bring back: a model trained on these ids cannot write the text."""

CHANGED = reduce(or_, GRAVEST) & ~DESTROYED & ~Loss.NFC
"""The text comes back readable, but other than it was; NFC is the same to every reader."""

BYTE_LEVEL = "take a tokenizer with byte fallback or a byte-level one, which lose nothing"
_REMEDIES = {
    Loss.CRASH: "Look at these records, and report them to the tokenizer's makers",
    Loss.UNK: f"The tokenizer does not know these characters: {BYTE_LEVEL}",
    Loss.CASE: "The tokenizer folds case: take a cased one unless the model never has to write",
    Loss.ACCENTS: "The tokenizer strips marks: take one with `strip_accents` off",
    Loss.SURROGATE: "Repair the escapes that these records were written with",
    Loss.DROPPED_CONTROL: "Train on the clean copy, where such characters are cut",
    Loss.NFC: "Write the corpus in NFC, so that what is trained on is what is on disk",
}


def gravest(losses: Iterable[Loss]) -> Loss:
    """The loss that is told first."""
    return min(losses, key=GRAVEST.index)


def remedy(losses: Iterable[Loss]) -> str:
    """What to do about the gravest loss."""
    return f"{_REMEDIES.get(gravest(losses), f'To keep it all, {BYTE_LEVEL}')}."
