"""P(bytes | encoding, language) of short records, in batches, without a trained model.

The probability of bytes in an encoding is that of the text they decode to: letters by their
rank in the language (`char_costs`), words by their shape (`char_states`), and the commonest
words of the language.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from corpusgate.text.char_costs import (
    GRAIN,
    LATIN_LANGUAGES,
    letter_costs,
    transitions,
    word_gains,
)
from corpusgate.text.char_states import ASTRAL, EAST_ASIAN, IS_LETTER, STATES, states
from corpusgate.text.codepages import NOISE, UTF8, decode, is_single_byte

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corpusgate.text.codepages import Column

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# A word of English in text of another language. Hand-set: less than it costs to spell it by
# the letters of that language, more than a word of its own.
_FOREIGN = 1.5
# Spelling a word of the language that is not in its list.
_OWN = 0.2
# A byte of no text: right readings cost 2.5 to 4.3 nats a byte, wrong ones 5 and more
# (docs/decode.md).
_NOISE_BYTE = 5.0
# A Han character or syllable between small Latin letters is seldom meant. Hand-set.
_INSIDE = 5.0
_LOWER_ASCII = np.array([s.group == "latin" and s.case == "lower" for s in STATES])
_EAST_ASIAN = np.array([s.group in EAST_ASIAN for s in STATES])
# Above any sum of costs: a byte that the encoding does not assign.
_HOLE = float(1 << 30)
_HIGH = 0x80
_LETTERS = slice(ord("a"), ord("z") + 1)
# Odd multiplier of the golden ratio: Knuth, The Art of Computer Programming 3, section 6.4.
_MULTIPLIER = 0x9E3779B97F4A7C15
_LONGEST_WORD = 64


class Scorer(Protocol):
    """What weighs the readings of a record. A better model has the same face."""

    def __call__(self, records: Sequence[bytes], columns: Sequence[Column]) -> Floats:
        """ln P(record | encoding, language) of shape (records, columns), without priors.

        -inf where the encoding does not decode the record strictly. A row does not depend on
        the other rows.
        """


@cache
def _powers() -> NDArray[np.uint64]:
    power, out = 1, []
    for _ in range(_LONGEST_WORD):
        power = power * _MULTIPLIER % (1 << 64)
        out.append(power)
    return np.array(out, np.uint64)


def _hash(codes: Sequence[int]) -> int:
    powers = _powers().tolist()
    return sum(c * p for c, p in zip(codes, powers, strict=False)) % (1 << 64)


@dataclass(frozen=True, eq=False)
class _Runs:
    """Maximal runs of True in a mask, and every position of them in order."""

    start: Ints
    end: Ints

    @classmethod
    def of(cls, mask: NDArray[np.bool_]) -> _Runs:
        edges = np.diff(mask.astype(np.int8), prepend=0, append=0)
        return cls(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1))

    def take(self, which: NDArray[np.bool_]) -> _Runs:
        return _Runs(self.start[which], self.end[which])

    @cached_property
    def first(self) -> Ints:
        """Where each run begins among `positions`."""
        sizes = self.end - self.start
        return np.cumsum(sizes) - sizes

    @cached_property
    def positions(self) -> Ints:
        sizes = self.end - self.start
        return np.repeat(self.start - self.first, sizes) + np.arange(int(sizes.sum()))

    @cached_property
    def owner(self) -> Ints:
        """The number of the run of each position."""
        return np.repeat(np.arange(len(self.start)), self.end - self.start)

    def hashes(self, codes: Ints) -> NDArray[np.uint64]:
        """Polynomial hash of each run's codes, modulo 2**64."""
        if not len(self.start):
            return np.zeros(0, np.uint64)
        place = self.positions - self.start[self.owner]
        powers = _powers()[np.minimum(place, _LONGEST_WORD - 1)]
        return np.add.reduceat(codes[self.positions].astype(np.uint64) * powers, self.first)


@dataclass(frozen=True, eq=False)
class _Codes:
    """Records as one array of codes (bytes, or code points), a newline before each."""

    codes: Ints
    record: Ints
    count: int

    @classmethod
    def of_bytes(cls, records: Sequence[bytes]) -> _Codes:
        data = np.frombuffer(b"\n" + b"\n".join(records), np.uint8).astype(np.int64)
        return cls(data, _owners([len(r) for r in records]), len(records))

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> _Codes:
        data = ("\n" + "\n".join(texts)).encode("utf-32-le")
        points = np.minimum(np.frombuffer(data, np.uint32), ASTRAL).astype(np.int64)
        return cls(points, _owners([len(t) for t in texts]), len(texts))

    @cached_property
    def high(self) -> NDArray[np.bool_]:
        return self.codes >= _HIGH

    def per_record(self, at: Ints | NDArray[np.bool_], values: Floats) -> Floats:
        """Sums by record of values at some positions."""
        return np.bincount(self.record[at], values, self.count)


