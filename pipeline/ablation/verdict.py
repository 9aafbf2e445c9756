"""From evidence to a verdict: ordered conditions, each with evidence of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusgate.model import Note
from corpusgate.pipeline.ablation.history import RATE_DEPARTS, RISE

if TYPE_CHECKING:
    from corpusgate.model.ablation import Verdict


@dataclass(frozen=True)
class Effect:
    """A step's batch against draws of like records at the same state."""

    value: float
    low: float
    high: float
    spread: float
    """Standard deviation of the draws."""

    def shows(self, least: float) -> bool:
        """Whether it is beyond chance, beyond the draws' spread, and large enough to matter."""
        clear = self.low > 0 or self.high < 0
        return clear and abs(self.value) >= max(least, DRAWS_AWAY * self.spread)

    def __str__(self) -> str:
        return f"{self.value:+.2f} (95 % interval {self.low:+.2f} to {self.high:+.2f})"


# a spike in bits per byte below this was no spike (frozen rule of the measured prototype)
LEAST_BITS = 0.10
# the same in nats a token
LEAST_NATS = 0.15
# standard deviations of the draws that a batch must be away (measured: DATA at >= 2)
DRAWS_AWAY = 2.0
# rise of the probe that is enough without its robust z, nats (frozen rule)
RISE_SURE = 0.15
# robust z of the probe below which a small rise is its usual wiggle (frozen rule)
PROBE_Z = 6.0
# steps at the start whose line is too short for a z (frozen rule)
EARLY = 25
# replacement arms, and how many must rise to speak against the records (frozen rule)
ARMS, ARMS_RISE, ARMS_HEAL = 5, 4, 1
# share of the rise that a tenth of the learning rate may leave (frozen rule)
LOW_RATE_LEAVES = 0.5
# p of a batch's mix of scripts and languages, of a shuffled order, below which it is odd
MIX_P = 0.001
# share of such steps above which the order, not one step, is at fault (frozen rule)
OFF_SHARE = 0.08
# share of the next steps that stay odd for a switch that stays (frozen rule)
PERSISTS = 0.5
# corrected p above which nothing speaks for the records (frozen rule)
CHANCE_P = 0.2
# share of the odd records that must carry a finding of another check
EXPLAINED = 0.5


@dataclass(frozen=True)
class StepEvidence:
    """All that a verdict may rest on. Nothing here knows what was planted."""

    step: int
    tests: int
    curve: str
    """The curve that stands out most, and its robust z."""
    z: float
    p: float
    adjusted: float
    rejected: bool
    bits: Effect
    nats: Effect
    rise: float
    probe_z: float
    rate_ratio: float
    arms: int | None
    """Replays with random records in which the probe rises too; None if it never rose."""
    low_rate: float | None
    """Share of the rise that a tenth of the learning rate leaves."""
    mix_p: float
    off_share: float
    persists: float
    harm: Effect
    """On the clean probe after the step, nats a token."""
    batch: int
    named: int
    explained: int
    """Named records that another check flagged, or of a script or language below 3 %."""
    checks: tuple[str, ...]
    known: bool
    """Whether the corpus' strata are known by script or language."""
    kin_share: float
    """Share of the corpus in the strata of the named records."""
    finite: bool
    underpowered: str
    blind: bool

    @property
    def content(self) -> bool:
        """The records are odd among all steps', and it shows in the step's own loss."""
        return self.rejected and (self.bits.shows(LEAST_BITS) or self.nats.shows(LEAST_NATS))

    @property
    def damaged(self) -> bool:
        """The clean probe had risen before the batch was learned from."""
        loud = self.probe_z >= PROBE_Z or self.rise >= RISE_SURE or self.step < EARLY
        return self.rise >= RISE and loud

    @property
    def optimizer(self) -> bool:
        """Damage that random records suffer as well, and that goes with the learning rate."""
        if not self.damaged or self.arms is None or self.low_rate is None:
            return False
        rate = self.low_rate <= LOW_RATE_LEAVES or self.rate_ratio > RATE_DEPARTS
        return self.arms >= ARMS_RISE and rate

    @property
    def healed(self) -> bool:
        """Damage that goes away with other records in the steps before."""
        return self.damaged and self.arms is not None and self.arms <= ARMS_HEAL

    @property
    def traced(self) -> bool:
        """The odd records are of a known stratum and another check says what is wrong."""
        named = self.known and self.named > 0
        return self.blind or (named and self.explained >= EXPLAINED * self.named)


