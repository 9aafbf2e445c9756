"""BOMs, wide forms without one, CESU-8, where UTF-8 breaks, heads cut between characters."""

from __future__ import annotations

import codecs
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusgate.text.unicode_forms import (
    decode_cesu8,
    encode_cesu8,
    invalid_spans,
    is_utf8,
    sniff_bom,
    sniff_wide,
    trim_to_boundary,
)

TEXT = "caf\u00e9, \u4eca\u5929\u7684\u5929\u6c14\u5f88\u597d\u3002 \U0001f355 ok\n"
CHINESE = "\u4eca\u5929\u7684\u5929\u6c14\u5f88\u597d\uff0c\u6211\u4eec\u4e00\u8d77\u53bb\u3002"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_mark_names_its_encoding(mark: bytes, encoding: str) -> None:
    assert sniff_bom(mark + "ab".encode(encoding)) == (encoding, len(mark))
    assert sniff_bom(mark[:-1]) != (encoding, len(mark))


def test_no_mark() -> None:
    assert sniff_bom(b"") is None
    assert sniff_bom(b"plain") is None


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text",
    [
        "plain English text, a line of it\n",
        CHINESE,
        CHINESE + "\n",
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043a\u0430\u043a \u0434\u0435\u043b\u0430?\n",
        "\uc624\ub298\uc740 \ub0a0\uc528\uac00 \uc88b\uc2b5\ub2c8\ub2e4 \uadf8\ub807\uc8e0\n",
    ],
)
def test_wide_text_without_a_mark(encoding: str, text: str) -> None:
    data = (text * 3).encode(encoding)
    assert sniff_wide(data) == encoding
    assert sniff_wide(data[:-1]) == encoding  # a head cut inside a code unit


def test_too_little_is_no_evidence() -> None:
    assert sniff_wide("ab".encode("utf-16-le")) is None


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "cp932", "big5", "euc_kr", "cp1251"])
@given(seed=st.integers(0, 999), stray=st.integers(1, 60))
def test_stray_nuls_are_not_wide(encoding: str, seed: int, stray: int) -> None:
    draw = random.Random(seed)
    text = {
        "cp932": "\u3053\u306e\u672c\u306f\u53bb\u5e74\u306e\u590f\u306b\u501f\u308a\u305f\u3002",
        "big5": "\u9019\u500b\u554f\u984c\u6211\u5011\u660e\u5929\u518d\u8aaa\u3002",
        "euc_kr": "\uc774 \ucc45\uc740 \uc5ec\ub984\uc5d0 \ube4c\ub9b0 \uac83\uc785\ub2c8\ub2e4. ",
        "cp1251": "\u042d\u0442\u0443 \u043a\u043d\u0438\u0433\u0443 \u0432\u0437\u044f\u043b.",
    }.get(encoding, CHINESE)
    data = bytearray((text * 40).encode(encoding))
    for _ in range(stray):
        data[draw.randrange(0, len(data), 2)] = 0  # all on one side of the pairs
    assert sniff_wide(bytes(data)) is None


@given(seed=st.integers(0, 999))
def test_binary_is_not_wide(seed: int) -> None:
    draw = random.Random(seed)
    assert (
        sniff_wide(bytes(draw.choice((0, 0, 1, draw.randrange(256))) for _ in range(512))) is None
    )
    assert sniff_wide(b"name\0\0\0\0\0\0\0\0\0\0\0\0value\0\0\0\0\0\0\0\0\0\0\0" * 16) is None


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_cesu8_round_trip(text: str) -> None:
    data = encode_cesu8(text)
    assert decode_cesu8(data) == text
    assert decode_cesu8(text.encode()) == text
    assert is_utf8(data) is all(c <= "\uffff" for c in text)


@pytest.mark.parametrize(
    "data",
    [
        b"\xed\xa0\xbc",  # a high half alone
        b"\xed\xbd\x95",  # a low half alone
        b"\xed\xbd\x95\xed\xa0\xbc",  # the halves in the wrong order
        b"\xed\xa0\xbc \xed\xbd\x95",
        b"caf\xe9",
        b"\xc0\x80",
    ],
)
def test_cesu8_is_strict(data: bytes) -> None:
    assert decode_cesu8(data) is None


def test_modified_utf8_only_when_asked() -> None:
    assert decode_cesu8(b"a\xc0\x80\xed\xa0\xbc\xed\xbd\x95", modified=True) == "a\0\U0001f355"
    assert decode_cesu8(b"a\xc0\x80\xc0", modified=True) is None


def broken(data: bytes) -> list[tuple[int, int]]:
    """Where Python's decoder breaks, one error after the other."""
    spans, at = [], 0
    while at < len(data):
        try:
            data[at:].decode()
            break
        except UnicodeDecodeError as error:
            spans.append((at + error.start, at + error.end))
            at += error.end
    return spans


@given(
    st.lists(
        st.one_of(
            st.characters(exclude_categories=["Cs"]).map(str.encode),
            st.binary(min_size=1, max_size=3),
            st.sampled_from([b"\xf0\x9f\x8d", b"\xe4\xb8", b"\xf4\x90\x80\x80", b"\xed\xa0\x80"]),
        ),
        max_size=12,
    ).map(b"".join)
)
def test_invalid_spans_are_those_of_the_decoder(data: bytes) -> None:
    assert invalid_spans(data) == broken(data)
    assert bool(invalid_spans(data)) is not is_utf8(data)


@pytest.mark.parametrize("encoding", ["utf-8", "cesu-8", "gb18030", "utf-16-le", "utf-32-be"])
def test_a_head_ends_between_characters(encoding: str) -> None:
    whole = encode_cesu8(TEXT) if encoding == "cesu-8" else TEXT.encode(encoding)
    seen = set()
    for size in range(len(whole) + 1):
        head = trim_to_boundary(whole[:size], encoding)
        text = decode_cesu8(head) if encoding == "cesu-8" else head.decode(encoding)
        assert text is not None
        assert TEXT.startswith(text)
        assert size - len(head) < 6
        seen.add(text)
    assert len(seen) == len(TEXT) + 1  # no more is cut than must be
