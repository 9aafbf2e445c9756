"""Reading records whose encoding nobody told: which text the bytes hold, and how sure that is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import Status
from corpusgate.text.char_model import score
from corpusgate.text.codepages import (
    CESU8,
    COMMON,
    DOUBLE_BYTE,
    NOISE,
    UTF8,
    decode,
    is_single_byte,
    reader,
)
from corpusgate.text.contest import Contest, leads
from corpusgate.text.profiles import (
    EncodingProfile,
    ReadingOptions,
    candidates,
    settle,
    window,
)
from corpusgate.text.unicode_forms import SEQUENCE, decode_cesu8

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from corpusgate.text.contest import Lead, Scorer

    Floats = NDArray[np.float64]

__all__ = [
    "EncodingProfile",
    "Reading",
    "ReadingOptions",
    "candidates",
    "read",
    "settle",
]

_SEQUENCE = re.compile(SEQUENCE)
_ASCII = bytes(range(128))
_SURROGATE = re.compile(rb"\xed[\xa0-\xaf]")
# Records read at once.
_BATCH = 1024
# A record with this share of its bytes above 0x7F in well-formed UTF-8 may be damaged UTF-8.
# By chance half of the short records in double-byte encodings have it too, few of the others.
_UTF8_SHARE = 1 / 3
# So may one with as few of them, or with twice as few if any sequence is well-formed: a
# character cut in half reads as a letter elsewhere.
_FEW, _FEW_MORE = 3, 8
# What a file without any damage adds to the rarity of it, in nats.
_DAMAGE_FLOOR = -4.0
# With more than half of them well-formed, in two sequences or more, it is damaged UTF-8 unless
# a reading is better by far: by so many nats a sequence, up to a limit that 9 in 10 of the
# true ones reach (docs/decode.md).
_MOSTLY, _SEVERAL, _SEQUENCE_BONUS, _MOST_BONUS = 1 / 2, 2, 8.0, 20.0
# A part of a record that leads by less is weighed again with more of it, up to a limit.
_DOUBT, _MORE, _LONGEST = 20.0, 16, 1 << 18
# Bytes weighed at once: arrays of some 10 MB.
_CHUNK = 1 << 20
# In a file of double-byte encodings a record this long, and this much likelier than noise,
# reads so, others unasked: no wrong reading of 1,700 gained 1.5 nats a byte. Where it is
# likelier by half as much, only other double bytes can have been meant (docs/decode.md).
_PLAIN_BYTES, _PLAIN_GAIN, _DOUBLE_GAIN = 32, 1.6, 0.75


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
    reads = _Reader(profile or EncodingProfile(), options or ReadingOptions(), scorer)
    out: list[Reading] = []
    for start in range(0, len(records), _BATCH):
        out += reads.batch(records[start : start + _BATCH])
    return out


def high_bytes(record: bytes) -> int:
    """How many of its bytes lie above 0x7F."""
    return len(record.translate(None, _ASCII))


def utf8_share(record: bytes) -> float:
    """The share of the bytes above 0x7F that stand in well-formed sequences of UTF-8 or CESU-8."""
    high = high_bytes(record)
    if high and _SURROGATE.search(record) and decode_cesu8(record) is not None:
        return 1.0
    return sum(map(len, _SEQUENCE.findall(record))) / high if high else 0.0


def _bonus(record: bytes) -> float:
    """What the well-formed sequences of a record add to its being UTF-8 once, in nats."""
    sequences = len(_SEQUENCE.findall(record))
    if sequences < _SEVERAL or utf8_share(record) <= _MOSTLY:
        return 0.0
    return min(_MOST_BONUS, _SEQUENCE_BONUS * sequences)


def _chunks(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of records that hold _CHUNK bytes together, or one record."""
    start, total = 0, 0
    for i, size in enumerate(sizes):
        if i > start and total + size > _CHUNK:
            yield start, i
            start, total = i, 0
        total += size
    if sizes:
        yield start, len(sizes)


def _doubt(first: Lead, part: bytes) -> bool:
    """Whether a part of a record does not tell the two best encodings apart."""
    if first.margin < _DOUBT:
        return True
    alike = decode(part, first.encoding)
    return alike is not None and alike == decode(part, first.runner_up)


