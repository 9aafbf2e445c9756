"""Law 6: every check flags the bad example of its page and passes the good one."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache, reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pages
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusgate import registry
from corpusgate.api.corpus import open_corpus
from corpusgate.model import Evidence, Partial, Severity
from corpusgate.pipeline.engine import units_of
from corpusgate.pipeline.tokenize import load
from corpusgate.pipeline.totals import dump_totals, load_totals
from corpusgate.pipeline.unit import process

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpusgate.model import Check

ALL = registry.checks()


def case(name: str, *more: Any) -> Any:
    """A case of a check; those that train are apart: torch has a process of its own."""
    marks = [pytest.mark.torch] if ALL[name].needs == "ablate" else []
    return pytest.param(name, *more, marks=marks)


EACH = [case(name) for name in ALL]


@pytest.mark.parametrize("name", ALL)
def test_a_page_has_its_headings(name: str) -> None:
    page = registry.page(name)
    held = pages.sections(page)
    assert list(held) == [name, *pages.HEADINGS]
    for heading in pages.HEADINGS:
        assert held[heading].strip(), f"{heading} is empty"
        assert len(pages.FENCE.findall(held[heading])) == (heading in pages.EXAMPLES)
    assert page.endswith("\n")
    assert not page.endswith("\n\n")
    assert max(len(line) for line in page.splitlines() if not line.startswith("{")) <= 100


@pytest.mark.parametrize("name", EACH)
def test_the_bad_example_is_flagged_and_the_good_one_is_not(name: str, tmp_path: Path) -> None:
    for section in pages.EXAMPLES:
        found, state = pages.audited(pages.example(name, section), tmp_path / section)
        assert state == "measured", f"{section}: {state}"
        told = [finding for finding in found if finding.severity > Severity.INFO]
        assert bool(told) is (section == "Flagged"), [finding.message for finding in found]
        for finding in found:
            assert finding.message
            assert finding.remedy, "it does not say what to do"
            assert finding.count > 0


MAPPED = [name for name, kind in ALL.items() if kind.needs in {"decode", "clean", "tokenize"}]
COUNTING = [name for name in MAPPED if fields(ALL[name].partial)]


@cache
def parts(name: str, section: str) -> tuple[tuple[str, Partial], ...]:
    """(split, what the check saw) of an example cut as small as its reader cuts it."""
    return tuple(_observed(name, section, 1))


@cache
def whole(name: str, section: str) -> dict[str, Partial]:
    """What the check saw of an example in one piece, by split."""
    return {split: seen for split, seen in _observed(name, section, 1 << 30) if seen}


def _observed(name: str, section: str, size: int) -> Iterator[tuple[str, Partial]]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder, pages.alone(ALL[name]):
        job = pages.job_of(pages.example(name, section), Path(folder))
        reading = replace(job.config.input, segment=min(size, 4 << 20))
        job = replace(job, config=job.config.model_copy(update={"input": reading}))
        corpus = open_corpus(job)
        work = corpus.work(job, ("decode", "clean", "tokenize"))
        path = job.config.tokenize.tokenizer
        for unit in units_of(corpus.paths, corpus.profiles, size):
            found = process(unit, work, load(path) if path else None)
            for (check, split), seen in sorted(found.totals.items()):
                if check == name:
                    yield split, seen


def filed(name: str, split: str, seen: Partial) -> Partial:
    """A partial written to its file and read back."""
    return load_totals(dump_totals({(name, split): seen}), [ALL[name]()])[name, split]


@pytest.mark.parametrize("name", ALL)
def test_nothing_seen_adds_nothing(name: str) -> None:
    nothing = ALL[name].partial()
    assert nothing + nothing == nothing
    assert filed(name, "train", nothing) == nothing
    if name in MAPPED:
        for section in pages.EXAMPLES:
            for _, seen in parts(name, section):
                assert seen + nothing == seen == nothing + seen
                assert filed(name, "val", seen) == seen


@pytest.mark.parametrize("name", COUNTING)
def test_the_bad_example_leaves_something_to_add(name: str) -> None:
    nothing = ALL[name].partial()
    assert any(seen != nothing for _, seen in parts(name, "Flagged"))


@pytest.mark.parametrize("name", COUNTING)
@settings(max_examples=10)
@given(data=st.data())
def test_parts_add_up_in_any_order(name: str, data: st.DataObject) -> None:
    section = data.draw(st.sampled_from(pages.EXAMPLES))
    order = data.draw(st.permutations(parts(name, section)))
    for split, total in whole(name, section).items():
        held = [filed(name, split, seen) for other, seen in order if other == split]
        assert joined(held, data) == total


def joined(held: Sequence[Partial], data: st.DataObject) -> Partial:
    """The sum, of sums of stretches that are drawn."""
    ends = data.draw(st.lists(st.integers(0, len(held)), max_size=3).map(sorted))
    stretches = [held[a:b] for a, b in zip([0, *ends], [*ends, len(held)], strict=True)]
    return reduce(add, [reduce(add, stretch) for stretch in stretches if stretch])


# What a check would be if somebody changed it: each must show in the outcome of an example.


def turned(value: Any) -> list[Any]:
    """Other values of an option, far on either side."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [0, 1, 10 * value + 10, 2**40]
    if isinstance(value, float):
        return [0.0, value / 1000, 0.5, 1.0, 1e6]
    return []


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Any:
    @cache
    def of(name: str) -> dict[str, pages.Measured]:
        root = tmp_path_factory.mktemp(name)
        return {s: pages.Measured.of(pages.example(name, s), root / s) for s in pages.EXAMPLES}

    return of


