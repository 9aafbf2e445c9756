from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from corpusgate.text.visible import OPEN, escaped, is_hidden, markdown, plain, runs

ANY = st.text(
    st.sampled_from(
        "\x00\x00\x1b\x7f\x85\u200b\u202e\ufeff\ud800\U000e0041\ufe0f\u2028`*<|\u27e6 \n"
    )
    | st.characters()
)


def test_every_control_format_unassigned_and_private_character_is_hidden():
    drawn = {0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2}
    for code in [*range(0x10000), *range(0xE0000, 0xE1000), 0x1D173, 0x1FFFE, 0x10FFFF]:
        category = unicodedata.category(chr(code))
        other = category[0] == "C" or category in {"Zl", "Zp"}
        assert is_hidden(chr(code)) or not other or code in drawn, hex(code)


def test_letters_marks_symbols_and_spaces_are_not_hidden():
    for char in "a\u00e9\u4e2d\u05d0\u0645\u0301\u0915\u094d\u00a0\u3000\u20ac\U0001f355\ufffd ":
        assert not is_hidden(char)


@pytest.mark.parametrize(
    "char", "\u034f\u115f\u17b4\u180b\u3164\uffa0\ufe0f\U000e0100\u00ad\u061c\u2060\ufff9"
)
def test_ignorable_characters_are_hidden(char: str):
    assert is_hidden(char)


def test_names_with_how_often():
    assert plain("a\x00\x00\x00b\u200b\u202ec\x01") == (
        "a\u27e6NUL\u00d73\u27e7b\u27e6ZWSP\u27e7\u27e6RLO\u27e7c\u27e6U+0001\u27e7"
    )


def test_newline_and_tab_may_stand_or_not():
    assert plain("a\n\tb") == "a\n\tb"
    assert plain("a\n\tb", keep="") == "a\u27e6LF\u27e7\u27e6TAB\u27e7b"


@given(ANY)
def test_nothing_hidden_is_left(text: str):
    assert not any(is_hidden(char) for char in plain(text, keep=""))
    assert not any(is_hidden(char) for char in plain(text) if char not in "\n\t")
    plain(text).encode("utf-8")


@given(ANY)
def test_runs_give_the_text_back(text: str):
    again = "".join(r.hidden * r.times if r.hidden else r.text for r in runs(text, also=OPEN))
    assert again == text


@given(ANY, ANY)
def test_no_text_can_pretend_to_be_another(a: str, b: str):
    assert (plain(a, keep="") == plain(b, keep="")) == (a == b)


def test_a_name_in_the_data_is_not_a_name():
    assert plain("\u27e6NUL\u27e7") != plain("\x00")


@given(ANY)
def test_markdown_is_one_code_span_and_nothing_else(text: str):
    (paragraph,) = [t for t in MarkdownIt().parse("x " + markdown(text)) if t.type == "inline"]
    kinds = [token.type for token in paragraph.children or []]
    if plain(text, keep="").strip():
        assert kinds == ["text", "code_inline"]
        shown = (paragraph.children or [])[1].content
        assert shown.strip() == plain(text, keep="").strip()
    else:
        assert kinds == ["text"]


@given(st.lists(ANY), st.sampled_from([None, 1]), st.booleans())
def test_escaped_json_is_ascii_and_reads_back(held, indent, ascii_only):
    text = escaped(json.dumps(held, indent=indent, ensure_ascii=ascii_only))
    assert json.loads(text) == held
    assert text.isascii()
    assert not [char for char in text if is_hidden(char) and char != "\n"]
