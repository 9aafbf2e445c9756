"""Cleaning: what is never hurt, what is cut, and that cutting is done once."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import reduce
from operator import or_
from typing import get_args

import pytest
from hostile import CONTEXT, HOSTILE
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.errors import ConfigError
from corpusgate.text.characters import CONTROL, NONE, Kind, kind_of
from corpusgate.text.policy import (
    Action,
    CharacterPolicy,
    apply,
    check_of,
    cuts,
    cuts_bytes,
    refuses,
    strips,
)

DEFAULT = CharacterPolicy()
POLICIES = st.builds(
    CharacterPolicy,
    **{f.name: st.sampled_from(get_args(Action)) for f in fields(CharacterPolicy)},
)

UNHURT = {
    "english": "tab\tand newline\nand \u201cquotes\u201d \u2026",
    "crlf": "one\r\ntwo\r\n",
    "source code with a form feed": "def f():\n\treturn 1\n\f\nclass A:\n",
    "persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u06a9\u062a\u0627\u0628",
    "persian abbreviation": "\u0633\u0627\u0644 \u06f1\u06f3\u06f6\u06f7 \u0647\u200d.\u0634.",
    "joined without a ligature": "\u0644\u200d\u200c\u200d\u0627",
    "hindi": "\u0915\u094d\u200d\u0937 \u0930\u094d\u200d\u092f",
    "bengali": "\u09b0\u200d\u09cd\u09af\u09be\u09ac",
    "sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "malayalam": "\u0d05\u0d35\u0d28\u0d4d\u200d",
    "kannada": "\u0cb0\u0ccd\u200c\u0c95",
    "hebrew with a meteg": "\u05dc\u05b0\u200d\u05bd",
    "hebrew with an isolate": "\u05d4\u05d5\u05d0 \u2067C++\u2069 \u05d0\u05de\u05e8",
    "hebrew with a mark": "\u05e9\u05dc\u05d5\u05dd!\u200f (C++)\u200e",
    "arabic with an embedding": "\u0642\u0627\u0644 \u202aHTML\u202c \u062b\u0645 \u061c1-2",
    "nested isolates": "\u05d0 \u2068\u2067a\u2069 b\u2069",
    "khmer": "\u1781\u17d2\u1789\u17bb\u17c6\u200b\u179f\u17d2\u179a\u17a1\u17b6\u1789\u17cb",
    "thai": "\u0e20\u0e32\u0e29\u0e32\u200b\u0e44\u0e17\u0e22",
    "chinese": "\u4e2d\u6587\uff0c\u300a\u7d05\u6a13\u5922\u300b\u3002\u3000\ufe30",
    "a variant ideograph": "\u845b\U000e0100\u98fe\u533a",
    "a profession": "\U0001f469\U0001f3fd\u200d\U0001f4bb",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "a heart on fire": "\u2764\ufe0f\u200d\U0001f525",
    "a rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "a sign of a profession": "\U0001f469\U0001f3ff\u200d\u2695\ufe0f",
    "an arrow": "\U0001f6b6\u200d\u27a1\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "scotland": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "a hyphen, a mark, lines": "soft\u00adhyphen a\u200eb next\u0085line\u2028line\u2029end",
    "private use and what was lost": "\ue000 \U000f0000 \ufffd",
}

CUT = {
    "nul": ("a\x00\x00b", "ab"),
    "c0": ("\x01a\x08\x0b\x1fb", "ab"),
    "an escape sequence": ("\x1b[31mred\x1b[0m", "[31mred[0m"),
    "del and c1": ("a\x7f\x80\x9fb", "ab"),
    "a mark inside": ("a\ufeffb", "ab"),
    "zero width": ("a\u200bb\u2060c\u2063d", "abcd"),
    "a space between ideographs": ("\u4e2d\u200b\u6587", "\u4e2d\u6587"),
    "a second space between words": ("\u1780\u200b\u200b\u1781", "\u1780\u200b\u1781"),
    "joiners of latin": ("a\u200cb\u200dc", "abc"),
    "joiners at the ends": ("\u200da \U0001f469\u200d", "a \U0001f469"),
    "too many joiners": (
        "\u0645" + "\u200c\u200d" * 9 + "\u06cc",
        "\u0645\u200c\u200d\u200c\u06cc",
    ),
    "two joiners of an emoji": (
        "\U0001f469\u200d\u200d\U0001f4bb",
        "\U0001f469\u200d\U0001f4bb",
    ),
    "overrides": ("pass\u202eword\u202c", "password"),
    "overrides of hebrew": ("\u05d0 \u202ex\u202c \u202a1\u202c", "\u05d0 x \u202a1\u202c"),
    "directions of latin": ("\u2066a\u2069 \u202ab\u202c", "a b"),
    "what is not closed": ("\u05d0\u202a\u2067 \n\u2069\u202c", "\u05d0 \n"),
    "an embedding closed by an isolate": (
        "\u05d0\u2067\u202ax\u2069\u202c",
        "\u05d0\u2067x\u2069",
    ),
    "deprecated": ("\u05d0\u206a\u206fb", "\u05d0b"),
    "hidden tags": ("hi\U000e0068\U000e0069", "hi"),
    "a flag that ends in no cancel tag": (
        "\U0001f3f4\U000e0067\U000e0062\U000e0073",
        "\U0001f3f4",
    ),
    "a flag that is no subdivision": (
        "\U0001f3f4" + "".join(map(chr, range(0xE0061, 0xE0070))) + "\U000e007f",
        "\U0001f3f4",
    ),
    "selectors that hide bytes": ("\U0001f600\ufe0f\U000e0120\U000e0121", "\U0001f600\ufe0f"),
    "noncharacters": ("a\ufffe\ufdd0\U0010ffffb", "ab"),
    "what parts letters": ("\u0645\u200b\u200c\u200b\u06cc", "\u0645\u200c\u06cc"),
    "what parts an emoji": ("\U0001f469\u2060\u200d\x00\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
}


@pytest.mark.parametrize("text", UNHURT.values(), ids=UNHURT)
def test_the_defaults_leave_alone(text: str) -> None:
    assert cuts(text, DEFAULT) == []


@pytest.mark.parametrize(("text", "clean"), CUT.values(), ids=CUT)
def test_the_defaults_cut(text: str, clean: str) -> None:
    assert ascii(apply(text, cuts(text, DEFAULT))) == ascii(clean)


@given(HOSTILE | CONTEXT, st.just(DEFAULT) | POLICIES)
def test_a_cleaned_text_has_no_cuts(text: str, policy: CharacterPolicy) -> None:
    found = cuts(text, policy)
    if any(cut.refuse for cut in found):
        assert all(cut.refuse for cut in found)
    else:
        assert cuts(apply(text, found), policy) == []


@given(HOSTILE | CONTEXT, POLICIES)
def test_cuts_are_in_order_and_take_only_what_the_policy_names(
    text: str, policy: CharacterPolicy
) -> None:
    at, policy = -1, replace(policy, ansi="keep")
    for cut in cuts(text, policy):
        assert at <= cut.start < cut.end <= len(text)
        at = cut.end
        for char in text[cut.start : cut.end]:
            kind = kind_of(ord(char))
            assert check_of(kind) == cut.check
            action = policy.action(kind)
            assert action == ("refuse" if cut.refuse else "replace" if cut.replacement else "strip")


@given(HOSTILE | CONTEXT, POLICIES)
def test_a_text_without_the_classes_has_no_cuts(text: str, policy: CharacterPolicy) -> None:
    kinds = reduce(
        or_, (kind_of(ord(char)) for char in text), Kind.ANSI if "\x1b" in text else NONE
    )
    for cut in cuts(text, policy):
        assert kinds & (refuses(policy) if cut.refuse else strips(policy))


@given(HOSTILE | CONTEXT | st.binary(max_size=8), POLICIES, st.binary(max_size=3))
def test_cuts_in_bytes_are_those_of_the_text(
    text: str | bytes, policy: CharacterPolicy, before: bytes
) -> None:
    data = text.encode() if isinstance(text, str) else text
    read = data.decode("utf-8", "surrogateescape")
    view, at = before + data + b"\x00", len(before)
    made, done = b"", at
    for cut in cuts_bytes(view, (at, at + len(data)), policy):
        made += view[done : cut.start] + cut.new
        done = cut.end
    made += view[done : at + len(data)]
    assert made == apply(read, cuts(read, policy)).encode("utf-8", "surrogateescape")


@given(CONTEXT)
def test_directions_left_are_closed(text: str) -> None:
    left = apply(text, cuts(text, DEFAULT))
    for line in left.split("\n"):
        depth = {"embedding": 0, "isolate": 0}
        for char in line:
            kind = "embedding" if "\u202a" <= char <= "\u202e" else "isolate"
            if "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069":
                assert "\u05d0" in text or "\u0645" in text
                assert char not in "\u202d\u202e"
                depth[kind] += -1 if char in "\u202c\u2069" else 1
            assert min(depth.values()) >= 0
        assert depth == {"embedding": 0, "isolate": 0}


def test_a_run_is_one_cut_and_one_space_takes_its_place() -> None:
    found = cuts("a\x00\x01\x00b\x00c", replace(DEFAULT, nul="replace", c0="replace"))
    assert [(c.start, c.end, c.replacement, c.check, c.new) for c in found] == [
        (1, 4, " ", "control-chars", b" "),
        (5, 6, " ", "control-chars", b" "),
    ]
    assert [(c.start, c.end) for c in cuts("\x00\u200b\x00\u200b\u2060", DEFAULT)] == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 5),
    ]


def test_a_refused_text_is_said_to_be_so_and_is_not_cut() -> None:
    policy = replace(DEFAULT, tag="refuse", ansi="refuse")
    (tag,) = cuts("\x00a\U000e0061", policy)
    assert (tag.start, tag.end, tag.check, tag.refuse) == (2, 3, "invisible-chars", True)
    (ansi,) = cuts("\x00\x1b[31ma", policy)
    assert (ansi.start, ansi.end, ansi.check, ansi.refuse) == (1, 6, "control-chars", True)
    assert cuts(UNHURT["scotland"], policy) == []


def test_escape_sequences_are_cut_whole_when_asked_for() -> None:
    text = "\x1b[1;31mred\x1b[0m\x1b[\x00 q\x1b"
    assert apply(text, cuts(text, replace(DEFAULT, ansi="strip"))) == "red[ q"
    kept = replace(DEFAULT, ansi="strip", c0="keep")
    assert apply(text, cuts(text, kept)) == "red\x1b"


def test_direction_marks_that_are_to_be_cut_stay_beside_right_to_left_letters() -> None:
    policy = replace(DEFAULT, bidi_mark="strip")
    assert apply("a\u200eb \u061c", cuts("a\u200eb \u061c", policy)) == "ab "
    assert cuts("\u05d0\u200e", policy) == cuts("\u0645\u061c1", policy) == []


def test_joiners_of_a_kept_class_stay_anywhere() -> None:
    assert cuts("a\u200db", replace(DEFAULT, joiner="keep")) == []


def test_masks_name_the_classes_of_an_action() -> None:
    policy = replace(DEFAULT, nul="replace", c1="refuse", ansi="strip")
    assert strips(policy) & (CONTROL | Kind.FORM_FEED) == (
        Kind.NUL | Kind.C0 | Kind.DEL | Kind.ANSI
    )
    assert refuses(policy) == Kind.C1
    assert refuses(DEFAULT) == NONE


def test_an_action_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="c1 = 'drop'"):
        CharacterPolicy(c1="drop")  # type: ignore[arg-type]
