"""Blocks as decoding leaves them: texts with the classes of their characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import text_blocks

from corpusgate.text.screen import screen_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.model import Block


def block_of(
    texts: Sequence[str | Sequence[str]], source: str = "t.jsonl", split: str = "train", **more: Any
) -> Block:
    """A screened block whose records hold these texts, one each or several."""
    block = text_blocks.block_of(texts, source=source, split=split, **more)
    bits = screen_records(block.view, block.span, block.span_record, len(block))
    return block.with_columns(bits=bits)
