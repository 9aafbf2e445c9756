"""What is settled before anything is trained: slots, order, content test, probe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.pipeline.ablation.cells import Cells, cells_of
from corpusgate.pipeline.ablation.content import (
    ContentTest,
    Levels,
    name_records,
    test_steps,
    units_of,
)
from corpusgate.pipeline.ablation.order import batches, too_few
from corpusgate.pipeline.ablation.reference import features, folds, scores
from corpusgate.pipeline.ablation.vocabulary import Slots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corpusgate.pipeline.ablation.content import Units
    from corpusgate.pipeline.ablation.corpus import TrainingText, View
    from corpusgate.pipeline.ablation.options import AblateOptions
    from corpusgate.pipeline.ablation.vocabulary import Vocabulary

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Mask: TypeAlias = NDArray[np.bool_]

# slots of the probe: 32 short ones cost two thirds of a step (measured)
PROBE = 32
# batches drawn for the usual mix of scripts and languages
_MIX_DRAWS = 20_000


@dataclass(frozen=True, eq=False)
class Study:
    """One view of the text in its frozen order, with the content of every step tested."""

    text: TrainingText
    view: View
    options: AblateOptions
    vocabulary: Vocabulary
    slots: Slots
    batches: tuple[Ints, ...]
    passes: int
    findings: tuple[frozenset[str], ...]
    """What other checks say of each record in this view; nothing of the clean copy."""
    sound: Mask
    """Records that no check flagged, by row; all of them where that is withheld."""
    norm: Mask
    """Records that others are held against: the sound ones, and all of a source that is
    mostly flagged. What is wrong with a whole file is no fault of one step."""
    cells: Cells
    content: ContentTest
    probe: Ints
    """Slots of the clean probe. They are trained on like any other: the order stays."""

    @classmethod
    def of(
        cls,
        text: TrainingText,
        rows: Ints,
        view: View,
        vocabulary: Vocabulary,
        options: AblateOptions,
    ) -> Study:
        """Cut a view into slots, freeze its order, and test each step's content."""
        slots = Slots.of(text.view(view), vocabulary, options.block)
        findings = text.checks if view == "raw" else (frozenset[str](),) * len(text)
        sound = np.array([options.blind or not names for names in findings], bool)
        norm = sound | _mostly_flagged(text, sound)
        cells = cells_of(text, slots, norm)
        steps, passes = batches(slots, rows, options)
        levels = Levels(options.alpha, options.q, 2 if options.pulse else 1, options.seed)

        def judged(norm: Mask) -> Units:
            fit = norm[slots.row]
            parts = folds(text, slots)
            found = features(slots, fit, parts, vocabulary.size, trim=options.blind)
            return units_of(scores(found, cells, fit), slots.row, steps, norm)

        content = test_steps(judged(norm), len(steps), levels)
        if content.rejected.any():
            # named against a reference that knows none of what the test just rejected
            rest = norm & ~_trained_in(slots, steps, content.rejected, len(text))
            names = name_records(judged(rest), content.rejected, options.q)
            content = replace(content, named=names)
        probe = _probe(text, slots, sound, options.seed)
        return cls(
            text,
            view,
            options,
            vocabulary,
            slots,
            steps,
            passes,
            findings,
            sound,
            norm,
            cells,
            content,
            probe,
        )

    @property
    def underpowered(self) -> str:
        """Why no verdict can be reached, or empty."""
        return too_few(len(self.batches)) or self.content.underpowered

    @cached_property
    def pool(self) -> Mask:
        """Slots that may stand in for others: sound, and in no rejected step."""
        spoilt = _trained_in(self.slots, self.batches, self.content.rejected, len(self.text))
        return (self.norm & ~spoilt)[self.slots.row]

    @cached_property
    def mix(self) -> Floats:
        """P of each step's scripts and languages under a shuffled order of this corpus."""
        names = [self.text.tongue(row) for row in range(len(self.text))]
        _, tongue = np.unique(names, return_inverse=True)
        kinds = int(tongue.max(initial=0)) + 1
        line = tongue[self.slots.row[np.concatenate(self.batches)]]
        if kinds == 1:
            return np.ones(len(self.batches))
        share = np.bincount(line, minlength=kinds) / len(line)
        size = self.options.batch
        rng = np.random.default_rng([self.options.seed, 2])

        def distance(drawn: Ints) -> Floats:
            counts = np.stack([(drawn == k).sum(1) for k in range(kinds)], axis=1)
            expected = np.maximum(share * size, 1e-9)
            return np.asarray(((counts - expected) ** 2 / expected * (share > 0)).sum(1))

        usual = np.sort(distance(line[rng.integers(0, len(line), (_MIX_DRAWS, size))]))
        own = distance(np.stack([tongue[self.slots.row[b]] for b in self.batches]))
        above = len(usual) - np.searchsorted(usual, own - 1e-9, "left")
        return np.asarray((1 + above) / (1 + len(usual)), np.float64)


def _trained_in(slots: Slots, batches: Sequence[Ints], steps: Mask, records: int) -> Mask:
    """Records with a slot in any of some steps."""
    found = np.zeros(records, bool)
    for t in np.flatnonzero(steps).tolist():
        found[slots.row[batches[t]]] = True
    return found


def _mostly_flagged(text: TrainingText, sound: Mask) -> Mask:
    """Records of sources more than half of whose records some check flagged."""
    _, source = np.unique(np.array(text.source, dtype=object), return_inverse=True)
    held, good = np.bincount(source), np.bincount(source, sound)
    return np.asarray((2 * good < held)[source])


def _probe(text: TrainingText, slots: Slots, sound: Mask, seed: int) -> Ints:
    """First windows of sound records that the clean copy holds, drawn by the seed."""
    kept = np.fromiter((clean is not None for clean in text.clean), bool, len(text))
    first = slots.window == 0
    for usable in (sound & kept, kept, np.ones(len(text), bool)):
        found = np.flatnonzero(first & usable[slots.row])
        if len(found):
            rng = np.random.default_rng([seed, 3])
            return np.sort(rng.choice(found, min(PROBE, len(found)), replace=False))
    return np.zeros(0, np.int64)
