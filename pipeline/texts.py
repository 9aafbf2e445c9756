"""Texts after cleaning: the block that lengths, hashes, words and tokens are taken of."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import COPY

if TYPE_CHECKING:
    from corpusgate.model import Block
    from corpusgate.pipeline.edits import Cleaned

SPACE = re.compile(r"\s+")


def clean_block(block: Block, cleaned: Cleaned) -> Block:
    """The same records with their cleaned texts; those set aside have none and a fault."""
    view: list[bytes] = []
    spans: list[tuple[int, int]] = []
    rows: list[int] = []
    names: list[str] = []
    at = 0
    for row, texts in enumerate(cleaned.texts):
        low = int(block.span_bounds[row])
        for i, text in enumerate(texts or ()):
            view.append(text)
            spans.append((at, at + len(text)))
            rows.append(row)
            names.append(block.span_field[low + i])
            at += len(text)
    span = np.array(spans, np.int64).reshape(-1, 2)
    return replace(
        block,
        base=0,
        raw_size=at,
        view=b"".join(view),
        fault=cleaned.reasons,
        span=span,
        origin=span,
        span_record=np.array(rows, np.int64),
        span_body=np.array(rows, np.int64),
        span_field=tuple(names),
        form=np.full(len(rows), COPY, np.int8),
    )


def normalised(text: str) -> str:
    """Text with white space collapsed and case folded; punctuation is kept."""
    return SPACE.sub(" ", text).strip().casefold()


def text_hash(text: str) -> int:
    """64-bit BLAKE2b of a text's UTF-8."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
