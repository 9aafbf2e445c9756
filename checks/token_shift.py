"""token-shift: a split that uses other tokens, or words, than train."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.model import Rule, Severity, ShiftCheck
from corpusgate.model.shift import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Evidence, Finding, Shift, TokenDrift, Unobserved

NAMED = 5
"""Tokens that fit into a message."""


@dataclass(frozen=True)
class TokenShift(ShiftCheck):
    """Hold the use of tokens against train's, by documents dealt anew."""

    # the chance that a split drawn like train is flagged; that of the permutation test
    p_limit: float = 0.05
    p_error_limit: float = 0.01
    # bits beyond chance, which clean splits have none of on average, at any size; 5 % of another
    # language among 200 documents lay above both in 25 of 25 seeds
    excess_limit: float = 0.002
    excess_error_limit: float = 0.005
    # where chance alone shows more than the error's excess, a real one may pass for chance
    power_limit: float = 0.005

    def drift(self, tokens: TokenDrift, p_limit: float) -> float:
        """The excess in bits, or 0 where the test does not speak."""
        return tokens.excess if tokens.p <= p_limit else 0.0

    def metrics(self, evidence: Evidence[Unobserved]) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for shift in self.comparison(evidence).shifts:
            tokens, split = shift.tokens, shift.split
            if tokens is None:
                found |= {f"drift.{split}": float("nan"), f"sure_drift.{split}": float("nan")}
                continue
            found[f"drift.{split}"] = self.drift(tokens, self.p_limit)
            found[f"sure_drift.{split}"] = self.drift(tokens, self.p_error_limit)
            for name in ("excess", "p", "divergence", "quantile"):
                found[f"{name}.{split}"] = getattr(tokens, name)
        return found

    def rules(self) -> tuple[Rule, ...]:
        limits = (
            ("drift", self.excess_limit, Severity.WARNING),
            ("sure_drift", self.excess_error_limit, Severity.ERROR),
        )
        return tuple(
            Rule(f"token-shift.{measure}", "<", limit, severity, scope="against-train")
            for measure, limit, severity in limits
        )

    def conclude(self, evidence: Evidence[Unobserved]) -> Iterator[Finding]:
        train = self.comparison(evidence).reference
        for shift in self.comparison(evidence).shifts:
            if shift.tokens is None:
                continue
            error = self.drift(shift.tokens, self.p_error_limit) >= self.excess_error_limit
            if error or self.drift(shift.tokens, self.p_limit) >= self.excess_limit:
                yield self._drifted(shift, shift.tokens, train, error=error)
            elif shift.tokens.quantile > self.power_limit:
                yield self._underpowered(shift, shift.tokens, train)

    def _drifted(self, shift: Shift, tokens: TokenDrift, train: str, *, error: bool) -> Finding:
        limit = self.excess_error_limit if error else self.excess_limit
        return self.finding(
            shift.split,
            Severity.ERROR if error else Severity.WARNING,
            f"{shift.documents:,} {shift.split} documents use other {tokens.unit} than {train}: "
            f"{tokens.excess:.4f} bits of Jensen-Shannon divergence beyond chance "
            f"({self.chance(tokens.p)}), limit {limit:g}{_carriers(tokens, train)}",
            value=tokens.excess,
            limit=limit,
            count=shift.documents,
            remedy=f"Look at what {shift.split} holds that {train} lacks, and draw both from "
            "the same sources; where the difference is meant, report the loss by source.",
        )

    def _underpowered(self, shift: Shift, tokens: TokenDrift, train: str) -> Finding:
        return self.finding(
            shift.split,
            Severity.INFO,
            f"underpowered: {shift.documents:,} {shift.split} documents are too few to tell a "
            f"drift from chance, which alone shows up to {tokens.quantile:.4f} bits in 95 % of "
            f"random splits (limit {self.power_limit:g}); {train} and {shift.split} differ by "
            f"{tokens.excess:.4f} ({self.chance(tokens.p)})",
            value=tokens.quantile,
            limit=self.power_limit,
            count=shift.documents,
            remedy=f"Hold out more documents than {shift.documents:,}.",
        )


def _carriers(tokens: TokenDrift, train: str) -> str:
    told = [
        f"{at.token!r} {percent(at.share, 2)} against {percent(at.reference_share, 2)}"
        for at in tokens.carriers[:NAMED]
    ]
    return f"; most in {', '.join(told)} of {train}'s" if told else ""
