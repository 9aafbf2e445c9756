from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.model import Loss
from corpusgate.pipeline.round_trip import CONTEXT, classify, excerpts, pieces

ODD = "aA \u00e9\u0301\u0130\u03a3\u03c2\u00df\ufb01\u2460\uff21\u3000\u00a0\u2581\u212b\uac01"
ODD += "\u1100\u0958\u200b\x00\ufffd\n"
texts = st.one_of(st.text(st.sampled_from(ODD), max_size=30), st.text(max_size=30))


@pytest.mark.parametrize(
    ("before", "after", "loss"),
    [
        ("a b", "a b", Loss(0)),
        ("Cafe\u0301", "Caf\u00e9", Loss.NFC),
        ("\u1112\u1161\u11ab", "\ud55c", Loss.NFC),
        ("\u212b \u2126 \u212a", "\u00c5 \u03a9 K", Loss.NFC),
        ("a\u2009b", "a b", Loss.NFKC),
        ("\u4e2d\u3000\u6587", "\u4e2d \u6587", Loss.NFKC),
        ("\ufb01 \u2026 \u2460 \u00bd", "fi ... 1 1\u20442", Loss.NFKC),
        ("The Cat", "the cat", Loss.CASE),
        ("STRASSE Stra\u00dfe", "strasse stra\u00dfe", Loss.CASE),
        ("caf\u00e9", "cafe", Loss.ACCENTS),
        ("Cafe\u0301", "cafe", Loss.ACCENTS | Loss.CASE),
        ("\u0930\u093f\u0902", "\u0930\u093f", Loss.ACCENTS),
        ("  hello", "hello", Loss.LEADING_SPACE),
        ("hello", " hello", Loss.LEADING_SPACE),
        ("a  b", "a b", Loss.INNER_SPACE),
        ("x != y", "x ! = y", Loss.INNER_SPACE),
        ("end \n", "end", Loss.INNER_SPACE),
        ("a\u2581b", "a b", Loss.INNER_SPACE),
        ("\u2581b", " b", Loss.INNER_SPACE),
        ("  a  b", "a b", Loss.LEADING_SPACE | Loss.INNER_SPACE),
        ("a\x01b", "ab", Loss.DROPPED_CONTROL),
        ("a\u200bb \ufffd \ue000", "ab  ", Loss.DROPPED_CONTROL),
        ("  The \uff21", "the a", Loss.LEADING_SPACE | Loss.CASE | Loss.NFKC),
        ("abc", "ab", Loss.OTHER),
        ("abc", "", Loss.OTHER),
        ("", "a", Loss.OTHER),
    ],
)
def test_names_what_was_lost(before: str, after: str, loss: Loss) -> None:
    assert classify(before, [after]).labels == loss.labels


@pytest.mark.parametrize(
    ("before", "parts", "loss"),
    [
        ("\U0001f642", ["", ""], Loss.UNK),
        ("a \U0001f642 b", ["a", "b"], Loss.UNK),
        ("Cafe\u0301", ["Cafe", ""], Loss.UNK),
        ("The \U0001f642 b", ["the", "b"], Loss.UNK | Loss.CASE),
        ("\u79cb\u5929\u9053", ["", "\u5929 \u9053"], Loss.UNK | Loss.INNER_SPACE),
        ("one two three", ["one", "four"], Loss.UNK | Loss.OTHER),
        ("abc", ["abc", "abc"], Loss.UNK | Loss.OTHER),
        ("b a x", ["a", "b"], Loss.UNK | Loss.OTHER),
        ("xbyaz", ["", "a", "b", ""], Loss.UNK | Loss.OTHER),
        ("xaybz", ["", "a", "b", ""], Loss.UNK),
        ("a \ufffc b", ["a \ufffc", ""], Loss.UNK),
    ],
)
def test_an_unknown_token_stands_for_any_text(before: str, parts: list[str], loss: Loss) -> None:
    assert classify(before, parts).labels == loss.labels


def test_a_space_behind_a_special_token_is_told_apart() -> None:
    assert classify("hi  </s>  there", ["hi  </s>   there"], ["</s>"]) == Loss.SPACE_AFTER_SPECIAL
    assert classify("hi  </s>  there", ["hi  </s>   there"]) == Loss.INNER_SPACE
    assert classify("hi  </s> there", ["hi </s>  there"], ["</s>"]) == Loss.INNER_SPACE


@given(texts)
def test_each_normal_form_is_called_by_its_name(text: str) -> None:
    def nothing_but(after: str, *losses: Loss) -> bool:
        found = classify(text, [after])
        return (found == 0) == (text == after) and all(loss in losses for loss in found)

    assert nothing_but(unicodedata.normalize("NFC", text), Loss.NFC)
    assert nothing_but(unicodedata.normalize("NFD", text), Loss.NFC)
    assert nothing_but(unicodedata.normalize("NFKC", text), Loss.NFC, Loss.NFKC)
    assert nothing_but(text.lower(), Loss.CASE)
    assert nothing_but(text.lstrip(), Loss.LEADING_SPACE, Loss.INNER_SPACE)
    assert nothing_but(text.rstrip(), Loss.INNER_SPACE, Loss.LEADING_SPACE)


@given(texts, st.text(st.sampled_from("xyz"), min_size=1, max_size=3))
def test_text_that_was_added_is_no_known_loss(text: str, more: str) -> None:
    assert Loss.OTHER in classify(text, [text + more])


@given(st.text(st.sampled_from("ab \n\u3042"), max_size=60), st.integers(2, 20))
def test_pieces_are_the_text(text: str, size: int) -> None:
    found = list(pieces(text, size))
    assert "".join(found) == text
    assert all(len(piece) <= size for piece in found)
    assert len(found) == 1 or all(found)


def test_pieces_end_behind_white_space() -> None:
    text = "one two three\nfour five six seven"
    assert list(pieces(text, 20)) == ["one two three\n", "four five six seven"]
    assert list(pieces("one two three four", 9)) == ["one two ", "three ", "four"]
    assert list(pieces(" " * 10, 4)) == ["    ", "    ", "  "]


def test_excerpts_show_the_place_of_the_loss() -> None:
    filler = "word " * 20
    before, after = f"{filler}na\u00efve {filler}", f"{filler.replace(' ', '  ')}naive {filler}"
    shown = excerpts(before, after, Loss.ACCENTS)
    assert "na\u00efve" in shown[0]
    assert "naive" in shown[1]
    assert all(len(text) <= 2 * CONTEXT for text in shown)
    assert excerpts("abc", "abd") == ("abc", "abd")
    assert excerpts("x" * 100 + "y", "x" * 100) == ("x" * CONTEXT + "y", "x" * CONTEXT)
    assert excerpts("a\x00b", "ab", Loss.DROPPED_CONTROL) == ("a\x00b", "ab")
