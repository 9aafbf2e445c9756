"""The contest of encodings over a record: who leads, by how many nats, over whom."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.text.codepages import LOSSY, NOISE, columns, decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corpusgate.text.char_model import Scorer
    from corpusgate.text.codepages import Column

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contest:
    """Scores of records under hypotheses, gathered by encoding."""

    encodings: tuple[str, ...]
    columns: tuple[Column, ...]
    scores: Floats
    """ln P(record, hypothesis), priors included; shape (records, columns)."""

    @classmethod
    def of(cls, records: Sequence[bytes], encodings: tuple[str, ...], scorer: Scorer) -> Contest:
        """Weigh records in some encodings."""
        known = columns(encodings)
        prior = np.array([column.prior for column in known])
        return cls(encodings, known, scorer(records, known) + prior)

    @cached_property
    def members(self) -> tuple[NDArray[np.int64], ...]:
        """The columns of each encoding."""
        of = np.array([self.encodings.index(column.encoding) for column in self.columns])
        return tuple(np.flatnonzero(of == i) for i in range(len(self.encodings)))

    def by_encoding(self, weights: Floats) -> Floats:
        """ln P(record, encoding) of shape (records, encodings), `weights` added to the columns."""
        scores = self.scores + weights
        parts = [np.logaddexp.reduce(scores[:, which], axis=1) for which in self.members]
        return np.stack(parts, 1)


@dataclass(frozen=True)
class Lead:
    """The best reading of a record and the best one that differs from it."""

    encoding: str
    text: str | None
    """None where no strict decoding leads: damaged UTF-8, or noise."""
    margin: float
    runner_up: str


def lead(record: bytes, encodings: Sequence[str], scores: Floats) -> Lead:
    """The outcome for one record. Encodings that give the same text count as one.

    Args:
        record: its bytes, whole; scores may come from a part of them.
        encodings: hypotheses, NOISE among them.
        scores: ln P by encoding.
    """
    order = [i for i in np.argsort(-scores, kind="stable").tolist() if scores[i] > -np.inf]
    best: tuple[int, str | None] | None = None
    for i in order:
        text = decode(record, encodings[i])
        if text is None and encodings[i] not in LOSSY:
            continue  # the part that was weighed decodes, the whole does not
        if best is None:
            best = i, text
        elif text is None or text != best[1]:
            first, reading = best
            margin = float(scores[first] - scores[i])
            return Lead(encodings[first], reading, margin, encodings[i])
    return Lead(NOISE, None, 0.0, NOISE)