def _owners(sizes: Sequence[int]) -> Ints:
    return np.repeat(np.arange(len(sizes)), np.asarray(sizes, np.int64) + 1)


@cache
def _ascii_words(languages: tuple[str, ...]) -> tuple[NDArray[np.uint64], Floats]:
    """Hashes of words in ASCII, lower case, sorted; gains of shape (words, languages)."""
    table: dict[int, Floats] = {}
    for column, language in enumerate(languages):
        for word, gain in word_gains(language).items():
            if word.isascii():
                row = table.setdefault(_hash(word.encode()), np.zeros(len(languages)))
                row[column] = gain
    keys = sorted(table)
    return np.array(keys, np.uint64), np.array([table[k] for k in keys])


def _ascii_costs(text: _Codes, languages: tuple[str, ...]) -> dict[str, Floats]:
    """Costs of the ASCII characters of each record: "" in any language, then by language.

    A word is spelled by the language or by English, whichever is cheaper.
    """
    names = ("en", *languages)
    letter = np.where(text.high, 0, text.codes)
    is_letter = IS_LETTER[states()[letter]]
    signs = ~is_letter & ~text.high
    base = text.per_record(signs, letter_costs("en")[text.codes[signs]])
    runs = _Runs.of(is_letter)
    if not len(runs.start):
        return dict.fromkeys(("", *languages), base)
    folded = letter | 0x20
    edge = np.concatenate(([False], text.high, [False]))
    whole = ~(edge[runs.start] | edge[runs.end + 1])
    keys, gains = _ascii_words(names)
    at = np.minimum(np.searchsorted(keys, hashes := runs.hashes(folded)), len(keys) - 1)
    known = whole & (keys[at] == hashes)
    table = np.stack([letter_costs(name)[_LETTERS] for name in names], 1)
    cells = runs.owner * len(table) + folded[runs.positions] - _LETTERS.start
    spelled = np.bincount(cells, minlength=len(runs.start) * len(table)).reshape(-1, len(table))
    cost = spelled.astype(np.float64) @ table - np.where(known[:, None], gains[at], 0.0)
    owner = text.record[runs.start]
    english = cost[:, 0] + _FOREIGN
    out = {"": base + np.bincount(owner, english, text.count)}
    for column, language in enumerate(languages, 1):
        best = np.minimum(cost[:, column] + _OWN, english)
        out[language] = base + np.bincount(owner, best, text.count)
    return out


@cache
def _page(encoding: str) -> tuple[NDArray[np.float32], Ints]:
    """Of a single-byte encoding: costs of a byte after a byte, of shape (65536,); code points."""
    points = [ord(bytes((b,)).decode(encoding, "replace")) for b in range(256)]
    kind = states()[points].astype(np.int64)
    pairs = transitions()[kind[:, None] * len(STATES) + kind[None, :]]
    return pairs.ravel().astype(np.float32), np.array(points)


@cache
def _byte_costs(columns: tuple[Column, ...]) -> Floats:
    """Costs of the bytes from 0x80 on, of shape (128, columns)."""
    out = np.zeros((_HIGH, len(columns)))
    for i, column in enumerate(columns):
        points = _page(column.encoding)[1][_HIGH:]
        out[:, i] = np.where(points == 0xFFFD, _HOLE, letter_costs(column.language)[points])  # noqa: PLR2004
    return out


@cache
def _byte_words(columns: tuple[Column, ...]) -> tuple[NDArray[np.uint64], Ints, Ints, Floats]:
    """Words with bytes from 0x80 on: sorted hashes, first entry of each, columns, gains."""
    entries = set()
    for i, column in enumerate(columns):
        for word, gain in word_gains(column.language).items():
            for form in {word, word.capitalize(), word.upper()}:
                data = form.encode(column.encoding, "ignore")
                if not data.isascii() and data.decode(column.encoding) == form:
                    entries.add((_hash(data), i, gain))
    rows = sorted(entries)
    keys = np.array([key for key, _, _ in rows], np.uint64)
    unique, first = np.unique(keys, return_index=True)
    which = np.array([i for _, i, _ in rows], np.int64)
    return unique, np.append(first, len(rows)), which, np.array([gain for *_, gain in rows])


