"""Partial, Check, Evidence: a check is a sum over blocks and a conclusion from the sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field, fields
from heapq import nsmallest
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Literal,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
)

from corpusgate.model.block import Block
from corpusgate.model.finding import Example, Finding, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Stage: TypeAlias = Literal["decode", "clean", "tokenize", "records", "compare", "ablate"]


@dataclass(frozen=True)
class Sample:
    """The k examples whose ids hash lowest, and the k worst by a score: a sum like any other."""

    lowest: tuple[Example, ...] = ()
    worst: tuple[tuple[int, Example], ...] = ()
    """(score, example); a higher score is worse, ties go to the lower id."""
    K: ClassVar[int] = 5

    @classmethod
    def of(cls, example: Example, score: int = 0) -> Self:
        """A sample of one; a score of 0 keeps it out of the worst."""
        return cls((example,), ((score, example),) if score else ())

    @classmethod
    def drawn(
        cls,
        block: Block,
        scores: Mapping[int, int],
        show: Callable[[int], Iterable[tuple[str, str]]],
    ) -> Self:
        """The sample of the rows of a block that have a score, as the sum of theirs would be.

        Args:
            block: the block.
            scores: score by row, as in `of`.
            show: evidence of a row; asked for the rows of the sample alone.
        """
        ids = block.ids.tolist()
        lowest = nsmallest(cls.K, scores, key=ids.__getitem__)
        scored = (row for row, score in scores.items() if score)
        worst = nsmallest(cls.K, scored, key=lambda row: (-scores[row], ids[row]))
        made = {row: block.example(row, *show(row)) for row in sorted({*lowest, *worst})}
        return cls(
            tuple(made[row] for row in lowest), tuple((scores[row], made[row]) for row in worst)
        )

    def __add__(self, other: Self) -> Self:
        lowest = sorted({*self.lowest, *other.lowest})[: self.K]
        pairs = {*self.worst, *other.worst}
        worst = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))[: self.K]
        return type(self)(tuple(lowest), tuple(worst))

    @property
    def examples(self) -> tuple[Example, ...]:
        """The worst first, then the sample, none twice."""
        return tuple(dict.fromkeys([*(e for _, e in self.worst), *self.lowest]))


@dataclass(frozen=True)
class Partial:
    """What a check remembers of the records it has seen.

    Every field adds (int, Counter, Sample, another Partial), and its default is nothing
    seen. So units may be observed anywhere, in any order, and added up.
    """

    def __add__(self, other: Self) -> Self:
        return type(self)(
            **{f.name: _add(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)}
        )


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, Counter):  # Counter's own + drops keys whose count is not positive
        return Counter({key: a[key] + b[key] for key in sorted({*a, *b}, key=str)})
    return a + b


class Records(Protocol):
    """The tables under `records/` and `tokens/`, read out of core."""

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of a query over `records` (joined by id with tokens), its `?` filled in."""
        ...


P = TypeVar("P", bound=Partial)


@dataclass(frozen=True)
class Evidence(Generic[P]):
    """All that a check may conclude from: sums of every split, records, results of stages."""

    totals: Mapping[str, P]
    rows: Mapping[str, int]
    records: Records
    stages: Mapping[str, Any] = field(default_factory=dict)
    """Results by stage name; a stage that did not run has its reason in `absent`."""
    absent: Mapping[str, str] = field(default_factory=dict)

    def splits(self) -> Iterator[tuple[str, P, int]]:
        """(split, total, records) in the order of the audit."""
        for split, rows in self.rows.items():
            if split in self.totals:
                yield split, self.totals[split], rows


class Check(ABC, Generic[P]):
    """One question about a corpus. A frozen dataclass: its fields are its options."""

    needs: ClassVar[Stage]
    """The stage whose blocks it observes, or whose result it reads; "records" are the tables."""
    partial: ClassVar[type[Partial]]
    tokenizer: ClassVar[bool] = False
    """Whether it has nothing to say unless a tokenizer is given."""

    @classmethod
    def name(cls) -> str:
        """The name of the check: its module's, with hyphens."""
        return cls.__module__.rpartition(".")[2].replace("_", "-")

    @abstractmethod
    def observe(self, block: Block) -> P:
        """Sum up one block. Pure: the same records give the same answer on any machine."""

    @abstractmethod
    def metrics(self, evidence: Evidence[P]) -> Mapping[str, float]:
        """`measure.split` to value; NaN where it was counted over nothing."""

    @abstractmethod
    def conclude(self, evidence: Evidence[P]) -> Iterator[Finding]:
        """Judge the sums. Sees no records' text."""

    def applies(self, evidence: Evidence[P]) -> bool:
        """Whether there is something to measure: a second split, labels, a tokenizer.

        A check that does not apply is not requested: its own rules do not bind, while rules
        that a policy states on its metrics outright still do.
        """
        del evidence
        return True

    def rules(self) -> tuple[Rule, ...]:
        """The limits that the gate holds this check to, from its options."""
        return ()

    def finding(self, split: str, severity: Severity, message: str, **more: Any) -> Finding:
        """A finding in this check's name."""
        return Finding(self.name(), split, severity, message, **more)


def share(count: float, rows: int) -> float:
    """The share of rows; NaN when nothing was counted, so that no limit holds of it."""
    return count / rows if rows else float("nan")
