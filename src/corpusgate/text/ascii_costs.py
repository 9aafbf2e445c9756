"""What the ASCII characters of a record cost in a language: the same in every encoding."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.text.char_costs import letter_costs, word_gains
from corpusgate.text.char_states import IS_LETTER, states
from corpusgate.text.code_runs import HIGH, Runs, hash_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corpusgate.text.code_runs import Codes

    Floats = NDArray[np.float64]

ANY = ""
"""The language of ASCII text beside any other script: English words, foreign to the rest."""

# A word of the language itself, and one of English in its place: one in five is foreign.
# Hand-set; the second is less than it costs to spell English by the letters of the language.
_OWN, _FOREIGN = 0.2, 1.5
# An English record with a name or a quotation in the language: its words cost this once.
_QUOTING = 6.0
_LETTERS = slice(ord("a"), ord("z") + 1)
_TO_LOWER = 0x20


@cache
def _words(languages: tuple[str, ...]) -> tuple[NDArray[np.uint64], Floats]:
    """Hashes of words in ASCII, lower case, sorted; gains of shape (words, languages)."""
    table: dict[int, Floats] = {}
    for column, language in enumerate(languages):
        for word, gain in word_gains(language).items():
            if word.isascii():
                row = table.setdefault(hash_of(word.encode()), np.zeros(len(languages)))
                row[column] = gain
    keys = sorted(table)
    return np.array(keys, np.uint64), np.array([table[key] for key in keys])


@cache
def _signs() -> Floats:
    """Costs of the ASCII characters that are no letters; nothing for NUL, which stands in."""
    cost = np.where(IS_LETTER[states()[:HIGH]], 0.0, letter_costs("en")[:HIGH])
    cost[0] = 0.0
    return cost


def ascii_costs(text: Codes, languages: tuple[str, ...]) -> dict[str, Floats]:
    """Costs of the ASCII characters of each record by language, `ANY` included.

    A word is spelled by the language or by English, whichever is cheaper; so is a record: one
    of the language that holds English words, or an English one that quotes it.
    """
    base = text.sums(_signs()[text.plain])
    runs = Runs.of(IS_LETTER[states()[text.plain]])
    if not len(runs):
        return dict.fromkeys((ANY, *languages), base)
    names = ("en", *languages)
    cost = _spelled(text, runs, names) - _known(text, runs, names)
    owner = text.record[runs.start]
    out = {}
    for column, language in enumerate((ANY, *languages)):
        own = cost[:, column] if column else np.full(len(runs), np.inf)
        mixed = text.sums_at(owner, np.minimum(own + _OWN, cost[:, 0] + _FOREIGN))
        quoting = text.sums_at(owner, np.minimum(own, cost[:, 0]) + _OWN) + _QUOTING
        out[language] = base + np.minimum(mixed, quoting)
    return out


def _spelled(text: Codes, runs: Runs, languages: tuple[str, ...]) -> Floats:
    """Costs of runs letter by letter, of shape (runs, languages)."""
    table = np.stack([letter_costs(name)[_LETTERS] for name in languages], 1)
    letters = (text.plain[runs.positions] | _TO_LOWER) - _LETTERS.start
    cells = runs.owner * len(table) + letters
    counts = np.bincount(cells, minlength=len(runs) * len(table)).reshape(-1, len(table))
    return counts.astype(np.float64) @ table


def _known(text: Codes, runs: Runs, languages: tuple[str, ...]) -> Floats:
    """Gains of runs that are whole words of a list, of shape (runs, languages)."""
    keys, gains = _words(languages)
    hashes = runs.hashes(text.plain | _TO_LOWER)
    at = np.minimum(np.searchsorted(keys, hashes), len(keys) - 1)
    beside = np.concatenate(([False], text.high, [False]))
    whole = ~(beside[runs.start] | beside[runs.end + 1])
    return np.where((whole & (keys[at] == hashes))[:, None], gains[at], 0.0)
