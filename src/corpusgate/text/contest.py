"""The contest of encodings over a record: who leads, by how many nats, over whom."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from corpusgate.text.codepages import LOSSY, NOISE, columns, decode, is_single_byte

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corpusgate.text.codepages import Column

    Floats = NDArray[np.float64]


class Scorer(Protocol):
    """What weighs the readings of records: the place of a better model."""

    def __call__(self, records: Sequence[bytes], columns: Sequence[Column]) -> Floats:
        """Weigh: ln P(record | encoding, language) of shape (records, columns), priors left out.

        -inf where the encoding does not decode the record strictly (UTF-8 and NOISE always
        give a number). A row does not depend on the other rows.
        """
        ...


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
        """The sums of columns: ln P(record, encoding), after adding `weights` to the columns."""
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


def leads(
    records: Sequence[bytes], encodings: Sequence[str], scores: Floats, parts: Sequence[bytes]
) -> list[Lead]:
    """The outcome for each record. Encodings that give the same text count as one.

    Args:
        records: their bytes, whole.
        encodings: hypotheses, NOISE among them.
        scores: ln P of shape (records, encodings).
        parts: what the scores come from, of each record.
    """
    orders = np.argsort(-scores, axis=1, kind="stable").tolist()
    known = np.isfinite(scores).sum(axis=1).tolist()
    single = [is_single_byte(encoding) for encoding in encodings]
    return [
        _lead(record, encodings, order[:count], row, single if len(part) == len(record) else None)
        for record, part, order, count, row in zip(
            records, parts, orders, known, scores.tolist(), strict=True
        )
    ]


def _lead(
    record: bytes,
    encodings: Sequence[str],
    order: list[int],
    scores: list[float],
    single: list[bool] | None,
) -> Lead:
    best: tuple[int, str | None] | None = None
    for i in order:
        if best is not None and single is not None and single[best[0]] != single[i]:
            text, differs = None, True  # single and double bytes never read alike
        else:
            text = decode(record, encodings[i])
            if text is None and encodings[i] not in LOSSY:
                continue  # the part that was weighed decodes, the whole does not
            differs = best is not None and (text is None or text != best[1])
        if best is None:
            best = i, text
        elif differs:
            first, reading = best
            return Lead(encodings[first], reading, scores[first] - scores[i], encodings[i])
    return Lead(NOISE, None, 0.0, NOISE)
