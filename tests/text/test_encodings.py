# ruff: noqa: RUF001 - full-width punctuation is meant
"""Reading records whose encoding nobody told."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import ENCODINGS, SENTENCES, transcoded

from corpusgate.model import Status
from corpusgate.text.char_model import score
from corpusgate.text.codepages import canonical, columns, decode, family
from corpusgate.text.encodings import (
    EncodingProfile,
    Reading,
    ReadingOptions,
    candidates,
    read,
    settle,
)
from corpusgate.text.profiles import window
from corpusgate.text.unicode_forms import encode_cesu8, invalid_spans, is_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.text.codepages import Column

ALL = [pair for encoding, language in ENCODINGS for pair in transcoded(encoding, language)]
MIXED = "\n".join(SENTENCES["zh"] + SENTENCES["ja"] + SENTENCES["ru"])
PLAIN = settle([])
TWINS = ("iso8859-2", "iso8859-7")
"""Encodings that give most sentences the same bytes as a commoner one."""


@pytest.mark.parametrize(("encoding", "language"), ENCODINGS)
def test_a_sentence_alone(encoding: str, language: str) -> None:
    for data, text in transcoded(encoding, language):
        (reading,) = read([data])
        assert reading.text == data.decode(reading.encoding or "") == text
        assert reading.status == Status.RECOVERED or encoding in TWINS, reading
        sure = reading.margin >= ReadingOptions().min_margin
        assert sure is (reading.status == Status.RECOVERED)


@pytest.mark.parametrize(("encoding", "language"), ENCODINGS)
def test_a_file_of_one_encoding(encoding: str, language: str) -> None:
    pool = [data for data, _ in transcoded(encoding, language)]
    profile = settle(pool)
    (settled,) = profile.encodings
    readings = read(pool, profile)
    assert [r.text for r in readings] == [text for _, text in transcoded(encoding, language)]
    assert {r.status for r in readings} == {Status.RECOVERED}
    assert profile.votes[0] == (settled, len(pool))
    if encoding not in TWINS:
        assert settled == encoding


def test_gbk_and_big5_in_one_file() -> None:
    """Every Big5 line is valid GB 18030, and charset-normalizer names neither."""
    gbk, big5 = transcoded("gb18030", "zh"), transcoded("cp950", "zh-hant")
    assert all(decode(data, "gb18030") not in {None, text} for data, text in big5)
    records = [data for pair in zip(gbk, big5, strict=True) for data, _ in pair]
    profile = settle(records)
    assert set(profile.encodings) == {"gb18030", "cp950"}
    for (data, text), reading in zip(gbk + big5, read([d for d, _ in gbk + big5], profile)):  # noqa: B905
        assert (reading.text, reading.status) == (text, Status.RECOVERED), data
    with mock.patch("charset_normalizer.from_bytes", return_value=[]):  # it has no answer
        assert settle(records) == profile


def test_seven_encodings_in_one_file() -> None:
    names = ("gb18030", "cp950", "cp932", "cp949", "cp1251", "cp1250", "cp1252")
    pairs = [p for e, lang in ENCODINGS if e in names for p in transcoded(e, lang)]
    profile = settle([data for data, _ in pairs])
    assert set(profile.encodings) == set(names)
    read_as = read([data for data, _ in pairs], profile)
    assert [r.text for r in read_as] == [text for _, text in pairs]
    assert {r.status for r in read_as} == {Status.RECOVERED}


@pytest.mark.parametrize(
    ("file", "alien"),
    [
        (("gb18030", "zh"), ("cp950", "zh-hant")),
        (("cp950", "zh-hant"), ("gb18030", "zh")),
        (("cp949", "ko"), ("gb18030", "zh")),
        (("gb18030", "zh"), ("cp949", "ko")),
        (("gb18030", "zh"), ("euc_jp", "ja")),
        (("cp950", "zh-hant"), ("euc_jp", "ja")),
        (("cp932", "ja"), ("euc_jp", "ja")),
        (("cp1251", "ru"), ("koi8-r", "ru")),
        (("cp1251", "ru"), ("cp1253", "el")),
    ],
)
def test_a_lone_line_in_another_encoding(file: tuple[str, str], alien: tuple[str, str]) -> None:
    own = [data for data, _ in transcoded(*file)] * 10
    for data, text in transcoded(*alien):
        for profile in (settle(own), settle([*own, data]), EncodingProfile((file[0],))):
            (reading,) = read([data], profile)
            assert reading.text == text or reading.status == Status.UNSURE, reading


@given(st.data())
def test_a_reading_does_not_depend_on_its_neighbours(data: st.DataObject) -> None:
    profile = data.draw(
        st.sampled_from([PLAIN, settle([d for d, _ in transcoded("gb18030", "zh")])])
    )
    records = data.draw(st.lists(st.sampled_from([d for d, _ in ALL]), min_size=1, max_size=12))
    alone = [read([record], profile)[0] for record in records]
    assert read(records, profile) == alone


def test_utf8_is_taken_at_its_word() -> None:
    texts = ["", "plain", *(s for group in SENTENCES.values() for s in group)]
    gbk = settle([data for data, _ in transcoded("gb18030", "zh")])
    for reading, text in zip(read([t.encode() for t in texts], gbk), texts, strict=True):
        assert (reading.encoding, reading.text, reading.status) == ("utf-8", text, Status.OK)
        assert math.isnan(reading.margin)


@given(st.integers(0, 10_000), st.integers(0x80, 0xFF), st.booleans())
def test_a_stray_byte_does_not_turn_utf8_into_something_else(
    at: int, byte: int, settled: bool
) -> None:
    data = bytearray(MIXED.encode())
    data.insert(at % (len(data) + 1), byte)
    damaged = bytes(data)
    gbk = settle([d for d, _ in transcoded("gb18030", "zh")]) if settled else PLAIN
    (reading,) = read([damaged], gbk)
    if is_utf8(damaged):  # a byte more of a sequence that was whole cannot be
        return
    assert (reading.encoding, reading.text, reading.status) == ("utf-8", None, Status.UNDECODABLE)
    assert len(invalid_spans(damaged)) <= 3


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_a_truncated_character_or_a_lone_letter_stays_damaged_utf8(language: str) -> None:
    for text in SENTENCES[language]:
        data = text.encode()
        last = max(i for i, b in enumerate(data) if b >= 0xC0)
        for damaged in (
            data[: last + 1],
            data[:10] + b"\xe9" + data[10:],
            data + "费用".encode("gbk"),
        ):
            (reading,) = read([damaged])
            few = sum(b >= 0x80 for b in damaged) < 6
            assert reading.status >= Status.UNSURE or few, (damaged, reading)


@pytest.mark.parametrize("language", ["de", "fr", "pl", "cs", "lt"])
def test_a_legacy_fragment_in_utf8_is_never_transcoded(language: str) -> None:
    for text in SENTENCES[language]:
        data = text.encode() * 2 + "费用".encode("gbk")
        (reading,) = read([data])
        assert reading.status >= Status.UNSURE, reading


@pytest.mark.parametrize(
    "text",
    [
        "Zadejte výchozí hodnotu pro %stoto pole.",
        "Usando una di queste opzioni si può %sscegliere è",
        "%sPäivitä tyylit nyt",
    ],
)
def test_nor_where_the_fragment_is_as_long_as_the_rest(text: str) -> None:
    before, after = text.encode().split(b"%s")
    (reading,) = read([before + "中国人".encode("gbk") + after])
    assert reading.status >= Status.UNSURE, reading


@pytest.mark.parametrize("half", [b"\xc3", b"\xa5"])
def test_half_a_letter_in_a_record_without_another(half: bytes) -> None:
    """Alone it reads as a letter or a sign of Windows-1252, capital and yen."""
    (reading,) = read([b"brugerne er logget ind p%s hver linje" % half])
    assert reading.status >= Status.UNSURE, reading


def test_cesu8() -> None:
    data = encode_cesu8('{"text": "Find me a pizza place \U0001f355 nearby"}')
    (reading,) = read([data], settle([data]))
    assert (reading.encoding, reading.status) == ("cesu-8", Status.RECOVERED)
    assert "\U0001f355" in (reading.text or "")
    (half,) = read([data.replace(b"\xed\xa0\xbc", b"")])
    assert half.status >= Status.UNSURE


def test_a_single_byte_is_not_sure() -> None:
    for data in (b"\xe9", b"a \xb1 b", b"\xa4"):
        (reading,) = read([data])
        assert reading.status == Status.UNSURE
        assert reading.text == data.decode(reading.encoding or "")
        assert reading.margin < ReadingOptions().min_margin


@given(st.integers(0, 9999))
def test_noise_is_not_text(seed: int) -> None:
    data = random.Random(seed).randbytes(160)
    (reading,) = read([data])
    assert reading.status >= Status.UNSURE, reading


def test_the_margin_is_to_a_different_text() -> None:
    """The bytes of German umlauts are the same in five encodings: none of them is a rival."""
    (data, text), *_ = transcoded("cp1252", "de")
    (reading,) = read([data])
    assert decode(data, "cp1254") == decode(data, "iso8859-2") == text
    assert reading.runner_up not in {"cp1254", "iso8859-2", "cp1250", "cp1257"}


def test_the_options_decide_what_is_sure() -> None:
    (data, _), *_ = transcoded("cp1250", "pl")
    (sure,) = read([data])
    (unsure,) = read([data], options=ReadingOptions(min_margin=sure.margin + 0.01))
    assert (sure.status, unsure.status) == (Status.RECOVERED, Status.UNSURE)
    assert unsure.text == sure.text


def test_evidence_beyond_the_window_counts() -> None:
    """Encodings that agree on the first bytes differ in a letter far behind them."""
    head = "Das schöne Wörterbuch für Anfänger. " * 120
    data = (head + "Sąsiadka żyje długo i szczęśliwie, mówią że.").encode("cp1250")
    (reading,) = read([data])
    assert reading.text == data.decode("cp1250")
    assert reading.status == Status.RECOVERED


def test_where_the_window_leaves_doubt_more_is_weighed() -> None:
    head = "A letter \xb1 and nothing else. " + "Plain words follow it, a lot of them. " * 40
    tail = "Sąsiadka żyje długo i szczęśliwie, mówią że to prawda."
    data = head.encode("latin-1") + tail.encode("cp1250")
    (alone,) = read([head.encode("latin-1")])
    assert alone.status == Status.UNSURE
    (reading,) = read([data])
    assert (reading.text, reading.status) == (data.decode("cp1250"), Status.RECOVERED)


def test_a_lone_han_character_inside_a_latin_word_is_dear() -> None:
    own = [column for column in columns(("gb18030",)) if column.language == "zh"]
    inside, beside = score([t.encode("gbk") for t in ("ab中cd", "ab 中 cd")], own)[:, 0]
    assert beside - inside > 3


def test_a_part_that_decodes_does_not_speak_for_the_whole() -> None:
    """GBK at first, bytes later that GBK does not have."""
    data = "".join(SENTENCES["zh"] * 8).encode("gb18030") + b" \xff\xfe\xff "
    (reading,) = read([data])
    assert reading.status >= Status.UNSURE


def test_the_euro_of_code_page_936() -> None:
    text = "这本书的价格是€5，比去年便宜得多。"
    data = b"\x80".join(part.encode("gbk") for part in text.split("€"))
    (reading,) = read([data])
    assert (reading.encoding, reading.text, reading.status) == ("gb18030", text, Status.RECOVERED)


def test_hong_kong_characters_are_big5() -> None:
    text = "佢哋今日去咗圖書館，嗰度有好多書。"
    data = text.encode("big5hkscs")
    assert decode(data, "cp950") == text
    (reading,) = read([data])
    assert (reading.text, family(reading.encoding or "")) == (text, "cp950")


def test_a_profile_survives_json() -> None:
    profile = settle([data for data, _ in ALL])
    assert len(profile.encodings) > 10
    assert EncodingProfile.from_json(json.loads(json.dumps(asdict(profile)))) == profile


def test_candidates() -> None:
    pool = [data for data, _ in transcoded("cp1251", "ru")]
    found = candidates(pool, use_detector=False)
    assert {"cp1251", "koi8-r", "cp1252"} <= set(found)
    assert not {"cp932", "euc_jp"} & set(found)  # they decode none of it
    german = "Größe der Tür: für Anwender überprüft, möglichst schön".encode("cp850")
    assert "cp850" not in candidates([german], use_detector=False)
    match = mock.Mock(encoding="cp850")
    with mock.patch("charset_normalizer.from_bytes", return_value=[match]):
        assert candidates([german])[0] == "cp850"
        profile = settle([german] * 3)
    assert profile.encodings == ("cp850",)
    (reading,) = read([german], profile)
    assert reading.text == german.decode("cp850")


@given(st.sampled_from([d for d, _ in ALL]), st.integers(1, 9), st.integers(8, 64))
def test_a_window_is_cut_between_characters(data: bytes, times: int, size: int) -> None:
    record = b"head, " * 40 + b" ".join([data] * times)
    part = window(record, size)
    assert part in record
    assert any(b >= 0x80 for b in part)
    for encoding, _ in ENCODINGS:
        if decode(record, encoding) is not None:
            assert decode(part, encoding) is not None, encoding


def test_another_scorer_fits_in() -> None:
    """What a better model says is what is read."""

    def fond_of_greek(records: Sequence[bytes], columns: Sequence[Column]) -> np.ndarray:
        liked = [0.0 if column.encoding == "cp1253" else -99.0 for column in columns]
        return np.tile(liked, (len(records), 1))

    data = "тест".encode("cp1251")
    (reading,) = read([data], scorer=fond_of_greek)
    assert reading == Reading(
        "cp1253", data.decode("cp1253"), reading.margin, reading.runner_up, Status.RECOVERED
    )
    assert reading.margin > 90
    assert settle([data] * 3, scorer=fond_of_greek).encodings == ("cp1253",)


def test_names() -> None:
    assert [canonical(n) for n in ("GBK", "Big5", "Shift_JIS", "EUC-KR", "latin-1")] == [
        "gb18030",
        "cp950",
        "cp932",
        "cp949",
        "cp1252",
    ]


def test_votes_add_up_to_no_more_than_the_records() -> None:
    profile = settle([data for data, _ in ALL])
    counts = Counter(dict(profile.votes))
    assert 0 < counts.total() <= profile.records == len(ALL)
