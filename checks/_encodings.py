"""What the checks of encodings share: how they name and show the reading of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corpusgate.model import Block


def encoding_of(block: Block, row: int) -> str:
    """The encoding that a record was read in, or came closest to; empty for none."""
    number = int(block.encoding[row])
    return block.encodings[number] if number >= 0 else ""


def reading_of(block: Block, row: int) -> list[tuple[str, str]]:
    """Evidence: the encoding of a record, and by how many nats it leads over which."""
    shown = []
    if name := encoding_of(block, row):
        shown.append(("encoding", name))
    if not np.isnan(margin := float(block.margin[row])):
        shown.append(("margin", f"{margin:.2f} nats"))
    if (other := int(block.runner_up[row])) >= 0:
        shown.append(("runner-up", block.encodings[other]))
    return shown
