from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from page_parser import Page

RUN = Path(__file__).parents[2] / "examples" / "demo" / "run.py"
SETS = sorted(path.parent.name for path in RUN.parent.glob("*/corpusgate.toml"))

Main = Callable[[Sequence[str]], int]


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Main]:
    """`main` of the demo, with an audit of one's own if given."""

    def loaded(audit: Callable[..., int] | None = None) -> Main:
        held = runpy.run_path(str(RUN), run_name="demo")
        if audit:
            monkeypatch.setitem(held["main"].__globals__, "audit", audit)
        return held["main"]

    return loaded


@pytest.mark.slow
def test_an_audit_a_set_an_index_over_them_and_exit_code_0(
    demo: Callable[..., Main], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = demo()(["--sets", "en_choice", "--no-ablate", "--out", str(tmp_path)])
    assert code == 0  # the gate is shut: what an audit says is no fault of the demo
    shown = capsys.readouterr().out.splitlines()
    page = tmp_path / "en_choice" / "report.html"
    assert shown[0] == "[1/1] en_choice"
    assert f"en_choice  Gate shut: 1 limit broken: {page}" in shown
    assert shown[-1] == f"All of them: {tmp_path / 'index.html'}"
    assert page.is_file()
    links = Page((tmp_path / "index.html").read_text(encoding="utf-8")).links
    assert links == ["en_choice/report.html"]
    report = json.loads((tmp_path / "en_choice" / "report.json").read_text(encoding="utf-8"))
    assert report["states"]["noisy-batch"] == "not-requested"


@pytest.mark.parametrize(("codes", "expected"), [((0, 1), 0), ((1, 2), 2), ((2, 70), 70)])
def test_the_highest_code_of_an_audit_that_did_not_end(
    demo: Callable[..., Main], tmp_path: Path, codes: tuple[int, ...], expected: int
) -> None:
    left = iter(codes)

    def audit(*_: object) -> int:
        return next(left)

    named = SETS[: len(codes)]
    assert demo(audit)(["--sets", *named, "--out", str(tmp_path)]) == expected


def test_what_an_earlier_run_left_is_not_shown_for_an_audit_that_failed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = runpy.run_path(str(RUN), run_name="demo")["main"]
    monkeypatch.setitem(main.__globals__, "corpusgate", lambda _: 2)
    old = tmp_path / "en_choice" / "report.json"
    old.parent.mkdir()
    old.write_text(json.dumps({"title": "old"}), encoding="utf-8")
    assert main(["--sets", "en_choice", "--out", str(tmp_path)]) == 2
    assert "en_choice  no report: exit code 2" in capsys.readouterr().out
    assert Page((tmp_path / "index.html").read_text(encoding="utf-8")).links == []
