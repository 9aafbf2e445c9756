"""Legacy encodings: which there are, how common, for which languages, and strict decoding."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from functools import cache

from corpusgate.text.alphabets import ALPHABETS
from corpusgate.text.char_costs import WORLD
from corpusgate.text.unicode_forms import decode_cesu8, encode_cesu8

UTF8, CESU8 = "utf-8", "cesu-8"
NOISE = ""
"""The hypothesis that the bytes are no text."""
LOSSY = (UTF8, NOISE)
"""Hypotheses that give no text: damaged UTF-8, and noise."""


@dataclass(frozen=True)
class Column:
    """One hypothesis: bytes in an encoding that hold text in a language."""

    encoding: str
    language: str
    prior: float
    """ln of how common it is, up to a constant."""


# Nats by encoding, then by language where it is rarer or commoner in it than its fellows.
# Encodings: ranked after the share of web pages by declared encoding, W3Techs, "Usage of
# character encodings for websites" (2024); languages: by speakers on the web.
_COMMON = {
    "cp1252": (0.0, "en:1 de:1 fr:.7 es:.7 it pt:.3 nl sv da nb fi is:-1.5 ca:-1 ga:-2"),
    "cp1250": (-1.0, "pl cs hu sk ro hr sl de:-3"),
    "iso8859-2": (-1.7, "pl cs hu sk ro hr sl de:-3"),
    "cp1251": (0.0, "ru bg uk sr:-1 mk:-1 be:-1"),
    "koi8-r": (-1.0, "ru"),
    "koi8-u": (-2.5, "uk"),
    "iso8859-5": (-2.0, "ru bg sr:-1 mk:-1 be:-1"),
    "cp866": (-2.0, "ru"),
    "cp1253": (-1.0, "el"),
    "iso8859-7": (-1.5, "el"),
    "cp1254": (-1.0, "tr de:-3"),
    "cp1255": (-1.0, "he"),
    "cp1256": (-1.0, "ar"),
    "cp1257": (-2.0, "lt lv et"),
    "cp874": (-1.0, "th"),
    "gb18030": (0.0, "zh zh-hant:-4"),
    "cp950": (-0.5, "zh-hant"),
    "cp932": (-0.5, "ja"),
    "euc_jp": (-1.0, "ja"),
    "cp949": (-0.5, "ko"),
    "johab": (-5.0, "ko"),
}
COMMON = tuple(_COMMON)
"""The encodings every record is weighed in."""

# An encoding that is not in the list, but that a detector names, starts this far behind.
_UNCOMMON = -4.0
# Damaged UTF-8 and CESU-8: rarer than whole records of a legacy encoding; the damage itself
# has its cost in the text.
_DAMAGED = -3.0
# A record without any text in it is rarer than the rarest encoding. Hand-set.
_NOISE = -8.0
# Languages whose commonest letters all stand in an encoding may be written in it.
_CORE_LETTERS = 24

DOUBLE_BYTE = ("gb18030", "cp950", "cp932", "euc_jp", "cp949", "johab")
"""The common encodings of Chinese, Japanese and Korean."""
# Families of single-byte encodings that a detector may add: DOS, Macintosh, ISO 8859.
_ADDED = ("cp437", "cp7", "cp8", "mac-", "iso8859-")
_SAME = {  # one encoding under several names, or the wider one that reads the narrower
    **dict.fromkeys(("gb2312", "gbk", "cp936"), "gb18030"),
    **dict.fromkeys(("big5", "big5hkscs"), "cp950"),
    **dict.fromkeys(("shift_jis", "shift_jis_2004", "shift_jisx0213"), "cp932"),
    **dict.fromkeys(("euc_jis_2004", "euc_jisx0213"), "euc_jp"),
    "euc_kr": "cp949",
    **dict.fromkeys(("iso8859-1", "ascii", "latin_1"), "cp1252"),
    "iso8859-9": "cp1254",
    **dict.fromkeys(("iso8859-11", "tis-620"), "cp874"),
}
_WIDER = {  # read what the first cannot
    "cp950": ("big5hkscs",),
    "euc_jp": ("euc_jis_2004",),
}
_EURO = 0x80
"""The byte that Windows code page 936 reads as the euro sign and GB 18030 leaves out."""


@cache
def canonical(name: str) -> str:
    """Python's name of the encoding that stands for `name` here, in lower case."""
    plain = codecs.lookup(name).name
    return _SAME.get(plain, plain)


