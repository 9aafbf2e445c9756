"""Blocks of stated texts, as cleaning leaves them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from corpusgate.model import Block, Columns

if TYPE_CHECKING:
    from collections.abc import Sequence


def block_of(
    texts: Sequence[str | Sequence[str]],
    *,
    source: str = "a.txt",
    split: str = "train",
    first: int = 0,
    base: int = 0,
    **more: Any,
) -> Block:
    """A block whose records hold these texts, one each or several, numbered from `first`.

    The stream begins at offset `base` of its source.
    """
    records = [[t] if isinstance(t, str) else list(t) for t in texts]
    flat = [text.encode() for texts_ in records for text in texts_]
    n, m = len(records), len(flat)
    ends = np.cumsum([0, *(len(text) + 1 for text in flat)]).astype(np.int64)
    span = np.stack([ends[:-1], ends[1:] - 1], axis=1).reshape(-1, 2)
    record = np.repeat(np.arange(n), [len(r) for r in records]).astype(np.int64)
    low = np.searchsorted(record, np.arange(n), "left")
    high = np.searchsorted(record, np.arange(n), "right") - 1
    start, stop = span[low, 0], span[high, 1]
    view = b"".join(text + b"\n" for text in flat)
    number = np.arange(first, first + n, dtype=np.int64)
    return Block(
        source=source,
        split=split,
        columns=Columns(number, number + 1, base + start, stop - start, base + stop + 1),
        base=base,
        raw_size=len(view),
        view=view,
        status=np.zeros(n, np.int8),
        encoding=np.zeros(n, np.int16),
        encodings=("utf-8",),
        margin=np.full(n, np.nan),
        runner_up=np.full(n, -1, np.int16),
        fault=("",) * n,
        body_record=number - first,
        body=np.stack([start, stop], axis=1),
        span_record=record,
        span=span,
        span_body=record,
        span_field=("text",) * m,
        origin=span,
        form=np.zeros(m, np.int8),
        label=(None,) * n,
        **more,
    )
