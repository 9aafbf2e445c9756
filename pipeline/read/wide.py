"""UTF-16 and UTF-32 streams as UTF-8, with the way back to source offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNIT = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
FOUR_BYTES = 0xF0
LAST_POINT, STRAY = 0x10FFFF, 0xDC80
CONTINUATION, LEAD_MASK = 0x80, 0xC0


def to_utf8(data: bytes, encoding: str) -> tuple[bytes, NDArray[np.int64]]:
    """UTF-8 of a piece of a wide stream and the source offset of each of its bytes.

    The offsets have one more element than the bytes: the last is the source length. Unpaired
    surrogates come out as their three-byte forms, which strict UTF-8 refuses, so that the
    records that hold them are set aside with their source bytes. An odd tail is left off.
    """
    unit = UNIT[encoding]
    whole = data[: len(data) // unit * unit]
    if unit == UNIT["utf-32-le"]:  # beyond U+10FFFF nothing decodes: let strict UTF-8 refuse it
        points = np.frombuffer(whole, "<u4" if encoding.endswith("le") else ">u4").copy()
        points[points > LAST_POINT] = STRAY
        whole = points.tobytes()
    utf8 = whole.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")
    view = np.frombuffer(utf8, np.uint8)
    lead = (view & LEAD_MASK) != CONTINUATION
    size = np.where(lead, unit, 0)
    if unit == UNIT["utf-16-le"]:
        size[view >= FOUR_BYTES] = 2 * unit
    offsets = np.zeros(len(utf8) + 1, np.int64)
    np.cumsum(size, out=offsets[1:])
    # a continuation byte has the offset of its lead; only record borders are ever asked for
    return utf8, offsets
