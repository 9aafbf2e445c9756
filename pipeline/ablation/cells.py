"""Like is compared with like: cells of script, language, source and length."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corpusgate.pipeline.ablation.corpus import TrainingText
    from corpusgate.pipeline.ablation.vocabulary import Slots

    Ints: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

# a script, language or source below this share is no group of its own but alien to the
# corpus: a policy line, measured in docs/ablate.md
GROUP_SHARE = 0.03
# slots that a cell must hold to be compared within; below it the next wider cell is taken
CELL_SIZE = 30
# quantiles that part short from long slots
_LENGTH_CUTS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Cells:
    """Which slots may stand in for which: levels from narrow to wide."""

    levels: tuple[tuple[Ints, Mask], ...]
    """(cell of each slot, slots that may be compared at this level)."""
    group: Ints
    """Script and language of the slot's record where it holds its share, else 0."""
    alien: Mask
    """Slots whose script or language is known and below the share."""
    known: bool
    """Whether most records have a script or a language."""

    def members(self, slot: int, pool: Mask) -> Ints:
        """Slots of the pool like this one: its narrowest cell that holds enough of them."""
        for cell, applies in self.levels:
            if applies[slot]:
                found = np.flatnonzero(pool & (cell == cell[slot]))
                if len(found) >= CELL_SIZE:
                    return found
        return np.flatnonzero(pool)

    def partition(self, pool: Mask) -> list[tuple[Ints, Ints]]:
        """(slots, the pool's slots they are compared with), every slot once."""
        left = np.ones(len(self.group), bool)
        parts = []
        for cell, applies in self.levels:
            held = np.bincount(cell[pool], minlength=int(cell.max(initial=0)) + 1)
            for one in np.flatnonzero(held >= CELL_SIZE).tolist():
                inside = left & applies & (cell == one)
                if inside.any():
                    parts.append((np.flatnonzero(inside), np.flatnonzero(pool & (cell == one))))
            left &= ~applies | (held[cell] < CELL_SIZE)
        if left.any():
            parts.append((np.flatnonzero(left), np.flatnonzero(pool)))
        return parts


def cells_of(text: TrainingText, slots: Slots, sound: Mask) -> Cells:
    """Cells from what is known of each record before anything is trained.

    What is alien to the corpus, a script, language or source below its share, is compared
    with everything: among its own kind it would never look odd.

    Args:
        text: the records.
        slots: their slots.
        sound: records that no check flagged; shares and lengths are taken over these.
    """
    tongues = [text.tongue(row) for row in range(len(text))]
    tongue, alien = _groups(tongues, sound)
    source, _ = _groups(text.source, sound)
    inside = sound[slots.row]
    cuts = np.quantile(slots.length[inside], _LENGTH_CUTS) if inside.any() else np.zeros(3)
    length = np.searchsorted(cuts, slots.length, "left")
    group, origin = tongue[slots.row], source[slots.row]
    origins, lengths = int(source.max(initial=0)) + 1, len(_LENGTH_CUTS) + 1
    spoken, filed = group > 0, origin > 0
    levels = (
        ((group * origins + origin) * lengths + length, spoken & filed),
        (group * origins + origin, spoken & filed),
        (group * lengths + length, spoken),
        (group, spoken),
        (origin * lengths + length, filed),
        (length, np.ones(len(slots), bool)),
    )
    named = sum(1 for name in tongues if name)
    return Cells(levels, group, alien[slots.row], known=2 * named >= max(1, len(text)))


def _groups(names: Sequence[str], sound: Mask) -> tuple[Ints, Mask]:
    """(number of each record's group, 0 below the share; records of such a named group)."""
    held = Counter(name for name, ok in zip(names, sound.tolist(), strict=True) if ok and name)
    least = GROUP_SHARE * max(1, int(sound.sum()))
    kept = {name: i + 1 for i, name in enumerate(sorted(n for n, c in held.items() if c >= least))}
    numbers = np.array([kept.get(name, 0) for name in names], np.int64)
    alien = np.array([bool(name) and name not in kept for name in names], bool)
    return numbers, alien
