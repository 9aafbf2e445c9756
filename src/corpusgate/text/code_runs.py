"""Batches of records as one array of codes, and runs of codes within it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.text.char_states import ASTRAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

HIGH = 0x80
"""The first code that is not ASCII."""

# Odd multiplier of the golden ratio: Knuth, The Art of Computer Programming 3, section 6.4.
_MULTIPLIER = 0x9E3779B97F4A7C15
_LONGEST_WORD = 64
_MODULUS = 1 << 64


@cache
def _powers() -> NDArray[np.uint64]:
    return np.array([pow(_MULTIPLIER, i + 1, _MODULUS) for i in range(_LONGEST_WORD)], np.uint64)


def hash_of(codes: Iterable[int]) -> int:
    """The hash that `Runs.hashes` gives a run of these codes; at most 64 of them."""
    powers: list[int] = _powers().tolist()
    return sum(c * p for c, p in zip(codes, powers, strict=False)) % _MODULUS


@dataclass(frozen=True, eq=False)
class Runs:
    """Maximal runs of True in a mask."""

    start: Ints
    end: Ints

    @classmethod
    def of(cls, mask: NDArray[np.bool_]) -> Runs:
        """The runs of a mask, in order."""
        edges = np.diff(mask.astype(np.int8), prepend=0, append=0)
        return cls(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1))

    def __len__(self) -> int:
        return len(self.start)

    def take(self, which: NDArray[np.bool_]) -> Runs:
        """The runs a mask over runs picks."""
        return Runs(self.start[which], self.end[which])

    @cached_property
    def first(self) -> Ints:
        """Where each run begins among `positions`."""
        sizes = self.end - self.start
        return np.asarray(np.cumsum(sizes) - sizes, np.int64)

    @cached_property
    def owner(self) -> Ints:
        """The number of the run of each of `positions`."""
        return np.repeat(np.arange(len(self)), self.end - self.start)

    @cached_property
    def positions(self) -> Ints:
        """Every position inside the runs, in order."""
        return np.arange(len(self.owner)) + (self.start - self.first)[self.owner]

    def hashes(self, codes: Ints) -> NDArray[np.uint64]:
        """Polynomial hash of each run's codes, modulo 2**64."""
        if not len(self):
            return np.zeros(0, np.uint64)
        place = self.positions - self.start[self.owner]
        powers = _powers()[np.minimum(place, _LONGEST_WORD - 1)]
        return np.add.reduceat(codes[self.positions].astype(np.uint64) * powers, self.first)


@dataclass(frozen=True, eq=False)
class Codes:
    """Records as one array of codes (bytes, or code points), a newline before each."""

    codes: Ints
    first: Ints
    """Where each record's newline stands."""

    @classmethod
    def of_bytes(cls, records: Sequence[bytes]) -> Codes:
        """The bytes of records, at least one."""
        data = np.frombuffer(b"\n" + b"\n".join(records), np.uint8)
        return cls(data.astype(np.int64), _firsts(records))

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> Codes:
        """The code points of texts, at least one; ASTRAL for those beyond the basic plane."""
        data = ("\n" + "\n".join(texts)).encode("utf-32-le")
        points = np.minimum(np.frombuffer(data, np.uint32), ASTRAL)
        return cls(points.astype(np.int64), _firsts(texts))

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def high(self) -> NDArray[np.bool_]:
        """Codes that are not ASCII."""
        return self.codes >= HIGH

    @cached_property
    def plain(self) -> Ints:
        """The codes, NUL in the place of those that are not ASCII."""
        return np.where(self.high, 0, self.codes)

    @cached_property
    def record(self) -> Ints:
        """The record of each code."""
        return np.repeat(np.arange(len(self)), np.diff(self.first, append=len(self.codes)))

    def sums(self, values: NDArray[np.floating]) -> Floats:
        """Sums by record of a value for each code."""
        return np.add.reduceat(values, self.first, dtype=np.float64)

    def sums_at(self, owner: Ints, values: NDArray[np.floating]) -> Floats:
        """Sums by record of values whose records are told."""
        return np.bincount(owner, values, len(self)).astype(np.float64)


def _firsts(records: Sequence[bytes] | Sequence[str]) -> Ints:
    return np.cumsum([0, *(len(record) + 1 for record in records[:-1])], dtype=np.int64)
