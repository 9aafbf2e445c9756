from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from corpusgate.reports.escape import html, json_text, strict
from corpusgate.text.visible import is_hidden

ANY = st.text(
    st.sampled_from("\x00\x1b\x7f\u200b\u202e\ufeff\ud800\udc00\U000e0041<>&\"'\n\t\\")
    | st.characters()
)


def test_markup_and_controls_become_text_and_boxes():
    assert html("<b>\x00\x00&\u200b") == (
        '&lt;b&gt;<span class="g" title="NUL U+0000">NUL\u00d72</span>&amp;'
        '<span class="g" title="ZWSP U+200B">ZWSP</span>'
    )


def test_markup_of_ours_passes_and_nothing_is_nothing():
    assert html(Markup("<br>")) == "<br>"
    assert html(None) == ""
    assert html(3) == "3"


@given(ANY)
def test_html_holds_no_hidden_character_and_no_tag_but_the_box(text: str):
    shown = str(html(text))
    assert not any(is_hidden(char) for char in shown if char not in "\n\t")
    assert shown.count("<") == 2 * shown.count('<span class="g" title="')


@given(st.dictionaries(ANY, ANY | st.floats() | st.lists(ANY)))
def test_json_is_strict_and_says_what_was_said(value: dict[str, object]):
    text = json_text(value)
    assert not any(is_hidden(char) for char in text if char != "\n")
    text.encode("utf-8")

    def refuse(name: str) -> None:
        raise AssertionError(name)

    assert json.loads(text, parse_constant=refuse) == strict(value)


def test_json_keys_are_sorted_and_floats_that_are_no_number_are_null():
    assert json_text({"b": float("nan"), "a": float("-inf")}) == '{\n "a": null,\n "b": null\n}\n'


def test_json_escapes_what_cannot_be_seen_and_keeps_what_can():
    text = json_text("\u6625\x7f\u200b\U000e0041\ud800")
    assert text == '"\u6625\\u007f\\u200b\\udb40\\udc41\u27e6U+D800\u27e7"\n'