def judge(e: StepEvidence) -> tuple[Verdict, str]:
    """(verdict, the condition that spoke): the first of the list that holds."""
    broken = e.damaged and not e.healed
    mixed = not e.rejected and e.mix_p < MIX_P
    rules: tuple[tuple[bool, Verdict, str], ...] = (
        (not e.finite, "numerics", "a value is not a finite number"),
        (bool(e.underpowered), "inconclusive", e.underpowered),
        (e.optimizer and e.content and e.traced, "both",
         "random records rise as well, and this batch's records are odd"),
        (e.optimizer, "optimizer", "the state was damaged before this batch, whatever the records"),
        (e.content and broken, "inconclusive",
         "odd records in a damaged state, and replays do not part the two"),
        (e.content and e.traced, "data", "odd records, and the step's loss shows it"),
        (e.content, "inconclusive", _untraced(e)),
        (broken, "inconclusive", "a damaged state whose cause the replays do not show"),
        (mixed and e.off_share > OFF_SHARE, "order",
         f"the mix of scripts and languages is off in {100 * e.off_share:.0f} % of the steps"),
        (mixed, "mix", "an unusual mix of scripts and languages, each like its own kind"),
        (not e.rejected and e.persists >= PERSISTS, "order",
         "a change that stays: the next steps are as far off"),
        (not e.rejected and e.adjusted > CHANCE_P, "chance",
         "no odder than the oddest of as many random batches"),
        (e.rejected, "inconclusive", "odd records, but no spike of this step's own loss"),
        (True, "inconclusive", "mixed evidence"),
    )  # fmt: skip
    return next((verdict, why) for holds, verdict, why in rules if holds)


def _untraced(e: StepEvidence) -> str:
    """Why odd records alone are not called a fault."""
    if not e.named:
        return "the batch is odd as a whole, but none of its records alone"
    share = f"{100 * e.kin_share:.1f} % of the corpus"
    return f"odd records that no other check explains: perhaps a group of {share}, not a fault"


def sentence(run: str, e: StepEvidence, verdict: Verdict, why: str) -> str:
    """What a person needs to know of the step, in one or two sentences."""
    head = f"Step {e.step} of run {run}: "
    spike = f"{e.bits} bits per byte against like records {_state(e)}"
    holm = f"p {_p(e.adjusted)} after Holm over {e.tests} steps"
    if verdict == "data":
        body = f"its records. {spike}, {holm}; {e.named} of its {e.batch} records are named"
        body += f", {e.explained} of them flagged by {_list(e.checks)}" if e.checks else ""
        quiet = "rose only with these records" if e.healed else "was quiet before"
        return f"{head}{body}. The clean probe {quiet}."
    if verdict == "both":
        return (
            f"{head}the learning rate and its records. The clean probe had risen by {e.rise:.2f} "
            f"nats and {e.arms} of {ARMS} replays with random records rise as well; yet the "
            f"records are odd: {spike}, {holm}."
        )
    if verdict == "optimizer":
        return (
            f"{head}not the data. The clean probe had risen by {e.rise:.2f} nats before the batch "
            f"was learned from; {e.arms} of {ARMS} replays with random records rise as well; the "
            f"learning rate stood at {e.rate_ratio:.1f} times its neighbours'."
        )
    if verdict in ("chance", "mix", "order", "numerics"):
        return f"{head}not shown to be the data ({verdict}): {why}; {e.curve} at z {e.z:+.1f}."
    return f"{head}inconclusive: {why}; {e.curve} at z {e.z:+.1f}, {holm}."


def reasons(e: StepEvidence, why: str) -> tuple[Note, ...]:
    """Each piece of evidence and what it says."""
    arms = "not needed: the probe did not rise" if e.arms is None else f"{e.arms} of {ARMS} rise"
    low = "-" if e.low_rate is None else f"{100 * e.low_rate:.0f} % of the rise is left"
    return (
        Note("rule", why, "the condition that spoke"),
        Note("content p", _p(e.adjusted), f"corrected over {e.tests} steps"),
        Note("bits per byte", str(e.bits), f"the batch against like records {_state(e)}"),
        Note("nats a token", str(e.nats), "the same, by token"),
        Note("curve", f"{e.curve} z {e.z:+.1f}", "the curve that stands out most"),
        Note("probe before", f"{e.rise:+.3f} nats", f"quiet below {RISE}"),
        Note("replaced by random records", arms, f"at least {ARMS_RISE} speak for the optimizer"),
        Note("a tenth of the rate", low, f"at most {100 * LOW_RATE_LEAVES:.0f} % speaks for it"),
        Note("learning rate", f"{e.rate_ratio:.2f}", "times the median of its neighbours"),
        Note("mix p", _p(e.mix_p), "scripts and languages against a shuffled order"),
        Note("next steps", f"{100 * e.persists:.0f} %", "as far off at this state"),
        Note("harm", str(e.harm), "nats on the clean probe after the step; not a condition"),
        Note("named", f"{e.named} of {e.batch}", f"explained by other checks: {e.explained}"),
    )


def _state(e: StepEvidence) -> str:
    """Where the effect was measured."""
    if e.step < EARLY:
        return "at a later state that had not seen them"
    return "at the same state"


def _p(value: float) -> str:
    return f"{value:.2g}" if value >= 1e-4 else "< 1e-4"  # noqa: PLR2004 - printing


def _list(names: tuple[str, ...]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