def _word_gains(text: _Codes, columns: tuple[Column, ...]) -> Floats:
    """Gains of known words that are not all ASCII, of shape (records, columns)."""
    out = np.zeros(text.count * len(columns))
    keys, first, which, gains = _byte_words(columns)
    runs = _Runs.of(text.high | IS_LETTER[states()[np.where(text.high, 0, text.codes)]])
    if len(runs.start) and len(keys):
        runs = runs.take(np.logical_or.reduceat(text.high[runs.positions], runs.first))
        hashes = runs.hashes(text.codes)
        at = np.minimum(np.searchsorted(keys, hashes), len(keys) - 1)
        known = np.flatnonzero(keys[at] == hashes)
        hits = _Runs(first[at[known]], first[at[known] + 1])
        owner = np.repeat(text.record[runs.start[known]], hits.end - hits.start)
        cell = owner * len(columns) + which[hits.positions]
        out = np.bincount(cell, gains[hits.positions], len(out))
    return out.reshape(text.count, len(columns))


def _single_byte(records: Sequence[bytes], columns: tuple[Column, ...]) -> Floats:
    text = _Codes.of_bytes(records)
    high = text.high
    touched = np.flatnonzero(high[1:] | high[:-1]) + 1
    pair = (text.codes[:-1] << 8 | text.codes[1:])[touched - 1]
    plain = np.flatnonzero(~(high[1:] | high[:-1])) + 1
    kind = states()[np.where(high, 0, text.codes)].astype(np.int64)
    steps = transitions()[kind[plain - 1] * len(STATES) + kind[plain]]
    shared = text.per_record(plain, steps)
    cells = text.record[high] * _HIGH + text.codes[high] - _HIGH
    counts = np.bincount(cells, minlength=text.count * _HIGH).reshape(text.count, _HIGH)
    cost = counts.astype(np.float64) @ _byte_costs(columns) - _word_gains(text, columns)
    languages = tuple(name for name in LATIN_LANGUAGES if any(c.language == name for c in columns))
    plain_costs = _ascii_costs(text, languages)
    shapes = {
        encoding: shared + text.per_record(touched, _page(encoding)[0][pair])
        for encoding in {column.encoding for column in columns}
    }
    for i, column in enumerate(columns):
        name = column.language if column.language in languages else ""
        cost[:, i] += shapes[column.encoding] + plain_costs[name]
    return np.where(cost < _HOLE / 2, -cost, -np.inf)


def _texts(records: Sequence[bytes], encoding: str) -> list[str | None]:
    if encoding == UTF8:
        return [record.decode(UTF8, "replace") for record in records]
    return [decode(record, encoding) for record in records]


def _multi_byte(texts: Sequence[str], languages: Sequence[str]) -> Floats:
    text = _Codes.of_texts(texts)
    kind = states()[text.codes].astype(np.int64)
    steps = transitions()[kind[:-1] * len(STATES) + kind[1:]]
    latin = tuple(name for name in LATIN_LANGUAGES if name in languages)
    plain = _ascii_costs(text, latin)
    shape = text.per_record(np.arange(1, len(kind)), steps)
    letter, east = _LOWER_ASCII[kind], _EAST_ASIAN[kind]
    inside = np.flatnonzero(letter[:-2] & east[1:-1] & letter[2:]) + 1
    shape += _INSIDE * np.bincount(text.record[inside], minlength=text.count)
    points = text.codes[text.high]
    out = np.zeros((text.count, len(languages)))
    for i, language in enumerate(languages):
        cost = text.per_record(text.high, letter_costs(language)[points])
        out[:, i] = -(cost + shape + plain.get(language, plain[""]))
    return out


def _noise(records: Sequence[bytes]) -> Floats:
    text = _Codes.of_bytes(records)
    return -(_ascii_costs(text, ())[""] + _NOISE_BYTE * np.bincount(text.record[text.high], minlength=text.count))


def score(records: Sequence[bytes], columns: Sequence[Column]) -> Floats:
    """The `Scorer` of this module. Exact: sums are whole multiples of 1 / GRAIN nats."""
    out = np.full((len(records), len(columns)), -np.inf)
    single = [i for i, c in enumerate(columns) if is_single_byte(c.encoding)]
    if records and single:
        out[:, single] = _single_byte(records, tuple(columns[i] for i in single))
    wide = dict.fromkeys(c.encoding for c in columns if not is_single_byte(c.encoding))
    for encoding in wide if records else ():
        which = [i for i, c in enumerate(columns) if c.encoding == encoding]
        if encoding == NOISE:
            out[:, which] = _noise(records)[:, None]
            continue
        texts = _texts(records, encoding)
        rows = [row for row, text in enumerate(texts) if text is not None]
        if rows:
            known = [text for text in texts if text is not None]
            languages = [columns[i].language for i in which]
            out[np.ix_(rows, which)] = _multi_byte(known, languages)
    return out


assert GRAIN & (GRAIN - 1) == 0  # noqa: S101  - sums are exact only in powers of two
