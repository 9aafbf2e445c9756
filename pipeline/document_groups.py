"""Token counts by hashed groups of documents: the unit that the drift test deals anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from corpusgate.errors import ConfigError
from corpusgate.text.words import word_ids, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Ints: TypeAlias = NDArray[np.int64]

Unit: TypeAlias = Literal["tokens", "words"]

LEFT_OUT = -1
"""The group of a document that the sample does not hold."""

# A document's place lies above these bits of its group number, its own hash in them.
_PLACE = 32
_BELOW = np.uint64(2**_PLACE - 1)

# Constants of splitmix64: Steele, Lea and Flood, OOPSLA 2014. Mixed anew, since other samples
# take the records whose ids are lowest.
_MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEP = 0x9E3779B97F4A7C15

# Documents whose words are known by name. A word in 1 % of documents is missed by so many
# with a chance of 0.99 ** 1024 = 3e-5.
_NAMED = 1024

# A longer word is shown cut; its id is of the whole.
_LONGEST_NAME = 64

# Words are longer than this so rarely that a text need not be split further for a first n.
_CHARACTERS_PER_WORD = 16


@dataclass(frozen=True)
class Grouping:
    """How documents are sampled and grouped. The defaults bound memory, not precision."""

    units: int = 4096
    """Groups of a split, at most; a power of two. Up to so many, each document is its own."""
    documents: int = 32_768
    """Documents sampled of a split, at most: of 10 words each, chance alone then moves the
    divergence by 0.0004 bits (measured), a fifth of the least drift that is flagged."""
    tokens: int = 1024
    """Tokens counted of a document, from its start: the limits were measured on the first
    4,000 characters, about as much."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.units < 1 or self.units & (self.units - 1):
            why = f"compare.grouping.units is {self.units}: give a power of two, as 4096"
            raise ConfigError("unusable-grouping", why)
        if not 0 < self.documents < 2**31 or self.tokens < 1:
            why = "compare.grouping: documents and tokens must be above 0, documents below 2**31"
            raise ConfigError("unusable-grouping", why)

    def sampled(self, split: str, documents: Mapping[str, int]) -> int:
        """Documents of a split in the sample (expected): no more of train than can be used."""
        reference = reference_of(documents)
        most = self.documents
        if split == reference:
            others = [n for name, n in documents.items() if name != reference]
            most = min(most, self.units << max(map(self.level, others), default=0))
        return min(documents[split], most)

    def level(self, documents: int) -> int:
        """Power of two of the size of groups for a split held against train."""
        sampled = min(documents, self.documents)
        return max(0, (sampled - 1).bit_length() - (self.units.bit_length() - 1))


def reference_of(splits: Iterable[str]) -> str:
    """The split that others are held against: train, or the first if none is called so."""
    names = list(splits)
    return "train" if "train" in names else names[0]


def group_of(
    ids: NDArray[np.uint64], split: str, documents: Mapping[str, int], grouping: Grouping
) -> Ints:
    """Group numbers of records, or LEFT_OUT: a function of the id and the sizes of the splits.

    The hash of its id deals each document a place among as many as the split has. Places
    below `units` are groups of one; those in [units * 2**(j-1), units * 2**j) are
    grouped by 2**j, so that groups of any power of two can be put together of them, and all
    but the largest splits are sampled whole. A group's number is its first place, and below
    it, in groups of one, the document's hash.

    Args:
        ids: record ids, shape (n,).
        split: whose records they are.
        documents: records read by split, as the survey counted them, in order.
        grouping: the bounds.
    """
    with np.errstate(over="ignore"):
        mixed = ids + np.uint64((grouping.seed + 1) * _STEP % 2**64)
        for multiplier, shift in zip(_MIX, (30, 27), strict=True):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * multiplier
        mixed ^= mixed >> np.uint64(31)
    total = np.uint64(min(documents[split], 2**_PLACE - 1))
    place = ((mixed >> np.uint64(_PLACE)) * total) >> np.uint64(_PLACE)
    # frexp is exact on integers below 2**53: the exponent is their bit length.
    bits = np.frexp((place >> np.uint64(grouping.units.bit_length() - 1)).astype(float))[1]
    level = bits.astype(np.uint64)
    number = (place >> level << level) << np.uint64(_PLACE) | np.where(level, 0, mixed & _BELOW)
    sampled = np.uint64(grouping.sampled(split, documents))
    return np.where(place < sampled, number.astype(np.int64), LEFT_OUT)


