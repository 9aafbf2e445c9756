"""How likely a character is in a language: -ln P of each code point, in nats.

Every cost is a whole multiple of 1/256 nat, so that sums of them are exact in floating point
and the same in any order, in any batch, on any machine.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.text import ideographs
from corpusgate.text.alphabets import ALPHABETS, rank_law, zipf
from corpusgate.text.char_states import ASTRAL, STATES, pair_costs, states

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Costs = NDArray[np.float64]

GRAIN = 256
"""Costs are whole multiples of 1 / GRAIN nats."""

WORLD = "und"
"""The language of text in a script that no alphabet here writes (ISO 639-2: undetermined)."""

_ALPHABET = {alphabet.language: alphabet for alphabet in ALPHABETS}
_SCRIPT = {
    **dict.fromkeys(("ru", "uk", "bg", "sr", "mk", "be"), "cyrillic"),
    "el": "greek",
    "he": "hebrew",
    "ar": "arabic",
    "th": "thai",
}
LATIN_LANGUAGES = tuple(name for name in _ALPHABET if name not in _SCRIPT)

# Shares of running text, rounded from the letter counts that the rank law is fitted to: four
# characters in five are letters of the language.
_LETTERS_SHARE = 0.8
# A word of the list is met this often, after Zipf: closed classes make 40-50 % of running text.
_WORDS_SHARE = 0.4
# Characters that do not belong: cost of any one of their group, set by hand (docs/decode.md).
_STRAY = {
    "space": 6.0,
    "digit": 4.5,
    "punctuation": 5.0,
    "latin": 6.0,
    "accent": 12.0,
    "cjk-punctuation": 12.0,
    "typographic": 7.0,
    "symbol": 10.5,
    "box": 10.5,
    "mark": 11.0,
    "hangul": 16.0,
    "han": 19.0,
    "bad": 17.0,
}
_STRAY_LETTER, _OWN_SCRIPT, _WORLD_LETTER = 13.0, 10.0, 6.0
# A character lost to damage: one record in a thousand is damaged, at one place of hundreds.
_LOST = 12.0
# English prose: a space in every 6 characters, stops and quotes 1-2 %.
_SPACE, _STOP, _NEWLINE = 1.8, 4.2, 3.5
_C1 = range(0x80, 0xA0)


@cache
def _strays(script: str) -> Costs:
    cost = np.zeros(len(STATES))
    for i, state in enumerate(STATES):
        own = state.group == script or (script, state.group) == ("latin", "accent")
        cost[i] = _OWN_SCRIPT if own else _STRAY.get(state.group, _STRAY_LETTER)
        if script == WORLD and state.group == "other":
            cost[i] = _WORLD_LETTER
    out = cost[states()]
    _rank(out, _ALPHABET["en"].letters, _LETTERS_SHARE)
    out[ord(" ")] = _SPACE
    out[[ord(c) for c in ",.-'\""]] = _STOP
    out[[ord(c) for c in "\t\n\r"]] = _NEWLINE
    out[_C1] = _STRAY["bad"]
    return out


def _rank(
    cost: Costs, letters: Sequence[str], share: float, law: Callable[[int], Costs] = rank_law
) -> None:
    """Set the costs of letters, capitals like small ones, by their rank."""
    for letter, p in zip(letters, law(len(letters)), strict=True):
        for form in (letter, letter.upper()):
            if len(form) == 1:
                cost[ord(form)] = -np.log(share * p)


@cache
def letter_costs(language: str) -> Costs:
    """Costs over the basic plane, of shape (PLANE,)."""
    if language in _ALPHABET:
        cost = _strays(_SCRIPT.get(language, "latin")).copy()
        _rank(cost, _ALPHABET[language].letters, _LETTERS_SHARE)
        if language == "tr":
            cost[ord("\u0130")], cost[ord("I")] = cost[ord("i")], cost[ord("\u0131")]
    elif language == WORLD:
        cost = _strays(WORLD).copy()
    else:
        cost = _strays("east-asian").copy()
        for points, values in ideographs.costs(language):
            cost[points] = np.minimum(cost[points], values)
    cost[ord("\ufffd")] = _LOST
    cost[ASTRAL] = _STRAY["symbol"]
    return np.round(cost * GRAIN) / GRAIN


@cache
def transitions() -> Costs:
    """`pair_costs`, in whole grains, flattened: after * len(STATES) + state."""
    return np.asarray(np.round(pair_costs().ravel() * GRAIN) / GRAIN, np.float64)


@cache
def word_gains(language: str) -> dict[str, float]:
    """Words of a language and how many nats less each costs as a word than letter by letter."""
    alphabet = _ALPHABET.get(language)
    if alphabet is None or not alphabet.words:
        return {}
    cost, steps, state = letter_costs(language), transitions(), states()
    gains = {}
    for word, p in zip(alphabet.words, zipf(len(alphabet.words)), strict=True):
        path = [0, *(int(state[ord(c)]) for c in word), 0]
        shape = sum(steps[a * len(STATES) + b] for a, b in pairwise(path))
        spelled = shape + sum(cost[ord(c)] for c in word)
        gain = spelled + np.log(_WORDS_SHARE * p)
        if gain > 0:
            gains[word] = round(float(gain) * GRAIN) / GRAIN
    return gains
