"""length-shift: documents of a split that are longer or shorter than train's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.model import Rule, Severity, ShiftCheck

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusgate.model import Evidence, Finding, LengthDrift, Unobserved


@dataclass(frozen=True)
class LengthShift(ShiftCheck):
    """Hold lengths in characters against train's; lengths in tokens are told beside them."""

    # the chance that a split drawn like train is flagged; that of the test, whatever the sizes
    p_limit: float = 0.01
    # two normals 0.25 standard deviations apart: above what Cohen 1988 calls small (0.2, 0.08)
    ks_limit: float = 0.1
    # two normals 1.2 apart, "very large" in Sawilowsky, "New effect size rules of thumb", 2009
    ks_error_limit: float = 0.45
    # lengths are whole characters: nothing is trained otherwise for less than one of them
    wasserstein_limit: float = 1.0

    def drift(self, lengths: LengthDrift) -> float:
        """The distance, or 0 where chance may explain it or it is none to speak of."""
        told = lengths.p <= self.p_limit and lengths.wasserstein >= self.wasserstein_limit
        return lengths.ks if told else 0.0

    def metrics(self, evidence: Evidence[Unobserved]) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for shift in self.comparison(evidence).shifts:
            found[f"drift.{shift.split}"] = float("nan")
            for lengths in shift.lengths:
                prefix = "" if lengths.unit == "characters" else f"{lengths.unit}_"
                for name in ("ks", "p", "wasserstein"):
                    found[f"{prefix}{name}.{shift.split}"] = getattr(lengths, name)
                if lengths.unit == "characters":
                    found[f"drift.{shift.split}"] = self.drift(lengths)
        return found

    def rules(self) -> tuple[Rule, ...]:
        limits = ((Severity.WARNING, self.ks_limit), (Severity.ERROR, self.ks_error_limit))
        return tuple(
            Rule("length-shift.drift", "<", limit, severity, scope="against-train")
            for severity, limit in limits
        )

    def conclude(self, evidence: Evidence[Unobserved]) -> Iterator[Finding]:
        train = self.comparison(evidence).reference
        for shift in self.comparison(evidence).shifts:
            by_unit = {lengths.unit: lengths for lengths in shift.lengths}
            lengths = by_unit.get("characters")
            if lengths is None:
                continue
            drift = self.drift(lengths)
            error = drift >= self.ks_error_limit
            if not error and drift < self.ks_limit:
                continue
            limit = self.ks_error_limit if error else self.ks_limit
            tokens = by_unit.get("tokens")
            yield self.finding(
                shift.split,
                Severity.ERROR if error else Severity.WARNING,
                f"{shift.documents:,} {shift.split} documents are not as long as {train}'s: "
                f"{_medians(lengths)}{f', {_medians(tokens)}' if tokens else ''}, "
                f"{lengths.wasserstein:,.3g} characters apart on average; Kolmogorov-Smirnov "
                f"distance {drift:.2f} ({self.chance(lengths.p)}), limit {limit:g}",
                value=drift,
                limit=limit,
                count=shift.documents,
                remedy=f"Draw {shift.split} from the same pile as {train} and cut both alike; "
                "where the difference is meant, report the loss by length.",
            )


def _medians(lengths: LengthDrift) -> str:
    return f"median {lengths.median:,.6g} against {lengths.reference_median:,.6g} {lengths.unit}"
