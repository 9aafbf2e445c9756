"""Reading records whose encoding nobody told: which text the bytes hold, and how sure that is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import Status
from corpusgate.text.char_model import score
from corpusgate.text.codepages import CESU8, COMMON, NOISE, UTF8, decode, is_single_byte, reading
from corpusgate.text.contest import Contest, lead
from corpusgate.text.profiles import (
    EncodingProfile,
    ReadingOptions,
    candidates,
    settle,
    window,
)
from corpusgate.text.unicode_forms import SEQUENCE, decode_cesu8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.text.char_model import Scorer
    from corpusgate.text.contest import Lead

__all__ = [
    "EncodingProfile",
    "Reading",
    "ReadingOptions",
    "candidates",
    "read",
    "settle",
]

_SEQUENCE = re.compile(SEQUENCE)
_ASCII = re.compile(rb"[\x00-\x7f]+")
_SURROGATE = re.compile(rb"\xed[\xa0-\xaf]")
# Records weighed at once: arrays of a few MB.
_BATCH = 1024
# A record with this share of its bytes above 0x7F in well-formed UTF-8 may be damaged UTF-8.
# Of records in other encodings, one in three by chance at most (docs/decode.md).
_UTF8_SHARE = 1 / 3
# So may one with as few of them: a character cut in half reads as a letter elsewhere.
_FEW = 3
# What a file without any damage adds to the rarity of it, in nats.
_DAMAGE_FLOOR = -4.0
# With half of them well-formed it is damaged UTF-8, unless a reading is better by far: by so
# many nats, which 9 in 10 of the true ones reach (docs/decode.md).
_MOSTLY, _MOSTLY_BONUS = 1 / 2, 15.0
# A part of a record that leads by less is weighed again as a whole.
_DOUBT = 20.0
# In a file of double-byte encodings a record this long, and this much likelier than noise,
# reads so: a wrong reading gains 1.25 nats a byte over noise at most, a right one seldom less
# than 1.3 (docs/decode.md).
_PLAIN_BYTES, _PLAIN_GAIN = 32, 1.3


@dataclass(frozen=True)
class Reading:
    """What the bytes of a record say."""

    encoding: str | None
    """Python's name of the codec in lower case; "cesu-8"; None where nothing reads it."""
    text: str | None
    """The best reading, also where it is not sure; None if undecodable."""
    margin: float
    """Nats to the best encoding that gives a different text; NaN for valid UTF-8."""
    runner_up: str | None
    """That encoding; None where it was no text at all."""
    status: Status


def read(
    records: Sequence[bytes],
    profile: EncodingProfile | None = None,
    options: ReadingOptions | None = None,
    scorer: Scorer = score,
) -> list[Reading]:
    """Read records of one file. Strict UTF-8 is taken at its word; the rest is weighed.

    A reading does not depend on the other records, only on the profile.
    """
    reader = _Reader(profile or EncodingProfile(), options or ReadingOptions(), scorer)
    out: list[Reading] = []
    for start in range(0, len(records), _BATCH):
        out += reader.batch(records[start : start + _BATCH])
    return out


def utf8_share(record: bytes) -> float:
    """The share of the bytes above 0x7F that stand in well-formed sequences of UTF-8 or CESU-8."""
    high = len(record) - sum(map(len, _ASCII.findall(record)))
    if high and _SURROGATE.search(record) and decode_cesu8(record) is not None:
        return 1.0
    return sum(map(len, _SEQUENCE.findall(record))) / high if high else 0.0


@dataclass(frozen=True)
class _Reader:
    profile: EncodingProfile
    options: ReadingOptions
    scorer: Scorer

    def batch(self, records: Sequence[bytes]) -> list[Reading]:
        out: dict[int, Reading] = {}
        plain, damaged = [], []
        for i, record in enumerate(records):
            try:
                out[i] = Reading(UTF8, record.decode(), float("nan"), None, Status.OK)
            except UnicodeDecodeError:
                few = len(record) - sum(map(len, _ASCII.findall(record))) <= _FEW
                (damaged if few or utf8_share(record) > _UTF8_SHARE else plain).append(i)
        common = tuple(dict.fromkeys((*self.profile.encodings, *COMMON, NOISE)))
        leads = self._settled(records, plain)
        leads |= self._contest(records, [i for i in plain if i not in leads], common)
        leads |= self._contest(records, damaged, (*common, UTF8, CESU8))
        out |= {i: self._judge(records[i], first) for i, first in leads.items()}
        return [out[i] for i in range(len(records))]

    def _settled(self, records: Sequence[bytes], rows: list[int]) -> dict[int, Lead]:
        """Leads of records that read plainly in the double-byte encodings of their file."""
        own = self.profile.encodings
        if not own or any(is_single_byte(encoding) for encoding in own):
            return {}
        heads = [window(records[i], self.options.window) for i in rows]
        contest = Contest.of(heads, (*own, NOISE), self.scorer)
        scores = contest.by_encoding(self._weights(contest))
        out = {}
        for i, head, row in zip(rows, heads, scores, strict=True):
            first = lead(records[i], contest.encodings, row)
            high = len(head) - sum(map(len, _ASCII.findall(head)))
            sure = first.margin >= self.options.min_margin and first.text is not None
            if sure and high >= _PLAIN_BYTES and row.max() - row[-1] >= high * _PLAIN_GAIN:
                out[i] = first
        return out

    def _contest(
        self, records: Sequence[bytes], rows: list[int], encodings: tuple[str, ...]
    ) -> dict[int, Lead]:
        heads = [window(records[i], self.options.window) for i in rows]
        out = self._leads(records, dict(zip(rows, heads, strict=True)), encodings)
        doubt = {
            i: records[i]
            for i, head in zip(rows, heads, strict=True)
            if out[i].margin < _DOUBT and len(head) < len(records[i])
        }
        return out | self._leads(records, doubt, encodings)

    def _leads(
        self, records: Sequence[bytes], parts: dict[int, bytes], encodings: tuple[str, ...]
    ) -> dict[int, Lead]:
        contest = Contest.of(list(parts.values()), encodings, self.scorer)
        scores = contest.by_encoding(self._weights(contest))
        if UTF8 in encodings:
            forms = [encodings.index(form) for form in (UTF8, CESU8)]
            mostly = [i for i, part in enumerate(parts.values()) if utf8_share(part) > _MOSTLY]
            scores[np.ix_(mostly, forms)] += _MOSTLY_BONUS
        pairs = zip(parts, scores, strict=True)
        return {i: lead(records[i], encodings, row) for i, row in pairs}

    def _weights(self, contest: Contest) -> np.ndarray:
        """The file's weights; damage may strike any record, whatever the others show."""
        damaged = [column.encoding in (UTF8, CESU8) for column in contest.columns]
        weights = self.profile.weigh(contest.columns)
        return np.where(damaged, np.maximum(weights, _DAMAGE_FLOOR), weights)

    def _judge(self, record: bytes, first: Lead) -> Reading:
        margin, runner_up = round(first.margin, 4), first.runner_up or None
        sure = first.margin >= self.options.min_margin
        if first.encoding == NOISE and not sure and runner_up not in (None, UTF8):
            name, text = runner_up, decode(record, runner_up)
            return Reading(name, text, 0.0, None, Status.UNSURE)
        if first.text is None:
            return Reading(first.encoding or None, None, margin, runner_up, Status.UNDECODABLE)
        status = Status.RECOVERED if sure else Status.UNSURE
        name = reading(record, first.encoding)[1]
        return Reading(name, first.text, margin, runner_up, status)
