"""A reference that never saw the record it judges: a cross-fitted bigram model."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.stats.robust import SMALLEST_SPREAD, normal_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corpusgate.pipeline.ablation.cells import Cells
    from corpusgate.pipeline.ablation.corpus import TrainingText
    from corpusgate.pipeline.ablation.vocabulary import Slots

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

FEATURES = (
    "bits per byte",
    "nats a token",
    "nats of its worst tokens",
    "bytes a token",
    "distinct tokens",
)

# parts of the corpus; each is scored by counts of the others
_FOLDS = 5
# pairs seen before a bigram outweighs its unigram (measured prototype, docs/ablate.md)
_BACK_OFF = 8.0
# tokens that the worst of a record are counted over (measured prototype: its top 8)
_WORST = 8
# added to each unigram count (Krichevsky and Trofimov 1981)
_UNSEEN = 0.5
# blind: the worst share by a first fit that the second fit leaves out (measured: AUC of the
# naming .64 untrimmed, .92 trimmed)
_TRIM = 0.15


def features(slots: Slots, fit: Mask, fold: Ints, size: int, *, trim: bool) -> Floats:
    """What a reference fitted on other records says of each slot, shape (n, features).

    Args:
        slots: slots of one view.
        fit: slots that the reference may learn from.
        fold: the part of the corpus each slot belongs to.
        size: of the vocabulary.
        trim: fit twice, the second time without what the first found oddest.
    """
    distinct = [
        len(set(t[:n].tolist())) for t, n in zip(slots.targets, slots.length.tolist(), strict=True)
    ]
    still = np.column_stack([np.log(slots.bytes / slots.length), np.array(distinct) / slots.length])
    nats = _bigram_nats(slots, fit, fold, size)
    if trim:
        rough = np.column_stack([nats.sum(1) / slots.length, still])
        middle = np.median(rough, 0)
        spread = np.median(np.abs(rough - middle), 0) + SMALLEST_SPREAD
        odd = (np.abs(rough - middle) / spread).max(1)
        nats = _bigram_nats(slots, fit & (odd <= np.quantile(odd, 1 - _TRIM)), fold, size)
    total = nats.sum(1)
    worst = -np.sort(-nats, axis=1)[:, :_WORST]
    mean_worst = worst.sum(1) / np.minimum(slots.length, _WORST)
    return np.column_stack(
        [total / slots.bytes / np.log(2), total / slots.length, mean_worst, still]
    )


def folds(text: TrainingText, slots: Slots) -> Ints:
    """The part of each slot: copies of a text share theirs, so no copy vouches for another."""
    parts = [zlib.crc32(raw.encode("utf-8", "replace")) % _FOLDS for raw in text.raw]
    return np.array(parts, np.int64)[slots.row]


def scores(values: Floats, cells: Cells, pool: Mask) -> Floats:
    """Features as normal scores within each slot's cell, shape (n, features)."""
    found = np.zeros_like(values)
    for members, reference in cells.partition(pool):
        for column in range(values.shape[1]):
            held = values[reference, column]
            found[members, column] = normal_scores(values[members, column], held)
    return found


def _bigram_nats(slots: Slots, fit: Mask, fold: Ints, size: int) -> Floats:
    """Nats of each target, shape (n, block), under a bigram model of the other folds."""
    inside = np.arange(slots.targets.shape[1]) < slots.length[:, None]
    slot = np.repeat(np.arange(len(slots)), slots.length)
    before = slots.inputs[inside].astype(np.int64)
    after = slots.targets[inside].astype(np.int64)
    pair = before * size + after
    kinds, pair = np.unique(pair, return_inverse=True)
    learns, part = fit[slot], fold[slot]
    nats = np.zeros(len(pair))
    for f in range(_FOLDS):
        seen, judged = learns & (part != f), part == f
        pairs = np.bincount(pair[seen], minlength=len(kinds))
        context = np.bincount(before[seen], minlength=size)
        single = np.bincount(after[seen], minlength=size) + _UNSEEN
        share = single / single.sum()
        of, to = context[before[judged]], pairs[pair[judged]]
        weight = of / (of + _BACK_OFF)
        p = weight * to / np.maximum(of, 1) + (1 - weight) * share[after[judged]]
        nats[judged] = -np.log(p)
    found = np.zeros(slots.targets.shape)
    found[inside] = nats
    return found
