"""P(bytes | encoding, language) of short records, in batches, without a trained model.

The probability of bytes in an encoding is that of the text they decode to: letters by their
rank in the language (`char_costs`), words by their shape (`char_states`), and the commonest
words of the language. Sums are exact (`char_costs.GRAIN`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.text.ascii_costs import ANY, ascii_costs
from corpusgate.text.char_costs import LATIN_LANGUAGES, letter_costs, transitions, word_gains
from corpusgate.text.char_states import EAST_ASIAN, IS_LETTER, PLANE, STATES, states
from corpusgate.text.code_runs import HIGH, Codes, Runs, hash_of
from corpusgate.text.codepages import NOISE, UTF8, decode, is_single_byte

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corpusgate.text.codepages import Column

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# A byte of no text: right readings cost 2.5 to 4.3 nats a byte, wrong ones 5 and more
# (docs/decode.md). Noise comes in runs, accents alone. Hand-set.
_NOISE_BYTE, _NOISE_RUN = 5.0, 3.0
# A Han character or syllable between small Latin letters is seldom meant. Hand-set.
_INSIDE = 5.0
# Above any sum of costs: a byte that the encoding does not assign.
_HOLE = float(1 << 30)
_REPLACEMENT = 0xFFFD
_LOWER_ASCII = np.array([s.group == "latin" and s.case == "lower" for s in STATES])
_EAST_ASIAN = np.array([s.group in EAST_ASIAN for s in STATES])


def score(records: Sequence[bytes], columns: Sequence[Column]) -> Floats:
    """Weigh: ln P(record | encoding, language), the `Scorer` that needs no trained model."""
    out = np.full((len(records), len(columns)), -np.inf)
    if not records:
        return out
    by_encoding: dict[str, list[int]] = {}
    for i, column in enumerate(columns):
        by_encoding.setdefault(column.encoding, []).append(i)
    single = [i for e, which in by_encoding.items() if is_single_byte(e) for i in which]
    if single:
        out[:, single] = _single_byte(records, tuple(columns[i] for i in single))
    for encoding, which in by_encoding.items():
        if encoding == NOISE:
            out[:, which] = _noise(records)[:, None]
        elif not is_single_byte(encoding):
            texts = _texts(records, encoding)
            if texts:
                languages = [columns[i].language for i in which]
                out[np.ix_(list(texts), which)] = _multi_byte(list(texts.values()), languages)
    return out


@cache
def _page(encoding: str) -> tuple[NDArray[np.float32], Ints]:
    """Of a single-byte encoding: costs of a byte after a byte, of shape (65536,); code points."""
    points = [ord(bytes((byte,)).decode(encoding, "replace")) for byte in range(256)]
    kind = states()[points].astype(np.int64)
    pairs = transitions()[kind[:, None] * len(STATES) + kind[None, :]]
    return pairs.ravel().astype(np.float32), np.array(points)


@cache
def _byte_costs(columns: tuple[Column, ...]) -> Floats:
    """Costs of the bytes from 0x80 on, of shape (128, columns)."""
    out = np.zeros((HIGH, len(columns)))
    for i, column in enumerate(columns):
        points = _page(column.encoding)[1][HIGH:]
        out[:, i] = np.where(points == _REPLACEMENT, _HOLE, letter_costs(column.language)[points])
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
                    entries.add((hash_of(data), i, gain))
    rows = sorted(entries)
    hashes = np.array([key for key, _, _ in rows], np.uint64)
    keys, first = np.unique(hashes, return_index=True)
    which = np.array([i for _, i, _ in rows], np.int64)
    return keys, np.append(first, len(rows)), which, np.array([gain for *_, gain in rows])


def _word_gains(text: Codes, columns: tuple[Column, ...]) -> Floats:
    """Gains of known words that are not all ASCII, of shape (records, columns)."""
    out = np.zeros(len(text) * len(columns))
    keys, first, which, gains = _byte_words(columns)
    runs = Runs.of(text.high | IS_LETTER[states()[text.plain]])
    if len(runs) and len(keys):
        runs = runs.take(np.logical_or.reduceat(text.high[runs.positions], runs.first))
        hashes = runs.hashes(text.codes)
        at = np.minimum(np.searchsorted(keys, hashes), len(keys) - 1)
        known = np.flatnonzero(keys[at] == hashes)
        hits = Runs(first[at[known]], first[at[known] + 1])
        owner = text.record[runs.start[known]][hits.owner]
        cells = owner * len(columns) + which[hits.positions]
        out += np.bincount(cells, gains[hits.positions], len(out))
    return out.reshape(len(text), len(columns))


def _single_byte(records: Sequence[bytes], columns: tuple[Column, ...]) -> Floats:
    text = Codes.of_bytes(records)
    high = text.high
    cells = text.record[high] * HIGH + text.codes[high] - HIGH
    counts = np.bincount(cells, minlength=len(text) * HIGH).reshape(len(text), HIGH)
    cost = counts.astype(np.float64) @ _byte_costs(columns) - _word_gains(text, columns)
    shapes = _shapes(text, {column.encoding for column in columns})
    spoken = {column.language for column in columns}
    plain = ascii_costs(text, tuple(name for name in LATIN_LANGUAGES if name in spoken))
    for i, column in enumerate(columns):
        cost[:, i] += shapes[column.encoding] + plain.get(column.language, plain[ANY])
    return np.where(cost < _HOLE / 2, -cost, -np.inf)


def _shapes(text: Codes, encodings: set[str]) -> dict[str, Floats]:
    """Costs of what follows what, of each record in single-byte encodings."""
    high = text.high
    touched = np.flatnonzero(high[1:] | high[:-1]) + 1
    pair = text.codes[touched - 1] << 8 | text.codes[touched]
    owner = text.record[touched]
    steps = _steps(states()[text.plain])
    steps[touched] = 0.0
    shared = text.sums(steps)
    return {e: shared + text.sums_at(owner, _page(e)[0][pair]) for e in sorted(encodings)}


def _steps(kind: NDArray[np.uint8]) -> Floats:
    """The cost of each state after the one before it; nothing for the first."""
    wide = kind.astype(np.int64)
    return np.append(0.0, transitions()[wide[:-1] * len(STATES) + wide[1:]])


def _texts(records: Sequence[bytes], encoding: str) -> dict[int, str]:
    """Texts by number of record; damaged UTF-8 with U+FFFD in its breaks."""
    if encoding == UTF8:
        return {i: record.decode(UTF8, "replace") for i, record in enumerate(records)}
    texts = ((i, decode(record, encoding)) for i, record in enumerate(records))
    return {i: text for i, text in texts if text is not None}


def _multi_byte(texts: Sequence[str], languages: Sequence[str]) -> Floats:
    text = Codes.of_texts(texts)
    kind = states()[text.codes]
    steps = _steps(kind)
    letter, east = _LOWER_ASCII[kind], _EAST_ASIAN[kind]
    steps[1:-1] += _INSIDE * (letter[:-2] & east[1:-1] & letter[2:])
    plain = ascii_costs(text, tuple(name for name in LATIN_LANGUAGES if name in languages))
    out = np.zeros((len(text), len(languages)))
    for i, language in enumerate(languages):
        cost = text.sums(_high_costs(language)[text.codes] + steps)
        out[:, i] = -(cost + plain.get(language, plain[ANY]))
    return out


@cache
def _high_costs(language: str) -> NDArray[np.float32]:
    """Costs of a language over the basic plane, nothing for ASCII."""
    return np.where(np.arange(PLANE) < HIGH, 0.0, letter_costs(language)).astype(np.float32)


def _noise(records: Sequence[bytes]) -> Floats:
    text = Codes.of_bytes(records)
    begins = text.high & ~np.append(False, text.high[:-1])
    cost = text.sums(text.high * _NOISE_BYTE + begins * _NOISE_RUN)
    return -(ascii_costs(text, ())[ANY] + cost)