def changes(check: Check[Any], held: dict[str, pages.Measured]) -> bool:
    """Whether what this check says of an example is not what the check itself says."""
    itself = type(check)()
    return any(m.outcome(check) != m.outcome(itself) for m in held.values())


@pytest.mark.parametrize(
    ("name", "option"), [case(name, f.name) for name in ALL for f in fields(ALL[name])]
)
def test_another_limit_is_another_outcome(
    name: str, option: str, measured: Any, tmp_path: Path
) -> None:
    held = measured(name)
    check = ALL[name]()
    values = turned(getattr(check, option))
    assert values, f"{option} is neither a number nor a flag"
    if any(changes(replace(check, **{option: value}), held) for value in values):
        return
    for value in values:  # it acts where the records are counted
        for section in pages.EXAMPLES:
            shown = pages.example(name, section)
            again = pages.Measured.of(shown, tmp_path / f"{value}-{section}", {option: value})
            if again.outcome(replace(check, **{option: value})) != held[section].outcome(check):
                return
    raise AssertionError(f"no value of {option} changes what is said of the examples")


@pytest.mark.parametrize("name", COUNTING)
def test_a_check_that_observes_nothing_is_found_out(
    name: str, measured: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = ALL[name]
    flagged = measured(name)["Flagged"].outcome(kind())
    monkeypatch.setattr(kind, "observe", lambda self, _block: self.partial())
    seen = pages.Measured.of(pages.example(name, "Flagged"), tmp_path).outcome(kind())
    assert any(severity > Severity.INFO for _, severity in flagged.findings)
    assert not seen.findings


@pytest.mark.parametrize("name", sorted(set(ALL) - set(COUNTING)))
def test_a_check_that_reads_nothing_is_found_out(name: str) -> None:
    check = ALL[name]()
    nothing: Evidence[Any] = pages.blind(Evidence({}, {"train": 3, "val": 2}, pages.NoTables()))
    assert not [found for found in check.conclude(nothing) if found.severity > Severity.INFO]


@pytest.mark.parametrize("name", EACH)
def test_findings_and_the_gate_agree(name: str, measured: Any) -> None:
    """A broken rule has its finding, and a finding that is an error its broken rule."""
    check = ALL[name]()
    options = [f.name for f in fields(check)]
    held = measured(name)
    for option in [None, *options]:
        for value in turned(getattr(check, option)) if option else [None]:
            other = replace(check, **({option: value} if option else {}))
            for section, m in held.items():
                agree(m.outcome(other), other, f"{section}, {option} = {value}")


def agree(outcome: pages.Outcome, check: Check[Any], where: str) -> None:
    broken = {
        (metric.split(".", 2)[2], severity)
        for metric, severity, state in outcome.gate
        if state in {"fail", "warn"}
    }
    for split, severity in broken:
        worst = max((s for name, s in outcome.findings if name == split), default=0)
        assert worst >= severity, f"{where}: a broken rule of {split} without its finding"
    if not check.rules():
        return
    for split, severity in outcome.findings:
        if severity is Severity.ERROR:
            assert (split, severity) in broken, f"{where}: an error of {split}, the gate open"
