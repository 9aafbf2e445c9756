# ruff: noqa: RUF001 - letters and marks that look alike are meant
"""What kind of character follows what: the shape of words, the same in every language.

A text read in the wrong encoding breaks words: a capital inside one, a sign between letters,
two scripts in a word. Each break has a cost in nats. The costs were set by hand and checked
on transcoded text (docs/decode.md); only their order of magnitude matters.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLANE = 0x10000
"""Tables are over the basic plane; `ASTRAL` stands for every character beyond it."""
ASTRAL = 0xFFFF


@dataclass(frozen=True)
class State:
    """A kind of character: a script or a sort of sign; for letters their case and role."""

    group: str
    case: str = ""
    """"lower", "upper", or empty for scripts without case."""
    role: str = ""
    """"vowel", "consonant"; "sign" for the Cyrillic signs and the Thai vowels and tones that
    stand on a consonant; "final" for word-final forms."""


_CASED = ("latin", "accent", "cyrillic", "greek")
_CASELESS = ("hebrew", "arabic", "thai", "other")
EAST_ASIAN = ("hiragana", "katakana", "han", "hangul")
_SIGNS = ("halfwidth", "typographic", "cjk-punctuation", "mark", "symbol", "box", "bad")

STATES = (
    *(State(g) for g in ("space", "digit", "punctuation")),
    *(State(g, c, r) for g in _CASED for c in ("lower", "upper") for r in ("consonant", "vowel")),
    *(State("cyrillic", c, "sign") for c in ("lower", "upper")),
    State("thai", "", "sign"),
    State("greek", "lower", "final"),
    *(State(g) for g in (*_CASELESS, *EAST_ASIAN)),
    *(State(g, "", "final") for g in ("hebrew", "arabic")),
    *(State(g) for g in _SIGNS),
)
_NUMBER = {state: i for i, state in enumerate(STATES)}

IS_LETTER = np.array([s.group in (*_CASED, *_CASELESS[:3]) for s in STATES])
"""States of the letters that make words between spaces."""

_SPACES = frozenset(" \t\n\r\xa0\u3000")
_VOWELS = frozenset("aeiouyæœøıαεηιουωаеёиоуыэюяіїєѝ")
_CYRILLIC_SIGNS = frozenset("ьъ")
_FINALS = {"ς": "greek", **dict.fromkeys("ךםןףץ", "hebrew"), **dict.fromkeys("ةى", "arabic")}
_TYPOGRAPHIC = frozenset("“”‘’«»„‚–—…·•°©®™§№€£¡¿´′″‹›")
# Blocks.txt; the first that holds a character names its group.
_BLOCKS = (
    (0x3005, 0x3007, "han"),
    (0x3400, 0x4DBF, "han"),
    (0x4E00, 0x9FFF, "han"),
    (0xF900, 0xFAFF, "han"),
    (0xAC00, 0xD7A3, "hangul"),
    (0xFF61, 0xFF9F, "halfwidth"),
    (0x3041, 0x309F, "hiragana"),
    (0x30A1, 0x30FA, "katakana"),
    (0x30FC, 0x30FF, "katakana"),
    (0x3001, 0x303F, "cjk-punctuation"),
    (0x30FB, 0x30FB, "cjk-punctuation"),
    (0xFE30, 0xFE4F, "cjk-punctuation"),
    (0xFF01, 0xFF5E, "cjk-punctuation"),
    (0x2500, 0x259F, "box"),
)
_NO_TEXT = frozenset(("Cc", "Cn", "Co", "Cs"))
_NAMED = ("LATIN", "CYRILLIC", "GREEK", "HEBREW", "ARABIC", "THAI")


def _state(point: int) -> State:
    c = chr(point)
    category = unicodedata.category(c)
    group = next((group for low, high, group in _BLOCKS if low <= point <= high), "symbol")
    if c in _SPACES:
        group = "space"
    elif (category in _NO_TEXT and point != ASTRAL) or c == "\ufffd":
        group = "bad"
    elif c in _TYPOGRAPHIC:
        group = "typographic"
    elif group == "symbol" and category[0] in "LM":
        return _letter(c)
    elif category == "Nd" and group == "symbol":
        group = "digit" if c.isascii() else "other"
    elif c.isascii():
        group = "punctuation"
    return State(group)


def _letter(c: str) -> State:
    script = unicodedata.name(c, "").partition(" ")[0]
    group = script.lower() if script in _NAMED else "other"
    if unicodedata.category(c)[0] == "M":
        return State("thai", "", "sign") if group == "thai" else State("mark")
    if group == "latin" and not c.isascii():
        group = "accent"
    if c in _FINALS:
        return State(group, "lower" if group in _CASED else "", "final")
    if group not in _CASED:
        return State(group)
    low = unicodedata.normalize("NFD", c)[0].lower()
    role = "vowel" if low in _VOWELS else "consonant"
    if low in _CYRILLIC_SIGNS:
        role = "sign"
    return State(group, "upper" if c.isupper() or c.istitle() else "lower", role)


@cache
def states() -> NDArray[np.uint8]:
    """Index in STATES of every code point of the basic plane."""
    return np.array([_NUMBER[_state(point)] for point in range(PLANE)], np.uint8)


# -ln P of case by case before: text is 1 % capitals inside words, but a word of capitals
# stays one. Checked on transcoded text, docs/decode.md.
_CASE = {
    ("lower", "lower"): 0.005,
    ("lower", "upper"): 5.5,
    ("upper", "upper"): 0.5,
    ("upper", "lower"): 0.9,
    ("", "lower"): 0.16,
    ("", "upper"): 1.9,
}
# ln of how much rarer a vowel or consonant is after another than at large. Source: A. A.
# Markov's count of 20,000 letters of "Eugene Onegin" (1913): P(vowel) = .432, after a vowel
# .128, after a consonant .663.
_VOWEL = {
    ("vowel", "vowel"): 1.22,
    ("vowel", "consonant"): -0.43,
    ("consonant", "vowel"): -0.43,
    ("consonant", "consonant"): 0.52,
}
_BESIDE = {  # two groups side by side, whichever comes first; set by hand
    frozenset(("han", "hiragana")): 0.2,
    frozenset(("han", "katakana")): 0.2,
    frozenset(("hiragana", "katakana")): 1.0,
    frozenset(("han", "hangul")): 4.0,
}


def _is_letter(state: State) -> bool:
    return state.group in _CASED or state.group in _CASELESS


def _script_cost(p: State, c: State) -> float:
    """Two letters of different scripts."""
    groups = frozenset((p.group, c.group))
    if len(groups) == 1 or groups == {"latin", "accent"}:
        return 0.0
    if _is_letter(p) and _is_letter(c):
        return (6.0 if p.case and c.case else 4.0) if "latin" in groups else 9.0
    wide = [s.group in EAST_ASIAN for s in (p, c)]
    if all(wide):
        return _BESIDE.get(groups, 8.0)
    if any(wide) and (_is_letter(p) or _is_letter(c)):
        return 1.5 if "latin" in groups else 6.0
    return 0.0


def _vowel_cost(p: State, c: State) -> float:
    if not (p.role and c.role and _script_cost(p, c) == 0.0 and p.case and c.case):
        return 0.0
    before, after = ("vowel" if s.role == "vowel" else "consonant" for s in (p, c))
    return _VOWEL[before, after]


def _place_cost(p: State, c: State) -> float:
    """Letters that have their place in a word: signs, word-final forms."""
    cost = 0.0
    if c.role == "sign":
        cost += (
            7.0 if p.group != c.group else 5.0 if p.role in ("vowel", "sign") and c.case else 0.0
        )
    if p.role == "final" and _is_letter(c):
        cost += 5.0
    if c.role == "final" and not _is_letter(p):
        cost += 5.0
    return cost


def _sign_cost(p: State, c: State) -> float:
    """Signs beside letters."""
    groups = {p.group, c.group}
    letters = _is_letter(p) or _is_letter(c)
    cost = 0.0
    if len(groups) == 1:
        return -5.0 if p.group == "box" else 0.0
    if "halfwidth" in groups:
        cost += 4.0 if groups & {*EAST_ASIAN} else 6.0 if letters else 2.0
    if letters:
        beside = {"symbol": 3.0, "typographic": 0.7, "box": 4.0, "digit": 1.5}
        cost += sum(beside.get(group, 0.0) for group in groups)
        if "cjk-punctuation" in groups and (p.case or c.case):
            cost += 1.5
    if c.group == "mark":
        cost += 0.5 if _is_letter(p) else 6.0
    return cost


@cache
def pair_costs() -> NDArray[np.float64]:
    """Cost in nats of a state (column) after another (row)."""
    rules = (_script_cost, _vowel_cost, _place_cost, _sign_cost)
    return np.array(
        [
            [_CASE.get((p.case, c.case), 0.0) + sum(rule(p, c) for rule in rules) for c in STATES]
            for p in STATES
        ]
    )