@dataclass(frozen=True, eq=False)
class GroupCounts:
    """Token counts of one split by group of documents: a sum, and nothing seen by default.

    Parallel arrays of length n, sorted by (group, token), no pair twice. A token is its id in
    the tokenizer, or of a word the 63-bit hash.
    """

    unit: Unit | None = None
    groups: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    token: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    count: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    names: Mapping[int, str] = field(default_factory=dict)
    """What tokens are called. Of words: those of the documents that hash lowest (places below
    1,024), so that the names of a sum are the union of its parts' and their number is bounded.
    """

    def __add__(self, other: GroupCounts) -> GroupCounts:
        return GroupCounts.total([self, other])

    @classmethod
    def total(cls, parts: Sequence[GroupCounts]) -> GroupCounts:
        """The sum of parts, in one go.

        Raises:
            ValueError: words were to be added to tokens.
        """
        units: set[Unit] = {part.unit for part in parts if part.unit}
        if not units:
            return cls()
        if len(units) > 1:
            raise ValueError(f"counts of {' and '.join(sorted(units))} do not add up")
        names = {id_: name for part in parts for id_, name in part.names.items()}
        columns = ("groups", "token", "count")
        stacked = [np.concatenate([getattr(part, name) for part in parts]) for name in columns]
        return cls(units.pop(), *_compact(*stacked), dict(sorted(names.items())))


def _compact(groups: Ints, token: Ints, count: Ints) -> tuple[Ints, Ints, Ints]:
    order = np.lexsort((token, groups))
    groups, token, count = groups[order], token[order], count[order]
    new = np.ones(len(order), bool)
    new[1:] = (groups[1:] != groups[:-1]) | (token[1:] != token[:-1])
    starts = np.flatnonzero(new)
    return groups[starts], token[starts], np.add.reduceat(count, starts) if len(starts) else count


def count_tokens(groups: Ints, ids: Iterable[Sequence[int]], grouping: Grouping) -> GroupCounts:
    """Count the tokens of documents: their groups, and for each the ids of its tokens."""
    kept = [
        (group, np.asarray(tokens[: grouping.tokens], np.int64))
        for group, tokens in zip(groups.tolist(), ids, strict=True)
        if group != LEFT_OUT
    ]
    sizes = [len(tokens) for _, tokens in kept]
    rows = np.repeat(np.array([group for group, _ in kept], np.int64), sizes)
    token = np.concatenate([np.zeros(0, np.int64), *(tokens for _, tokens in kept)])
    return GroupCounts("tokens", *_compact(rows, token, np.ones(len(rows), np.int64)))


def count_words(groups: Ints, texts: Iterable[str], grouping: Grouping) -> GroupCounts:
    """Count the words of documents: their groups, and the text of each."""
    known: dict[str, int] = {}
    named: set[str] = set()
    rows: list[list[int]] = []
    for group, text in zip(groups.tolist(), texts, strict=True):
        if group == LEFT_OUT:
            rows.append([])
            continue
        found = words(text[: grouping.tokens * _CHARACTERS_PER_WORD])[: grouping.tokens]
        rows.append([known.setdefault(word, len(known)) for word in found])
        if group >> _PLACE < _NAMED:
            named.update(found)
    places = count_tokens(groups, rows, grouping)
    ids = np.array(word_ids(known), np.int64)
    names = {int(ids[known[word]]): word[:_LONGEST_NAME] for word in named}
    part = GroupCounts("words", places.groups, ids[places.token], places.count, names)
    return GroupCounts.total([part])


def align(
    reference: GroupCounts, other: GroupCounts, documents: tuple[int, int], grouping: Grouping
) -> tuple[csr_array, NDArray[np.bool_], Ints]:
    """Lay the groups of two splits, of equal expected size, over one vocabulary.

    Args:
        reference: counts of train.
        other: counts of the split held against it.
        documents: records of either, as `group_of` was told.
        grouping: as `group_of` was told.

    Returns:
        Counts of shape (groups, tokens), which groups are the other's, and the tokens' ids.
    """
    from scipy.sparse import csr_array

    level = grouping.level(documents[1])
    sides = [
        _at_level(counts, level, min(size, grouping.documents, grouping.units << level) >> level)
        for counts, size in zip((reference, other), documents, strict=True)
    ]
    vocabulary, column = np.unique(np.concatenate([side[1] for side in sides]), return_inverse=True)
    rows = [np.unique(side[0], return_inverse=True)[1] for side in sides]
    heights = [int(row.max(initial=-1)) + 1 for row in rows]
    row = np.concatenate([rows[0], rows[1] + heights[0]])
    data = np.concatenate([side[2] for side in sides])
    counts = csr_array((data, (row, column)), shape=(sum(heights), len(vocabulary)))
    return counts, np.arange(sum(heights)) >= heights[0], vocabulary


def _at_level(counts: GroupCounts, level: int, groups: int) -> tuple[Ints, Ints, Ints]:
    place = counts.groups >> _PLACE
    kept = (place >> level) < groups
    merged = (place >> level) if level else counts.groups
    return merged[kept], counts.token[kept], counts.count[kept]
