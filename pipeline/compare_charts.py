"""The charts of a comparison: lengths, labels, and the tokens that carry a drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corpusgate.model import Chart
from corpusgate.model.shift import percent
from corpusgate.text.visible import plain

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from corpusgate.model import Comparison, LengthUnit, Shift
    from corpusgate.stats.distance import Histogram

# Bins that a chart of page width can show as steps.
_BINS = 40

# Lengths that spread over more than this many times their 5th percentile are drawn on a
# logarithmic axis: on a linear one most documents would share the first bins.
_WIDE = 20

# Bars that can be told apart.
_BARS = 12

_OTHER = "all other labels"


def charts(
    comparison: Comparison,
    lengths: Mapping[str, Mapping[LengthUnit, Histogram]],
    labels: Mapping[str, Counter[str]],
) -> tuple[Chart, ...]:
    """Draw a comparison, given what it was made of by split."""
    drawn = [_lengths(comparison, unit, lengths) for unit in ("characters", "tokens")]
    drawn.append(_labels(comparison, labels))
    drawn += [_tokens(comparison, shift) for shift in comparison.shifts]
    return tuple(chart for chart in drawn if chart is not None)


def _lengths(
    comparison: Comparison,
    unit: LengthUnit,
    lengths: Mapping[str, Mapping[LengthUnit, Histogram]],
) -> Chart | None:
    known = {split: by_unit[unit] for split, by_unit in lengths.items() if unit in by_unit}
    known = {split: histogram for split, histogram in known.items() if histogram[1].sum()}
    if len(known) < 2:  # noqa: PLR2004 - a comparison takes two
        return None
    edges, log = _edges(known)
    rows: list[tuple[float | str, float, str]] = []
    for split, (values, counts) in known.items():
        shares = np.histogram(values, edges, weights=counts)[0] / counts.sum()
        rows += [
            (float(edge), float(share), split)
            for edge, share in zip(edges, [*shares, 0.0], strict=True)
        ]
    told = [
        f"The median is {at.median:,.6g} {unit} in {shift.split}, {at.reference_median:,.6g} in "
        f"{comparison.reference} (Kolmogorov-Smirnov distance {at.ks:.3f})."
        for shift in comparison.shifts
        for at in shift.lengths
        if at.unit == unit
    ]
    return Chart(
        name=f"lengths-{unit}",
        kind="steps",
        title=f"Length of documents in {unit}",
        sentence=" ".join(told),
        x=unit,
        y="share of documents",
        rows=tuple(rows),
        log_x=log,
    )


def _edges(known: Mapping[str, Histogram]) -> tuple[NDArray[np.float64], bool]:
    values = np.concatenate([values for values, _ in known.values()])
    counts = np.concatenate([counts for _, counts in known.values()])
    order = np.argsort(values)
    upto = np.cumsum(counts[order]) / counts.sum()
    low = int(values[order][np.searchsorted(upto, 0.05)])
    first, last = int(values.min()), int(values.max()) + 1
    if last <= _WIDE * max(1, low):
        width = -(-(last - first) // _BINS)
        return np.arange(first, last + width, width, dtype=float), False
    spaced = np.geomspace(max(1, first), last, _BINS + 1)
    # Lengths are whole: an edge between two of them would leave some bins empty for good.
    edges = np.unique(np.concatenate([[first], np.ceil(spaced)]))
    return edges.astype(float), True


def _labels(comparison: Comparison, labels: Mapping[str, Counter[str]]) -> Chart | None:
    told = [
        f"{at.shares[0].label} is {percent(at.shares[0].share)} of {shift.split}'s labels, "
        f"{percent(at.shares[0].reference_share)} of {comparison.reference}'s; all in all they lie "
        f"{at.effect:.2f} apart (Cohen's w)."
        for shift in comparison.shifts
        if (at := shift.labels) is not None
    ]
    if not told:
        return None
    known = {split: counts for split, counts in labels.items() if counts}
    share = {
        split: {label: n / counts.total() for label, n in counts.items()}
        for split, counts in known.items()
    }
    everything = sorted({label for counts in known.values() for label in counts})
    gap = {label: _gap(label, share) for label in everything}
    shown = sorted(everything, key=lambda label: (-gap[label], label))[:_BARS]
    rows: list[tuple[float | str, float, str]] = [
        (plain(label, keep=""), share[split].get(label, 0.0), split)
        for label in shown
        for split in known
    ]
    if len(shown) < len(everything):
        left = {
            split: sum(s for label, s in by.items() if label not in shown)
            for split, by in share.items()
        }
        rows += [(_OTHER, left[split], split) for split in known]
    return Chart(
        name="labels",
        kind="bars",
        title="Labels",
        sentence=" ".join(told),
        x="label",
        y="share of labelled documents",
        rows=tuple(rows),
    )


def _gap(label: str, share: Mapping[str, Mapping[str, float]]) -> float:
    shares = [by_label.get(label, 0.0) for by_label in share.values()]
    return max(shares) - min(shares)


def _tokens(comparison: Comparison, shift: Shift) -> Chart | None:
    at = shift.tokens
    if at is None or not at.carriers:
        return None
    first = at.carriers[0]
    return Chart(
        name=f"tokens-{shift.split}",
        kind="bars",
        title=f"The {at.unit} that tell {shift.split} from {comparison.reference}",
        sentence=f"{first.token} is {percent(first.share, 2)} of the {at.unit} of {shift.split}, "
        f"{percent(first.reference_share, 2)} of {comparison.reference}'s; between them lie "
        f"{at.excess:.4f} bits beyond chance.",
        x=at.unit.removesuffix("s"),
        y=f"share of {at.unit}",
        rows=tuple(
            (carrier.token, share, split)
            for carrier in at.carriers[:_BARS]
            for split, share in (
                (comparison.reference, carrier.reference_share),
                (shift.split, carrier.share),
            )
        ),
    )
