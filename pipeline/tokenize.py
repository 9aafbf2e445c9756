"""Tokenize: what a tokenizer makes of each cleaned record, and what it does not give back."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpusgate.errors import ConfigError
from corpusgate.model import Loss, Sample, TokenFacts
from corpusgate.pipeline.round_trip import classify, excerpts, pieces
from corpusgate.pipeline.tokenizer_file import Crash, Loaded, load
from corpusgate.text.scripts import main_scripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from corpusgate.model import Block

    Ints: TypeAlias = NDArray[np.int64]

__all__ = ["Loaded", "TokenizeOptions", "load", "tokenize"]

# Ids are Python integers while a batch is worked on, some 36 bytes each; at 4 characters a
# token a batch of them takes 10 MB.
BATCH_CHARACTERS = 2**20


@dataclass(frozen=True)
class TokenizeOptions:
    """Options of tokenizing.

    Attributes:
        tokenizer: path of a tokenizer.json; None leaves the stage out.
        context: tokens of the model's context, to say what truncation would lose.
        piece: characters given to the tokenizer at once; a longer text is given in pieces.
    """

    tokenizer: str | None = None
    context: int | None = None
    # As dashscope cuts for Qwen (PyPI dashscope 2.0.2, _CHUNK_SIZE); tiktoken panics at about
    # 1,000,000 spaces (openai/tiktoken#15).
    piece: int = 100_000

    def __post_init__(self) -> None:
        for name in ("context", "piece"):
            value = getattr(self, name)
            if value is not None and value < 1:
                why = f"tokenize.{name} is {value}: give a whole number above 0"
                raise ConfigError("unusable-option", why)


class _Trip(NamedTuple):
    """A text on its way through the tokenizer and back."""

    row: int
    text: str
    ids: list[int] | Crash
    specials: tuple[str, ...] = ()
    """Special tokens in the text that were read as commands; none if it was read plainly."""


@dataclass(frozen=True, eq=False)
class _Columns:
    """The columns of a block while they are filled."""

    record_ids: NDArray[np.uint64]
    ids: list[array[int]]
    unknown: Ints
    loss: NDArray[np.uint32]
    times: Ints
    """Pieces in which a text was given."""
    special: Counter[tuple[int, str]] = field(default_factory=Counter)
    lost: dict[str, list[tuple[int, int, str, str]]] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    script_bytes: Counter[str] = field(default_factory=Counter)
    script_tokens: Counter[str] = field(default_factory=Counter)
    script_unknown: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, block: Block) -> _Columns:
        """Columns of zeros."""
        n = len(block)
        ids = [array("i") for _ in range(n)]
        zeros = np.zeros((2, n), np.int64)
        return cls(block.ids, ids, zeros[0], np.zeros(n, np.uint32), zeros[1])

    def count(self, trips: list[_Trip], unknown_id: int) -> None:
        """Count the tokens of texts that were read plainly."""
        ids = [[] if isinstance(trip.ids, Crash) else trip.ids for trip in trips]
        rows = np.array([trip.row for trip in trips], np.int64)
        for trip, held in zip(trips, ids, strict=True):
            self.ids[trip.row].extend(held)
        self.used.update(chain.from_iterable(ids))
        unknown = np.zeros(len(trips), np.int64)
        if unknown_id in self.used:
            unknown += np.array([held.count(unknown_id) for held in ids])
        np.add.at(self.unknown, rows, unknown)
        np.add.at(self.times, rows, 1)
        encoded = [trip.text.encode() for trip in trips]
        size = np.array([len(text) for text in encoded], np.int64)
        end = np.cumsum(size)
        scripts = np.array(main_scripts(b"".join(encoded), np.stack([end - size, end], axis=1)))
        tokens = np.array([len(held) for held in ids], np.int64)
        for script in np.unique(scripts).tolist():
            chosen = scripts == script
            self.script_bytes[script] += int(size[chosen].sum())
            self.script_tokens[script] += int(tokens[chosen].sum())
            self.script_unknown[script] += int(unknown[chosen].sum())

    def lose(self, row: int, loss: Loss, before: str, after: str) -> None:
        """Note what a row lost, with an excerpt if its id is among the lowest of a class."""
        self.loss[row] |= loss
        key = int(self.record_ids[row])
        for each in _each(loss):
            kept = self.lost.setdefault(each.label, [])
            full = len(kept) == Sample.K
            if (full and key > kept[-1][0]) or any(row == other for _, other, *_ in kept):
                continue
            kept.append((key, row, *excerpts(before, after, each)))
            kept.sort()
            del kept[Sample.K :]


@cache
def _each(loss: Loss) -> tuple[Loss, ...]:
    return tuple(loss)


def tokenize(
    block: Block, loaded: Loaded, options: TokenizeOptions
) -> tuple[list[array[int]], TokenFacts]:
    """Ids of the readable records of a cleaned block, and what the tokenizer does to them.

    A special token that stands in a text is counted as a trainer's call reads it: as a
    command. Ids and columns of tokens hold that text read as the characters it is made of,
    where the tokenizer can do so; what either reading loses is a loss.

    Returns:
        The ids of each readable record, in order, and columns for all records.
    """
    columns = _Columns.of(block)
    for batch in _batches(_given(block, options.piece)):
        trips = _encode(batch, loaded)
        columns.count(trips[: len(batch)], loaded.unknown)
        for trip, after in zip(trips, _decode(trips, loaded), strict=True):
            columns.special.update((trip.row, name) for name in trip.specials)
            if isinstance(trip.ids, Crash):
                columns.lose(trip.row, Loss.CRASH, trip.text, trip.ids.reason)
            elif isinstance(after, Crash):
                columns.lose(trip.row, Loss.CRASH, trip.text, after.reason)
            elif after != trip.text:
                loss = _loss(trip, trip.ids, after, loaded)
                columns.lose(trip.row, loss, trip.text, after)
    for note, row in block.notes:
        if note == "lone-surrogate" and "\ufffd" in block.text(row):
            columns.lose(row, Loss.SURROGATE, "a lone surrogate", "\ufffd")
    rows = np.flatnonzero(block.readable).tolist()
    return [columns.ids[row] for row in rows], _facts(columns, loaded, options.context)


def _given(block: Block, size: int) -> Iterator[tuple[int, str]]:
    """(row, text) as it is given to the tokenizer."""
    for row, text in block.rows():
        if len(text) <= size:
            yield row, text
        else:
            for piece in pieces(text, size):
                yield row, piece


def _batches(given: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    batch: list[tuple[int, str]] = []
    characters = 0
    for row, text in given:
        batch.append((row, text))
        characters += len(text)
        if characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _encode(batch: list[tuple[int, str]], loaded: Loaded) -> list[_Trip]:
    """Each text read plainly, and once more as a trainer reads it if it holds commands."""
    ids = loaded.encode([text for _, text in batch])
    trips = [_Trip(row, text, i) for (row, text), i in zip(batch, ids, strict=True)]
    commands = {
        place: trip._replace(specials=specials)
        for place, trip in enumerate(trips)
        if (specials := _specials(trip, loaded))
    }
    plain = loaded.encode([trip.text for trip in commands.values()], plain=True)
    for (place, trip), i in zip(commands.items(), plain, strict=True):
        trips[place] = trip._replace(ids=i, specials=())
    return [*trips, *commands.values()]


def _specials(trip: _Trip, loaded: Loaded) -> tuple[str, ...]:
    """Special tokens that stand in a text, one name for each time."""
    if isinstance(trip.ids, Crash):
        return ()
    found = []
    if not loaded.special.keys().isdisjoint(trip.ids):
        found = [loaded.special[i] for i in trip.ids if i in loaded.special]
    name = loaded.unknown_token
    if name and name in trip.text and loaded.unknown in trip.ids:
        found += [name] * trip.text.count(name)
    return tuple(found)


def _decode(trips: list[_Trip], loaded: Loaded) -> list[str | Crash]:
    """The text of each trip's ids; none of a trip that did not get that far."""
    return loaded.decode([[] if isinstance(trip.ids, Crash) else trip.ids for trip in trips])