@dataclass(frozen=True)
class _Reader:
    profile: EncodingProfile
    options: ReadingOptions
    scorer: Scorer

    def batch(self, records: Sequence[bytes]) -> list[Reading]:
        out: dict[int, Reading] = {}
        parts: dict[int, bytes] = {}
        for i, record in enumerate(records):
            try:
                out[i] = Reading(UTF8, record.decode(), float("nan"), None, Status.OK)
            except UnicodeDecodeError:
                parts[i] = window(record, self.options.window)
        shares = {i: utf8_share(records[i]) for i in parts}
        first = self._settled(records, {i: parts[i] for i in parts if shares[i] <= _MOSTLY})
        common = tuple(dict.fromkeys((*self.profile.encodings, *COMMON, NOISE)))
        plain: dict[int, bytes] = {}
        damaged: dict[int, bytes] = {}
        for i in sorted(parts.keys() - first.keys()):
            most = _FEW_MORE if shares[i] else _FEW
            few = shares[i] > _UTF8_SHARE or high_bytes(parts[i]) <= most
            (damaged if few else plain)[i] = parts[i]
        first |= self._contest(records, plain, common)
        first |= self._contest(records, damaged, (*common, UTF8, CESU8))
        out |= {i: self._judge(records[i], lead) for i, lead in first.items()}
        return [out[i] for i in range(len(records))]

    def _settled(self, records: Sequence[bytes], parts: dict[int, bytes]) -> dict[int, Lead]:
        """Leads of records that read plainly in the double-byte encodings of their file."""
        own = self.profile.encodings
        if not own or any(is_single_byte(encoding) for encoding in own):
            return {}
        sizes = {i: high_bytes(part) for i, part in parts.items()}
        parts = {i: part for i, part in parts.items() if sizes[i] >= _PLAIN_BYTES}
        out: dict[int, Lead] = {}
        double = tuple(dict.fromkeys((*own, *DOUBLE_BYTE)))
        for encodings, least in ((own, _PLAIN_GAIN), (double, _DOUBLE_GAIN)):
            rest = {i: part for i, part in parts.items() if i not in out}
            outcome, scores = self._leads(records, rest, (*encodings, NOISE))
            gains = scores.max(axis=1) - scores[:, -1]
            for (i, lead), gain in zip(outcome.items(), gains.tolist(), strict=True):
                sure = lead.text is not None and lead.margin >= self.options.min_margin
                if sure and gain >= sizes[i] * least:
                    out[i] = lead
        return out

    def _contest(
        self, records: Sequence[bytes], parts: dict[int, bytes], encodings: tuple[str, ...]
    ) -> dict[int, Lead]:
        """Leads among all encodings; where a part leaves doubt, more of the record is weighed."""
        out: dict[int, Lead] = {}
        size = self.options.window
        while parts:
            out |= self._leads(records, parts, encodings)[0]
            size *= _MORE
            doubt = [
                i for i in parts if len(parts[i]) < len(records[i]) and _doubt(out[i], parts[i])
            ]
            parts = {i: window(records[i], size) for i in doubt} if size < _LONGEST else {}
        return out

    def _leads(
        self, records: Sequence[bytes], parts: dict[int, bytes], encodings: tuple[str, ...]
    ) -> tuple[dict[int, Lead], Floats]:
        weighed, whole = list(parts.values()), [records[i] for i in parts]
        chunks = [np.zeros((0, len(encodings)))]
        for start, end in _chunks([len(part) for part in weighed]):
            contest = Contest.of(weighed[start:end], encodings, self.scorer)
            chunks.append(contest.by_encoding(self._weights(contest)))
        scores = np.concatenate(chunks)
        if UTF8 in encodings:
            forms = [encodings.index(form) for form in (UTF8, CESU8)]
            scores[:, forms] += np.array([_bonus(record) for record in whole])[:, None]
        return dict(zip(parts, leads(whole, encodings, scores, weighed), strict=True)), scores

    def _weights(self, contest: Contest) -> Floats:
        """The file's weights; damage may strike any record, whatever the others show."""
        damaged = [column.encoding in (UTF8, CESU8) for column in contest.columns]
        weights = self.profile.weigh(contest.columns)
        return np.where(damaged, np.maximum(weights, _DAMAGE_FLOOR), weights)

    def _judge(self, record: bytes, first: Lead) -> Reading:
        margin, runner_up = round(first.margin, 4), first.runner_up or None
        sure = margin >= self.options.min_margin
        if first.encoding == NOISE and not sure and runner_up not in (None, UTF8):
            return Reading(runner_up, decode(record, runner_up), 0.0, None, Status.UNSURE)
        if first.text is None:
            return Reading(first.encoding or None, None, margin, runner_up, Status.UNDECODABLE)
        status = Status.RECOVERED if sure else Status.UNSURE
        name = reader(record, first.encoding)
        return Reading(name, first.text, margin, runner_up, status)
