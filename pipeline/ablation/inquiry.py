"""Each step that stands out, looked into: evidence gathered, verdict given."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corpusgate.model import Spike
from corpusgate.model.ablation import NamedRecord, TrainRun, TrainStep
from corpusgate.pipeline.ablation.history import incidents, rate_ratio, screen
from corpusgate.pipeline.ablation.verdict import MIX_P, StepEvidence, judge, reasons, sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusgate.model import Example
    from corpusgate.pipeline.ablation.history import Screened
    from corpusgate.pipeline.ablation.replay import Tape
    from corpusgate.pipeline.ablation.study import Study

    Tick: TypeAlias = Callable[[int, int], None]

ALIEN = "a script or language below 3 % of the records"
"""The finding on a record whose like the corpus hardly holds."""
# steps of a run that are replayed; what is more is listed without a verdict
MOST_REPLAYED = 48


@dataclass(frozen=True, eq=False)
class Inquiry:
    """What came of one run."""

    run: TrainRun
    spikes: tuple[Spike, ...]
    named: tuple[NamedRecord, ...]
    rows: tuple[int, ...]
    """Rows of the named records in the training text."""
    exact: bool
    """Whether every replayed step came out as it was logged, to the bit."""


def inquire(name: str, study: Study, tape: Tape, tick: Tick) -> Inquiry:
    """Find the steps that stand out and give each its verdict."""
    screened = screen(tape.history)
    steps = incidents(tape.history, screened, study.content.rejected)
    chosen = _chosen(steps, study, screened)
    spikes, exact = [], True
    for done, step in enumerate(steps, 1):
        if step in chosen:
            evidence, same = _evidence(step, study, tape, screened)
            spikes.append(_spike(name, study, evidence))
            exact &= same
        else:
            text = f"Step {step} of run {name}: inconclusive: {len(steps)} steps stand out, "
            text += f"only the {MOST_REPLAYED} most telling were replayed."
            p = float(study.content.adjusted[step])
            spikes.append(Spike(name, step, "inconclusive", text, p))
        tick(done, len(steps))
    blamed = {spike.step for spike in spikes if spike.verdict in ("data", "both")}
    rows = sorted({row for step in blamed for row in study.content.named.get(step, {})})
    run = _run(name, study, tape, set(steps))
    return Inquiry(run, tuple(spikes), _named(study, blamed), tuple(rows), exact)


def _spike(name: str, study: Study, evidence: StepEvidence) -> Spike:
    """The verdict on one step, with what it rests on."""
    verdict, why = judge(evidence)
    effect = evidence.bits
    measured = bool(np.isfinite([effect.value, effect.low, effect.high]).all())
    return Spike(
        run=name,
        step=evidence.step,
        verdict=verdict,
        sentence=sentence(name, evidence, verdict, why),
        p=evidence.adjusted,
        effect=effect.value if measured else None,
        interval=(effect.low, effect.high) if measured else None,
        records=_records(evidence.step, study) if verdict in ("data", "both") else (),
        reasons=reasons(evidence, why),
    )


def _chosen(steps: list[int], study: Study, screened: Screened) -> set[int]:
    """The steps to replay: lowest content p first, then the loudest."""
    rank = sorted(steps, key=lambda t: (study.content.adjusted[t], -abs(screened.loudest(t)[1]), t))
    return set(rank[:MOST_REPLAYED])


def _evidence(step: int, study: Study, tape: Tape, screened: Screened) -> tuple[StepEvidence, bool]:
    """All that the verdict on a step may rest on; whether the replay was exact."""
    content, options, history = study.content, study.options, tape.history
    rise = float(screened.rise[step])
    rng = np.random.default_rng([options.seed, 4, step])
    replayed = tape.replay(step, rise, options.replays, rng)
    named = sorted(content.named.get(step, {}))
    curve, z = screened.loudest(step)
    text = study.text
    alien = set(study.slots.row[study.cells.alien].tolist())
    kin = {text.stratum[row] for row in named}
    values = (history.loss[step], history.gradient[step], history.probe[step])
    evidence = StepEvidence(
        step=step,
        tests=len(study.batches),
        curve=curve,
        z=z,
        p=float(content.p[step]),
        adjusted=float(content.adjusted[step]),
        rejected=bool(content.rejected[step]),
        bits=replayed.bits,
        nats=replayed.nats,
        rise=rise,
        probe_z=float(screened.z["probe loss"][step]),
        rate_ratio=rate_ratio(history, step),
        arms=replayed.arms,
        low_rate=replayed.low_rate,
        mix_p=float(study.mix[step]),
        off_share=float((study.mix < MIX_P).mean()),
        persists=replayed.persists,
        harm=replayed.harm,
        batch=len(np.unique(study.slots.row[study.batches[step]])),
        named=len(named),
        explained=sum(1 for row in named if study.findings[row] or row in alien),
        checks=_checks(study, named, alien),
        known=study.cells.known,
        kin_share=sum(1 for s in text.stratum if s in kin) / max(1, len(text)),
        finite=bool(np.isfinite(values).all()),
        underpowered=study.underpowered,
        blind=options.blind,
    )
    return evidence, replayed.exact


def _checks(study: Study, named: list[int], alien: set[int]) -> tuple[str, ...]:
    """What other checks say of the named records, the most frequent first."""
    count: Counter[str] = Counter()
    for row in named:
        count.update(study.findings[row])
        if not study.findings[row] and row in alien:
            count[ALIEN] += 1
    return tuple(sorted(count, key=lambda name: (-count[name], name)))


def _records(step: int, study: Study) -> tuple[Example, ...]:
    """The named records of a step, the oddest first."""
    found = study.content.named.get(step, {})
    return tuple(
        study.text.example(
            row, (("p", f"{p:.2g}"), ("checks", ", ".join(sorted(study.findings[row]))))
        )
        for row, (p, _) in sorted(found.items(), key=lambda item: (item[1][0], item[0]))
    )


def _named(study: Study, blamed: set[int]) -> tuple[NamedRecord, ...]:
    """Named records of the steps whose verdict blames the data."""
    return tuple(
        NamedRecord(study.text.example(row), step, p, q, tuple(sorted(study.findings[row])))
        for step in sorted(blamed)
        for row, (p, q) in sorted(study.content.named.get(step, {}).items())
    )


def _run(name: str, study: Study, tape: Tape, looked_at: set[int]) -> TrainRun:
    """The run's table."""
    history, ids = tape.history, study.text.id
    steps = tuple(
        TrainStep(
            t,
            float(history.loss[t]),
            float(history.bits[t]),
            float(history.gradient[t]),
            float(history.rate[t]),
            float(history.probe[t]),
            float(study.content.p[t]),
            t in looked_at,
            tuple(ids[row] for row in study.slots.row[batch].tolist()),
        )
        for t, batch in enumerate(study.batches)
    )
    return TrainRun(name, study.view, steps)