def _loss(trip: _Trip, ids: list[int], after: str, loaded: Loaded) -> Loss:
    """Name what a trip lost. What stands between unknown tokens is decoded apart."""
    if loaded.unknown not in ids:
        return classify(trip.text, [after], trip.specials)
    parts: list[list[int]] = [[]]
    for i in ids:
        if i == loaded.unknown:
            parts.append([])
        else:
            parts[-1].append(i)
    texts = ["" if isinstance(part, Crash) else part for part in loaded.decode(parts)]
    return classify(trip.text, texts, trip.specials)


def _facts(columns: _Columns, loaded: Loaded, context: int | None) -> TokenFacts:
    tokens = np.array([len(ids) for ids in columns.ids], np.int64)
    room = max((context or 0) - loaded.template, 0)
    return TokenFacts(
        tokens=tokens,
        unknown=columns.unknown,
        truncated=np.maximum(tokens - room, 0) if context else tokens * 0,
        loss=columns.loss,
        special=tuple((row, name, n) for (row, name), n in sorted(columns.special.items())),
        lost=tuple(
            (row, label, before, after)
            for label, kept in sorted(columns.lost.items())
            for _, row, before, after in kept
        ),
        script_bytes=tuple(sorted(columns.script_bytes.items())),
        script_tokens=tuple(sorted(columns.script_tokens.items())),
        script_unknown=tuple(sorted(columns.script_unknown.items())),
        context=context or 0,
        vocabulary=loaded.vocabulary,
        used=np.array(sorted(columns.used), np.int64),
        in_pieces=tuple(np.flatnonzero(columns.times > 1).tolist()),
    )
