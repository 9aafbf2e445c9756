"""UTF-8, UTF-16, UTF-32 and their malformed kin: BOMs, CESU-8, where the bytes break."""

from __future__ import annotations

import codecs
import re
from collections import Counter

_BOMS = (  # longest first: the BOM of UTF-16-LE begins that of UTF-32-LE
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

SEQUENCE = (
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}"
    rb"|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
"""Well-formed multi-byte sequences: Unicode Standard 15.0, table 3-7."""
_WELL_FORMED = re.compile(rb"(?:[\x00-\x7f]+|" + SEQUENCE + rb")+")
# The longest start of a well-formed sequence, or one byte: Unicode Standard 15.0, section 3.9,
# "U+FFFD Substitution of Maximal Subparts".
_SUBPART = re.compile(
    rb"\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|\xf0[\x90-\xbf][\x80-\xbf]?"
    rb"|[\xf1-\xf3][\x80-\xbf]{1,2}|\xf4[\x80-\x8f][\x80-\xbf]?|[\x80-\xff]"
)
# Half of a surrogate pair at the end of a head: Unicode Technical Report 26 (CESU-8).
_HALF_PAIR = re.compile(rb"\xed(?:[\xa0-\xaf](?:[\x80-\xbf](?:\xed[\xb0-\xbf]?)?)?)?\Z")
_UTF32 = 4
_WIDE = (("utf-32-le", _UTF32), ("utf-32-be", _UTF32), ("utf-16-le", 2), ("utf-16-be", 2))
_MODIFIED_NUL = b"\xc0\x80"

# Fewer code units than this are a guess: "Bush hid the facts" is 18 bytes of ASCII.
_MIN_UNITS = 8
# Share of code units whose upper byte is NUL above which the text is Latin in UTF-16. Plain
# bytes do not get there with every NUL at the same parity.
_LATIN_SHARE = 0.25
# A true text may hold a stray control character or an unassigned one.
_ODD_SHARE = 0.02
# Characters that begin a row of the code charts have a lower byte of NUL; U+4E00, the second
# commonest of Chinese, makes 1-3 % of it, U+AC00 as much of Korean; a short text holds more.
_LOWER_SHARE = 0.15
_PRINTABLE = range(0x20, 0x7F)
# Random pairs of ASCII letters read as UTF-16 fall on Han; of true Han, a fifth looks so.
_ASCII_PAIR_SHARE = 0.5
# True text is of one family of scripts; emoji and symbols among it are few.
_ONE_SCRIPT_SHARE = 0.9
# Korean is written with spaces, one a word: about one character in four.
_SPACE_SHARE = 0.05
# Punctuation of Chinese and Japanese: text without a character below U+0100 holds some.
_WIDE_PUNCTUATION = frozenset("\u3000\u3001\u3002\uff0c")


def sniff_bom(head: bytes) -> tuple[str, int] | None:
    """The encoding a byte order mark tells, and the length of the mark."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding, len(mark)
    return None


def sniff_wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32 without a byte order mark, told by where its NUL bytes stand.

    Fires on text only: its NULs on the upper side of the code units (or, in Chinese and
    Japanese without any, on the lower side alone), a strict decoding, no control characters,
    few scripts. Bytes that are text already, with stray NULs, and binary files give None.
    """
    if b"\0" not in head:
        return None
    for encoding, width in _WIDE:
        body = head[: len(head) // width * width]
        if len(body) // width < _MIN_UNITS:
            continue
        if width == _UTF32 or _nuls_on_one_side(body, encoding):
            try:
                text = trim_to_boundary(body, encoding).decode(encoding)
            except UnicodeDecodeError:
                continue
            if text and _reads_as_text(text, body, width):
                return encoding
    return None


def _nuls_on_one_side(body: bytes, encoding: str) -> bool:
    upper, lower = (body[1::2], body[::2]) if encoding.endswith("le") else (body[::2], body[1::2])
    return upper.count(0) == 0 or lower.count(0) <= len(upper) * _LOWER_SHARE


def _reads_as_text(text: str, body: bytes, width: int) -> bool:
    odd = sum(not c.isprintable() and not c.isspace() for c in text)
    if odd > len(text) * _ODD_SHARE:
        return False
    latin = sum(c < "\u0100" for c in text)
    if width == _UTF32 or latin >= len(text) * _LATIN_SHARE:
        return True
    pairs = sum(
        a in _PRINTABLE and b in _PRINTABLE for a, b in zip(body[::2], body[1::2], strict=False)
    )
    if pairs > len(text) * _ASCII_PAIR_SHARE or is_utf8(trim_to_boundary(body, "utf-8")):
        return False
    families = Counter(_family(c) for c in text if c >= "\u0100")
    ((family, count),) = families.most_common(1)
    if count < families.total() * _ONE_SCRIPT_SHARE:
        return False
    if family == "Hang":
        return latin >= len(text) * _SPACE_SHARE
    return family in {"Hani", "low"} and (family == "low" or not _WIDE_PUNCTUATION.isdisjoint(text))


def _family(c: str) -> str:
    if c < "\u1000":
        return "low"
    if "\u3000" <= c < "\ua000" or c >= "\uff00":
        return "Hani"
    return "Hang" if "\uac00" <= c < "\ud7b0" else "else"


def is_utf8(data: bytes) -> bool:
    """Whether strict UTF-8 reads all of it."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def decode_cesu8(data: bytes, *, modified: bool = False) -> str | None:
    """UTF-8 in which characters beyond U+FFFF may stand as surrogate pairs of three bytes each.

    None if anything else is malformed, a lone surrogate included. `modified` also takes C0 80
    for NUL, as Java does. Source: Unicode Technical Report 26.
    """
    if modified:
        data = data.replace(_MODIFIED_NUL, b"\0")
    try:
        halves = data.decode("utf-8", "surrogatepass")
        return halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return None


def encode_cesu8(text: str) -> bytes:
    """The bytes of a text in CESU-8; the inverse of `decode_cesu8` where all were pairs."""
    units = text.encode("utf-16-le")
    halves = (
        units[i : i + 2].decode("utf-16-le", "surrogatepass") for i in range(0, len(units), 2)
    )
    return "".join(halves).encode("utf-8", "surrogatepass")


def invalid_spans(data: bytes) -> list[tuple[int, int]]:
    """Where strict UTF-8 breaks: (start, end) of each maximal subpart, in order."""
    spans = []
    at = 0
    while at < len(data):
        if run := _WELL_FORMED.match(data, at):
            at = run.end()
        elif part := _SUBPART.match(data, at):
            spans.append(part.span())
            at = part.end()
    return spans


def trim_to_boundary(head: bytes, encoding: str) -> bytes:
    """A head of a stream without the part of a character that its cut left at the end."""
    if encoding == "cesu-8":
        half = _HALF_PAIR.search(head)
        if half:
            return head[: half.start()]
        encoding = "utf-8"
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    decoder.decode(head)
    pending = decoder.getstate()[0]
    return head[: len(head) - len(pending)]
