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

# Well-formed multi-byte sequences: Unicode Standard 15.0, table 3-7.
_SEQUENCE = (
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}"
    rb"|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_WELL_FORMED = re.compile(rb"(?:[\x00-\x7f]+|" + _SEQUENCE + rb")+")
# The longest start of a well-formed sequence, or one byte: Unicode Standard 15.0, section 3.9,
# "U+FFFD Substitution of Maximal Subparts".
_SUBPART = re.compile(
    rb"\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|\xf0[\x90-\xbf][\x80-\xbf]?"
    rb"|[\xf1-\xf3][\x80-\xbf]{1,2}|\xf4[\x80-\x8f][\x80-\xbf]?|[\x80-\xff]"
)
# Half of a surrogate pair at the end of a head: Unicode Technical Report 26 (CESU-8).
_HALF_PAIR = re.compile(rb"\xed(?:[\xa0-\xaf](?:[\x80-\xbf](?:\xed[\xb0-\xbf]?)?)?)?\Z")
_MODIFIED_NUL = b"\xc0\x80"

# Fewer code units than this are a guess: "Bush hid the facts" is 18 bytes of ASCII.
_MIN_UNITS = 8
# Share of code units whose upper byte is NUL above which the text is Latin in UTF-16. Plain
# bytes do not get there with every NUL at the same parity.
_LATIN_SHARE = 0.25
# A true text may hold a stray control character or an unassigned one.
_ODD_SHARE = 0.02
# Random pairs of ASCII letters read as UTF-16 fall on Han; of true Han, a fifth looks so.
_ASCII_PAIR_SHARE = 0.5
# Scripts of true text are few: its two commonest blocks of 4096 code points hold nearly all.
# Han spans five of them, so they count as one.
_TWO_SCRIPTS_SHARE = 0.9


def sniff_bom(head: bytes) -> tuple[str, int] | None:
    """The encoding a byte order mark tells, and the length of the mark."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding, len(mark)
    return None


def sniff_wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32 without a byte order mark, told by where its NUL bytes stand.

    Fires on text only: every NUL on the same side of the code units, a strict decoding, no
    control characters, few scripts. Bytes that are text already, with stray NULs, and binary
    files give None; so does UTF-16 without a single character below U+0100.
    """
    if b"\0" not in head:
        return None
    for encoding, width in (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2)):
        body = head[: len(head) // width * width]
        if len(body) // width < _MIN_UNITS:
            continue
        if width == 4 or _nuls_on_one_side(body, encoding):  # noqa: PLR2004
            try:
                text = trim_to_boundary(body, encoding).decode(encoding)
            except UnicodeDecodeError:
                continue
            if text and _reads_as_text(text, body, width):
                return encoding
    return None


def _nuls_on_one_side(body: bytes, encoding: str) -> bool:
    upper, lower = (body[1::2], body[::2]) if encoding.endswith("le") else (body[::2], body[1::2])
    units = len(upper)
    return upper.count(0) > 1 and lower.count(0) <= units * _ODD_SHARE


def _reads_as_text(text: str, body: bytes, width: int) -> bool:
    odd = sum(not c.isprintable() and not c.isspace() for c in text)
    if odd > len(text) * _ODD_SHARE:
        return False
    latin = sum(c < "\u0100" for c in text)
    if width == 4 or latin >= len(text) * _LATIN_SHARE:  # noqa: PLR2004
        return True
    pairs = sum(0x20 <= a < 0x7F and 0x20 <= b < 0x7F for a, b in zip(body[::2], body[1::2]))  # noqa: B905
    if pairs > len(body) // 2 * _ASCII_PAIR_SHARE or is_utf8(trim_to_boundary(body, "utf-8")):
        return False
    blocks = Counter(_block(c) for c in text if c >= "\u0100")
    common = sum(n for _, n in blocks.most_common(2))
    return common >= blocks.total() * _TWO_SCRIPTS_SHARE


def _block(c: str) -> int:
    return 5 if "\u4e00" <= c < "\ua000" else ord(c) >> 12


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
    halves = (units[i : i + 2].decode("utf-16-le", "surrogatepass") for i in range(0, len(units), 2))
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
