"""The set of encodings of a file, settled from all of its records that are not UTF-8."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.text.char_model import score
from corpusgate.text.codepages import (
    COMMON,
    NOISE,
    UTF8,
    canonical,
    decode,
    is_known,
)
from corpusgate.text.contest import Contest, leads
from corpusgate.text.unicode_forms import is_utf8

# Bytes of ASCII kept before the first byte above 0x7F: the words around it tell the language.
_BEFORE = 64
_HIGH = re.compile(rb"[\x80-\xff]")
_SAFE = re.compile(rb"[\x00-\x2f]")
# charset-normalizer reads samples of a file, not all of it; 64 KiB keep it under a second.
_SAMPLE = 1 << 16
# The scores of neighbouring letters are not independent: shares move by their roots.
_TEMPER = 1.5
# Not to shut a file to a lone line in another encoding: what it must make up for.
_FLOOR = -8.0
# Records that a hypothesis without any is granted.
_SPARE = 0.1
_ROUNDS, _STILL = 12, 0.01

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from corpusgate.text.codepages import Column
    from corpusgate.text.contest import Scorer

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ReadingOptions:
    """How sure decoding must be, and how much it looks at."""

    # In a file 95-97 % of the records that are not UTF-8 are answered above it, 3 to 12 in
    # 10,000 of the answers wrong (docs/decode.md, "How sure is sure").
    min_margin: float = 5.0
    """Nats by which the best reading must lead the best that reads otherwise."""
    # A record alone is right at this margin 9,994 times in 10,000 (docs/decode.md).
    vote_margin: float = 6.0
    """Nats at which a record votes for its file's encoding."""
    # One vote may be an accident of a short record.
    min_votes: int = 2
    """Votes that settle an encoding; where none has as many, the best has it."""
    # Evidence grows by a nat or more a byte (docs/decode.md): 512 bytes leave no doubt.
    window: int = 512
    """Bytes of a long record that are weighed first; all of it where they leave doubt."""
    # Two passes of a mixture over 2,000 records take a second; more records change nothing.
    pool: int = 2000
    """Records of a pool that are weighed, evenly spaced."""
    use_detector: bool = True
    """Ask charset-normalizer which rarer encodings to weigh."""


@dataclass(frozen=True)
class EncodingProfile:
    """What is known of a file's encodings before its records are read."""

    encodings: tuple[str, ...] = ()
    """The settled set, best first; empty where nothing was settled."""
    weights: tuple[tuple[str, str, float], ...] = ()
    """(encoding, language, ln of its share); where none are told, the set's are all 0."""
    votes: tuple[tuple[str, int], ...] = ()
    """Records that voted for an encoding, most votes first."""
    records: int = 0
    """Records that were weighed."""

    @cached_property
    def _nats(self) -> dict[tuple[str, str], float]:
        return {(encoding, language): nats for encoding, language, nats in self.weights}

    def weigh(self, columns: Sequence[Column]) -> Floats:
        """What the file adds to the priors of some hypotheses, in nats."""
        if not self.encodings and not self.weights:
            return np.zeros(len(columns))
        if not self.weights:
            return np.array([0.0 if c.encoding in self.encodings else _FLOOR for c in columns])
        keys = ((column.encoding, column.language) for column in columns)
        return np.array([self._nats.get(key, _FLOOR) for key in keys])

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EncodingProfile:
        """The profile from what `dataclasses.asdict` made of it, also after JSON."""
        return cls(
            encodings=tuple(data["encodings"]),
            weights=tuple((e, language, nats) for e, language, nats in data["weights"]),
            votes=tuple((e, n) for e, n in data["votes"]),
            records=data["records"],
        )


