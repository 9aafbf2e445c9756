"""Drift, Shift, Comparison: how each split differs from train, and the checks that judge it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from corpusgate.model.check import Check, Partial
from corpusgate.model.finding import Chart

if TYPE_CHECKING:
    from corpusgate.model.block import Block
    from corpusgate.model.check import Evidence, Stage

LengthUnit: TypeAlias = Literal["characters", "bytes", "tokens"]


@dataclass(frozen=True)
class LengthDrift:
    """Lengths of documents, in one unit, held against train's."""

    unit: LengthUnit
    ks: float
    """Kolmogorov-Smirnov distance: 0 alike, 1 without overlap."""
    p: float
    wasserstein: float
    """In the unit of the lengths."""
    median: float
    reference_median: float


@dataclass(frozen=True)
class TokenShare:
    """One token and how often it is used, as shares of all tokens."""

    token: str
    share: float
    reference_share: float
    z: float
    """Robust to documents that repeat it; above 0 where train has less."""
    bits: float
    """What it adds to the divergence."""


@dataclass(frozen=True)
class TokenDrift:
    """Use of tokens, or words, held against train's over groups of documents.

    Divergence, excess and p are of documents thinned to a like length in both splits; counts
    and shares are of all.
    """

    unit: Literal["tokens", "words"]
    divergence: float
    """Jensen-Shannon divergence in bits; it grows as documents get fewer."""
    excess: float
    """Bits above the mean of the permutations: about 0 where nothing drifted."""
    p: float
    quantile: float
    """Excess that 95 % of the permutations stay below."""
    groups: int
    reference_groups: int
    group_documents: int
    """Expected documents in each group, of either split."""
    tokens: int
    reference_tokens: int
    tested: int
    """Distinct tokens in enough groups to be named."""
    carriers: tuple[TokenShare, ...] = ()
    """The tokens that carry it, by what they add; empty where chance may explain each."""


@dataclass(frozen=True)
class LabelShare:
    """One label and the share of the labelled documents that bear it."""

    label: str
    share: float
    reference_share: float


@dataclass(frozen=True)
class LabelDrift:
    """Labels held against train's."""

    chi2: float
    p: float
    dof: int
    cramers_v: float
    effect: float
    """Cohen's w at equal sizes, less what chance adds: 0 alike, 1 without a common label."""
    divergence: float
    """Jensen-Shannon divergence in bits."""
    method: Literal["chi-square", "permutation"]
    """Where p is from; sparse tables are permuted."""
    labels: int
    merged: int
    """Labels too rare to test alone, tested as one."""
    labelled: int
    reference_labelled: int
    shares: tuple[LabelShare, ...] = ()
    """Of the labels that differ most, the widest gap first."""


@dataclass(frozen=True)
class Shift:
    """One split held against train. What could not be compared is None, its reason in `absent`."""

    split: str
    documents: int
    lengths: tuple[LengthDrift, ...] = ()
    """By unit, characters first."""
    tokens: TokenDrift | None = None
    labels: LabelDrift | None = None
    absent: Mapping[str, str] = field(default_factory=dict)
    """Of `lengths`, `tokens`, `labels`: why it could not be compared."""


@dataclass(frozen=True)
class Comparison:
    """The result of the compare stage."""

    reference: str
    """The split that the others are held against."""
    documents: int
    """Records of that split."""
    shifts: tuple[Shift, ...] = ()
    absent: str = ""
    """Why nothing was compared, or the empty string."""
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True)
class Unobserved(Partial):
    """The sum of a check that reads the result of a stage and no blocks."""


# A smaller p says no more: it rests on tails that no asymptotic test knows so exactly.
_SMALLEST_P = 1e-4

# A share of one document in a billion is told in seven digits of per cent.
_MOST_DIGITS = 8


class ShiftCheck(Check[Unobserved]):
    """A check that judges a Comparison."""

    needs: ClassVar[Stage] = "compare"
    partial: ClassVar[type[Partial]] = Unobserved

    def observe(self, block: Block) -> Unobserved:
        del block
        return Unobserved()

    def applies(self, evidence: Evidence[Unobserved]) -> bool:
        return bool(self.comparison(evidence).shifts)

    def comparison(self, evidence: Evidence[Unobserved]) -> Comparison:
        """The result of the compare stage, empty if there is none."""
        found = evidence.stages.get(self.needs)
        return found if isinstance(found, Comparison) else Comparison("", 0, absent="no result")

    @staticmethod
    def chance(p: float) -> str:
        """How a message tells a p."""
        return f"p = {p:.2g}" if p >= _SMALLEST_P else f"p < {_SMALLEST_P:.4f}"


def percent(share: float, digits: int = 1) -> str:
    """A share between 0 and 1, with more digits where it would read 0 % or 100 % and is not."""
    text = f"{share:.{digits}%}"
    if 0 < share < 1 and digits < _MOST_DIGITS and float(text[:-1]) in (0, 100):
        return percent(share, digits + 1)
    return text
