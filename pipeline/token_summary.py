"""What a tokenizer costs on a corpus: totals of its columns, and the account of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

from corpusgate.model import Note, Partial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.model import TokenFacts

WORD = 32
"""Ids held by one word of `Used`."""

# Rare scripts are told only where they make up a thousandth of the bytes: a quoted word of
# another script says nothing of how a tokenizer serves its readers.
SHOWN_SHARE = 0.001


@dataclass(frozen=True)
class Used(Partial):
    """A set of token ids as words of 32 bits; the sum of two is their union."""

    words: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, facts: TokenFacts) -> Self:
        """The ids that occur in a block."""
        words: Counter[str] = Counter()
        number, bit = np.divmod(facts.used, WORD)
        masks = np.bincount(number, weights=2.0**bit)  # exact: each id once, 32 bits of 53
        for place in np.flatnonzero(masks).tolist():
            words[str(place)] = int(masks[place])
        return cls(words)

    def __add__(self, other: Self) -> Self:
        return type(self)(
            Counter(
                {
                    key: self.words[key] | other.words[key]
                    for key in sorted({*self.words, *other.words})
                }
            )
        )

    def __len__(self) -> int:
        return sum(word.bit_count() for word in self.words.values())


@dataclass(frozen=True)
class TokenizerSummary(Partial):
    """Tokens, bytes and the vocabulary used, over the readable records of any blocks."""

    rows: int = 0
    tokens: int = 0
    unknown: int = 0
    truncated: int = 0
    cut: int = 0
    """Records longer than the stated context."""
    in_pieces: int = 0
    exact: int = 0
    script_bytes: Counter[str] = field(default_factory=Counter)
    script_tokens: Counter[str] = field(default_factory=Counter)
    script_unknown: Counter[str] = field(default_factory=Counter)
    used: Used = field(default_factory=Used)
    vocabularies: Counter[str] = field(default_factory=Counter)
    """Records by the size of the vocabulary they were measured with: one size, as a rule."""
    contexts: Counter[str] = field(default_factory=Counter)
    """Records by the stated context."""

    @classmethod
    def of(cls, facts: TokenFacts, rows: int) -> Self:
        """The columns of a block summed up.

        Args:
            facts: the columns.
            rows: readable records of the block.
        """
        return cls(
            rows=rows,
            tokens=int(facts.tokens.sum()),
            unknown=int(facts.unknown.sum()),
            truncated=int(facts.truncated.sum()),
            cut=int(np.count_nonzero(facts.truncated)),
            in_pieces=len(facts.in_pieces),
            exact=rows - int(np.count_nonzero(facts.loss)),
            script_bytes=Counter(dict(facts.script_bytes)),
            script_tokens=Counter(dict(facts.script_tokens)),
            script_unknown=Counter(dict(facts.script_unknown)),
            used=Used.of(facts),
            vocabularies=Counter({str(facts.vocabulary): rows}),
            contexts=Counter({str(facts.context): rows}) if facts.context else Counter(),
        )


def notes(total: TokenizerSummary, switched_off: Sequence[str] = ()) -> tuple[Note, ...]:
    """The account of a tokenizer on a corpus, a line a measure; none if nothing was read.

    Args:
        total: the sum over the blocks.
        switched_off: settings of the tokenizer's file that were not followed.
    """
    if not total.tokens:
        return ()
    found = [
        Note("records", f"{total.rows:,}", f"{total.exact:,} given back exactly"),
        Note("tokens", f"{total.tokens:,}", f"{total.unknown:,} of them unknown"),
    ]
    for size in sorted(total.vocabularies, key=int):
        used = len(total.used)
        told = "the rest does not occur in these texts, which is normal for a small corpus"
        share_ = 100 * used / int(size)
        found.append(Note("vocabulary used", f"{used:,} of {int(size):,} ({share_:.1f} %)", told))
    found += _scripts(total)
    for context in sorted(total.contexts, key=int):
        lost = f"{total.truncated:,} of {total.tokens:,} tokens"
        told = f"beyond a context of {int(context):,}, from {total.cut:,} of {total.rows:,} records"
        found.append(Note("cut off", lost, told))
    if total.in_pieces:
        plural = "s" * (total.in_pieces != 1)
        told = "longer than the tokenizer is given at once; a token at each border may differ"
        found.append(Note("read in pieces", f"{total.in_pieces:,} record{plural}", told))
    told = "set in the tokenizer's file; it would have hidden what is measured"
    found += [Note("switched off", setting, told) for setting in switched_off]
    return tuple(found)


def _scripts(total: TokenizerSummary) -> list[Note]:
    """Tokens a byte by script, most bytes first, never without the unknown tokens.

    An unknown token makes a text short: a low rate may be praise or blame.
    """
    whole = total.script_bytes.total()
    ranked = sorted(total.script_bytes.items(), key=lambda pair: (-pair[1], pair[0]))
    return [
        Note(
            f"tokens a byte, {script}",
            f"{total.script_tokens[script] / size:.3f}",
            f"{total.script_tokens[script]:,} tokens of {size:,} bytes; "
            f"{total.script_unknown[script]:,} unknown",
        )
        for script, size in ranked
        if size >= SHOWN_SHARE * whole
    ]