def window(record: bytes, size: int) -> bytes:
    """A part of a long record around its first bytes above 0x7F, cut where any encoding may be.

    Before the first such byte all is ASCII. Behind it only bytes below 0x30 are never the
    tail of a character; where none comes in time, all that is left belongs to the part.
    """
    if len(record) <= size:
        return record
    first = _HIGH.search(record)
    start = max(0, first.start() - min(_BEFORE, size // 8)) if first else 0
    safe = _SAFE.search(record, start + size)
    return record[start : safe.end() if safe else len(record)]


def candidates(pool: Sequence[bytes], *, use_detector: bool = True) -> tuple[str, ...]:
    """Encodings worth weighing for a pool of records that are not UTF-8, likeliest first.

    Those that charset-normalizer finds in the pool, then the common ones; each must decode
    strictly: a found one half of the pool, a common one any of its records.
    """
    found = _detected(pool) if use_detector else []
    kept = [e for e in found if sum(decode(r, e) is not None for r in pool) * 2 >= len(pool)]
    common = (e for e in COMMON if any(decode(record, e) is not None for record in pool))
    return tuple(dict.fromkeys([*kept, *common]))


def _detected(pool: Sequence[bytes]) -> list[str]:
    from charset_normalizer import from_bytes

    sample = b"\n".join(pool)
    cut = sample.rfind(b"\n", 0, _SAMPLE)  # between records: never inside a character
    matches = from_bytes(sample[:cut] if len(sample) > _SAMPLE and cut > 0 else sample)
    names = dict.fromkeys(canonical(match.encoding) for match in matches)
    return [name for name in names if is_known(name)]


def settle(
    pool: Sequence[bytes], options: ReadingOptions | None = None, scorer: Scorer = score
) -> EncodingProfile:
    """The set of encodings of a file from its records that are not UTF-8.

    The records are taken for a mixture of hypotheses (encoding, language), whose shares are
    found by expectation maximisation with a prior that drops hypotheses seen less than once.
    Source: Dempster, Laird and Rubin, J. Royal Statistical Society B 39 (1977); the sparse
    prior after Figueiredo and Jain, IEEE Trans. PAMI 24 (2002). Each record that is sure of
    its encoding in that mixture then votes for it.
    """
    options = options or ReadingOptions()
    records = [window(r, options.window) for r in _spread(pool, options.pool) if not is_utf8(r)]
    if not records:
        return EncodingProfile()
    found = candidates(records, use_detector=options.use_detector)
    contest = Contest.of(records, (*found, UTF8, NOISE), scorer)
    weights = np.maximum(_mixture(contest) * _TEMPER, _FLOOR)
    votes = Counter[str]()
    for first in leads(records, contest.encodings, contest.by_encoding(weights), records):
        votes[first.encoding] += first.text is not None and first.margin >= options.vote_margin
    ranked = sorted((-n, e) for e, n in votes.items() if n)
    enough = [e for n, e in ranked if -n >= options.min_votes] or [e for _, e in ranked[:1]]
    shown = zip(contest.columns, weights.tolist(), strict=True)
    return EncodingProfile(
        encodings=tuple(enough),
        weights=tuple(
            (c.encoding, c.language, round(nats, 4)) for c, nats in shown if nats > _FLOOR
        ),
        votes=tuple((e, -n) for n, e in ranked),
        records=len(records),
    )


def _spread(pool: Sequence[bytes], most: int) -> list[bytes]:
    step = max(1, -(-len(pool) // most))
    return list(pool[::step])


def _mixture(contest: Contest) -> Floats:
    """The share of each hypothesis, in nats below the likeliest."""
    scores = contest.scores / _TEMPER
    shares = np.zeros(len(contest.columns))
    for _ in range(_ROUNDS):
        scaled = scores + shares
        scaled = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        seen = (scaled / scaled.sum(axis=1, keepdims=True)).sum(axis=0)
        new = np.zeros_like(shares)
        for which in contest.members:
            count = seen[which].sum()
            share = (max(count - 1, 0) + _SPARE) / (len(scores) + 1)
            inside = (seen[which] + 1) / (count + len(which)) * len(which)
            new[which] = np.log(share) + np.log(inside)
        new -= new.max()
        if np.abs(new - shares).max() < _STILL:
            break
        shares = new
    return shares
