"""label-shift: a split whose labels are shared out otherwise than train's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.model import Rule, Severity, ShiftCheck
from corpusgate.model.shift import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Evidence, Finding, LabelDrift, Unobserved

NAMED = 3
"""Labels that fit into a message."""


@dataclass(frozen=True)
class LabelShift(ShiftCheck):
    """Hold the shares of labels against train's."""

    # the chance that a split drawn like train is flagged; that of the test, whatever the sizes
    p_limit: float = 0.01
    # Cohen's w: small is 0.1 and large 0.5 in Cohen, "Statistical Power Analysis", 1988, ch. 7
    effect_limit: float = 0.1
    effect_error_limit: float = 0.5

    def applies(self, evidence: Evidence[Unobserved]) -> bool:
        return any(shift.labels for shift in self.comparison(evidence).shifts)

    def drift(self, labels: LabelDrift) -> float:
        """The effect, or 0 where chance may explain it."""
        return labels.effect if labels.p <= self.p_limit else 0.0

    def metrics(self, evidence: Evidence[Unobserved]) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for shift in self.comparison(evidence).shifts:
            if shift.labels is None:
                continue
            found[f"drift.{shift.split}"] = self.drift(shift.labels)
            for name in ("effect", "p", "chi2", "cramers_v", "divergence"):
                found[f"{name}.{shift.split}"] = getattr(shift.labels, name)
        return found

    def rules(self) -> tuple[Rule, ...]:
        limits = ((Severity.WARNING, self.effect_limit), (Severity.ERROR, self.effect_error_limit))
        return tuple(
            Rule("label-shift.drift", "<", limit, severity, scope="measured")
            for severity, limit in limits
        )

    def conclude(self, evidence: Evidence[Unobserved]) -> Iterator[Finding]:
        train = self.comparison(evidence).reference
        for shift in self.comparison(evidence).shifts:
            labels = shift.labels
            if labels is None:
                continue
            drift = self.drift(labels)
            error = drift >= self.effect_error_limit
            if not error and drift < self.effect_limit:
                continue
            limit = self.effect_error_limit if error else self.effect_limit
            yield self.finding(
                shift.split,
                Severity.ERROR if error else Severity.WARNING,
                f"{labels.labelled:,} labels of {shift.split} are shared out otherwise than the "
                f"{labels.reference_labelled:,} of {train}: {_shares(labels)}; Cohen's w "
                f"{drift:.2f} ({self.chance(labels.p)}), limit {limit:g}",
                value=drift,
                limit=limit,
                count=labels.labelled,
                remedy=f"Draw {shift.split} from {train}'s pile by label, or weigh its records "
                "so that each label counts as in use.",
            )


def _shares(labels: LabelDrift) -> str:
    told = [
        f"{at.label} {percent(at.share)} against {percent(at.reference_share)}"
        for at in labels.shares[:NAMED]
    ]
    more = f" and {labels.labels - NAMED} more" if labels.labels > NAMED else ""
    return ", ".join(told) + more