@cache
def family(encoding: str) -> str:
    """The name under which encodings that read one another's bytes are counted as one."""
    wider = {name: first for first, names in _WIDER.items() for name in names}
    return wider.get(encoding, encoding)


@cache
def is_single_byte(encoding: str) -> bool:
    """Whether each byte is a character, and those below 0x80 are ASCII."""
    if encoding in {NOISE, UTF8, CESU8}:
        return False
    low, high = bytes(range(128)), bytes(range(128, 256))
    try:
        alone = "".join(bytes((byte,)).decode(encoding, "replace") for byte in high)
        return low.decode(encoding) == low.decode("ascii") and alone == high.decode(
            encoding, "replace"
        )
    except (LookupError, UnicodeError):
        return False


def is_known(encoding: str) -> bool:
    """Whether records can be weighed in an encoding that a detector names."""
    added = encoding.startswith(_ADDED) and is_single_byte(encoding)
    return added or encoding in _COMMON


@cache
def columns(encodings: tuple[str, ...]) -> tuple[Column, ...]:
    """The hypotheses of some encodings, in their order."""
    return tuple(column for encoding in encodings for column in _columns(encoding))


def _columns(encoding: str) -> list[Column]:
    if encoding in _COMMON:
        prior, languages = _COMMON[encoding]
        pairs = (language.partition(":") for language in languages.split())
        return [Column(encoding, name, prior + float(more or 0)) for name, _, more in pairs]
    if encoding == NOISE:
        return [Column(encoding, WORLD, _NOISE)]
    prior = _DAMAGED if encoding in (UTF8, CESU8) else _UNCOMMON
    names = [a.language for a in ALPHABETS if _writes(encoding, a.letters[:_CORE_LETTERS])]
    if encoding in (UTF8, CESU8):
        names += ["zh", "zh-hant", "ja", "ko", WORLD]
    return [Column(encoding, name, prior) for name in names]


def _writes(encoding: str, letters: str) -> bool:
    try:
        letters.encode(UTF8 if encoding == CESU8 else encoding)
    except UnicodeEncodeError:
        return False
    return True


def decode(data: bytes, encoding: str) -> str | None:
    """The text of strict decoding, or None.

    A wider encoding of the family reads what the first cannot (`reader`); in gb18030 a lone
    byte 0x80 is the euro sign, as in Windows code page 936.
    """
    if encoding == NOISE:
        return None
    if encoding == CESU8:
        return decode_cesu8(data)
    for name in (encoding, *_WIDER.get(encoding, ())):
        try:
            return data.decode(name)
        except UnicodeDecodeError as error:
            if name == "gb18030" and data[error.start] == _EURO:
                return _with_euro(data)
    return None


def reader(data: bytes, encoding: str) -> str:
    """The encoding of the family that reads bytes which `decode` reads."""
    for wider in _WIDER.get(encoding, ()):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            return wider
    return encoding


def _with_euro(data: bytes) -> str | None:
    parts = []
    while data:
        try:
            parts.append(data.decode("gb18030"))
            break
        except UnicodeDecodeError as error:
            if data[error.start] != _EURO:
                return None
            parts += [data[: error.start].decode("gb18030"), "\u20ac"]
            data = data[error.start + 1 :]
    return "".join(parts)


def encode(text: str, encoding: str) -> bytes | None:
    """The bytes of a text in the encoding of a reading; None if it cannot hold it."""
    try:
        return encode_cesu8(text) if encoding == CESU8 else text.encode(encoding)
    except UnicodeEncodeError:
        return None
