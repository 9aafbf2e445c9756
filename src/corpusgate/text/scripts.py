"""Scripts: which writing system the letters of a text belong to, by ISO 15924 code."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.text.characters import ranges_of
from corpusgate.text.screen import code_points, count_in

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Data: TypeAlias = NDArray[np.uint8]
    Codes: TypeAlias = NDArray[np.uint8]
    """Numbers in `SCRIPTS`."""

# Scripts.txt (Unicode 14.0; Han as of 15.0), adjacent ranges joined over unassigned code
# points. Letters of scripts that are not listed count as none.
_TABLE = {
    "Latn": (
        "41-5A 61-7A AA BA C0-D6 D8-F6 F8-2B8 2E0-2E4 1D00-1D25 1D2C-1D5C 1D62-1D65 1D6B-1D77 "
        "1D79-1DBE 1E00-1EFF 2071 207F 2090-209C 212A-212B 2132 214E 2160-2188 2C60-2C7F "
        "A722-A787 A78B-A7FF AB30-AB5A AB5C-AB64 AB66-AB69 FB00-FB06 FF21-FF3A FF41-FF5A "
        "10780-107BA 1DF00-1DF1E"
    ),
    "Grek": (
        "370-373 375-37D 37F-384 386 388-3E1 3F0-3FF 1D26-1D2A 1D5D-1D61 1D66-1D6A 1DBF "
        "1F00-1FFE 2126 AB65 10140-1018E 101A0 1D200-1D245"
    ),
    "Cyrl": "400-484 487-52F 1C80-1C88 1D2B 1D78 2DE0-2DFF A640-A69F FE2E-FE2F",
    "Armn": "531-58F FB13-FB17",
    "Hebr": "591-5F4 FB1D-FB4F",
    "Arab": (
        "600-604 606-60B 60D-61A 61C-61E 620-63F 641-64A 656-66F 671-6DC 6DE-6FF 750-77F "
        "870-8E1 8E3-8FF FB50-FD3D FD40-FDFF FE70-FEFC 10E60-10E7E 1EE00-1EEF1"
    ),
    "Syrc": "700-74F 860-86A",
    "Thaa": "780-7B1",
    "Nkoo": "7C0-7FF",
    "Deva": "900-950 955-963 966-97F A8E0-A8FF",
    "Beng": "980-9FE",
    "Guru": "A01-A76",
    "Gujr": "A81-AFF",
    "Orya": "B01-B77",
    "Taml": "B82-BFA 11FC0-11FFF",
    "Telu": "C00-C7F",
    "Knda": "C80-CF2",
    "Mlym": "D00-D7F",
    "Sinh": "D81-DF4 111E1-111F4",
    "Thai": "E01-E3A E40-E5B",
    "Laoo": "E81-EDF",
    "Tibt": "F00-FD4 FD9-FDA",
    "Mymr": "1000-109F A9E0-A9FE AA60-AA7F",
    "Geor": "10A0-10FA 10FC-10FF 1C90-1CBF 2D00-2D2D",
    "Hang": "1100-11FF 302E-302F 3131-318E 3200-321E 3260-327E A960-A97C AC00-D7FB FFA0-FFDC",
    "Ethi": "1200-1399 2D80-2DDE AB01-AB2E 1E7E0-1E7FE",
    "Cher": "13A0-13FD AB70-ABBF",
    "Cans": "1400-167F 18B0-18F5 11AB0-11ABF",
    "Khmr": "1780-17F9 19E0-19FF",
    "Mong": "1800-1801 1804 1806-18AA 11660-1166C",
    "Hira": "3041-3096 309D-309F 1B001-1B11F 1B150-1B152 1F200",
    "Kana": (
        "30A1-30FA 30FD-30FF 31F0-31FF 32D0-32FE 3300-3357 FF66-FF6F FF71-FF9D 1AFF0-1B000 "
        "1B120-1B122 1B164-1B167"
    ),
    "Bopo": "2EA-2EB 3105-312F 31A0-31BF",
    "Hani": (
        "2E80-2FD5 3005 3007 3021-3029 3038-303B 3400-4DBF 4E00-9FFF F900-FAD9 16FE2-16FE3 "
        "16FF0-16FF1 20000-323AF"
    ),
    "Yiii": "A000-A4C6",
    "Tfng": "2D30-2D7F",
    "Java": "A980-A9CD A9D0-A9DF",
    "Bali": "1B00-1B7E",
    "Sund": "1B80-1BBF 1CC0-1CC7",
    "Mtei": "AAE0-AAF6 ABC0-ABF9",
    "Olck": "1C50-1C7F",
    "Adlm": "1E900-1E95F",
    "Vaii": "A500-A62B",
    "Rohg": "10D00-10D39",
    "Copt": "3E2-3EF 2C80-2CFF",
}
NO_SCRIPT = "Zyyy"
"""The code for common characters: digits, punctuation, symbols, emoji."""

JAPANESE = "Jpan"
"""Kana with or without Han (UTS #39, 5.1, augmented script sets)."""

SCRIPTS = (NO_SCRIPT, *_TABLE)
"""Scripts by their number."""

_LATIN, _HAN = SCRIPTS.index("Latn"), SCRIPTS.index("Hani")
_KANA = [SCRIPTS.index("Hira"), SCRIPTS.index("Kana")]
_MAIN = tuple(JAPANESE if number in _KANA else code for number, code in enumerate(SCRIPTS))
# Running Japanese is half kana, a Chinese text may quote a word of it: a tenth lies between.
_KANA_SHARE = 10
_UNDECIDED = 255
_LETTER = re.compile("[A-Za-z]")


def script_of(codes: Ints) -> Codes:
    """Numbers in `SCRIPTS` of code points."""
    return _by_code()[codes]


def main_script(text: str) -> str:
    """The script that most letters of a text belong to; `NO_SCRIPT` without letters."""
    if text.isascii():
        return "Latn" if _LETTER.search(text) else NO_SCRIPT
    counts = np.zeros((1, len(SCRIPTS)), np.int64)
    for char, times in Counter(text).items():
        counts[0, _by_code()[ord(char)]] += times
    return _main(counts)[0]


def main_scripts(view: bytes, spans: Ints) -> list[str]:
    """The main script of each extent of `view`, shape (m, 2)."""
    return _main(letters_by_script(view, spans))


def _main(counts: Ints) -> list[str]:
    """By most letters; of equals the one listed first, `NO_SCRIPT` only where all are 0."""
    counts = counts.copy()
    counts[:, 0] = 0
    kana = counts[:, _KANA].sum(axis=1)
    both = kana + counts[:, _HAN]
    counts[:, _KANA[0]] = np.where(kana * _KANA_SHARE >= both, both, 0)
    counts[:, _KANA[1]] = 0
    return [_MAIN[number] for number in counts.argmax(axis=1).tolist()]


def letters_by_script(view: bytes, spans: Ints) -> Ints:
    """Letters of each script in each extent: shape (m, scripts); the first column is 0."""
    counts = np.zeros((len(spans), len(SCRIPTS)), np.int64)
    data = np.frombuffer(view, np.uint8)
    if not view.isascii():
        script = _script_at(data)
        while number := int(script.max()):  # a text block holds few scripts: one pass for each
            letters = script == number
            counts[:, number] = count_in(letters, spans)
            script *= ~letters
    lower = data | np.uint8(ord("a") ^ ord("A"))
    counts[:, _LATIN] += count_in(lower - np.uint8(ord("a")) <= ord("z") - ord("a"), spans)
    return counts


def _script_at(data: Data) -> Codes:
    """Script of the character that begins at each byte; 0 for ASCII and inside of characters."""
    script = np.zeros(len(data), np.uint8)
    script[:-1] = _by_pair().take(data[:-1].astype(np.uint16) << 8 | data[1:])
    at = np.flatnonzero(script == _UNDECIDED)
    code, _, whole = code_points(data, at)
    script[at] = np.where(whole, _by_code()[np.minimum(code, 0x10FFFF)], 0)
    return script


@cache
def _by_code() -> Codes:
    table = np.zeros(0x110000, np.uint8)
    for number, ranges in enumerate(_TABLE.values(), 1):
        for low, high in ranges_of(ranges):
            table[low : high + 1] = number
    return table


@cache
def _by_pair() -> Codes:
    """By the first two bytes as one number: the script of all characters that begin so."""
    table = np.zeros(1 << 16, np.uint8)
    # characters of two bytes, three and four; how many share their first two bytes
    for low, high, share in ((0x80, 0x800, 1), (0x800, 0x10000, 64), (0x10000, 0x110000, 4096)):
        scripts = _by_code()[low:high].reshape(-1, share)
        same = (scripts == scripts[:, :1]).all(axis=1)
        for code, script in zip(
            range(low, high, share), np.where(same, scripts[:, 0], _UNDECIDED), strict=True
        ):
            first, second = chr(code).encode("utf-8", "surrogatepass")[:2]
            table[first << 8 | second] = script
    return table
