"""Texts that hold what text should not, for tests of the character layer."""

from __future__ import annotations

from hypothesis import strategies as st

from corpusgate.text.characters import RANGES

CLASSED = st.sampled_from(
    sorted({chr(code) for low, high, _ in RANGES for code in (low, high, (low + high) // 2)})
)
NEIGHBOURS = st.sampled_from(
    "a Z\t\n\r[m0;\u00e9\u05d0\u0645\u0915\u094d\u17a0\u0e01\u4e2d\u3002\uff0c\u200a\u2010\u2018"
    "\u2027\u202f\ufdcf\ufdf0\ufefe\uff00\U0001f469\U0001f3fd\U0001f4bb\U0001f3f4\u2764\ufffb"
    "\U0001fffd\U000effff\U0010fffd"
)
TAG_TEXT = st.sampled_from(
    ["\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\x1b[31m", "\x1b["]
)
HOSTILE = st.lists(CLASSED | NEIGHBOURS | TAG_TEXT | st.characters(codec="utf-8"), max_size=12).map(
    "".join
)
"""Ordinary and classed characters side by side, so that contexts arise."""

CONTEXT = st.text(
    "\u200b\u200c\u200d\u200e\u202a\u202b\u202c\u202e\u2066\u2069\u206a\u2060\ufe0f\ufe01\x00\x1b"
    "[m\ufeff\U000e0067\U000e007f\U0001f3f4\U0001f469\U0001f4bb\U0001f3fd\u05d0\u0645\u17a0a \n",
    max_size=14,
)
"""Almost nothing but characters that depend on each other."""
