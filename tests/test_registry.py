"""The registry finds every check, those of plug-ins too, and their pages."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import EntryPoint
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import pytest

import corpusgate.checks
from corpusgate import registry
from corpusgate.errors import ConfigError, CorpusgateError
from corpusgate.model import Check

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODULE = """
from dataclasses import dataclass
from typing import ClassVar
from corpusgate.model import Check, Partial

@dataclass(frozen=True)
class Seen(Partial):
    rows: int = 0

@dataclass(frozen=True)
class {name}(Check[Seen]):
    most: int = 3
    needs = "decode"
    partial: ClassVar = Seen
    def observe(self, block): return Seen(len(block))
    def metrics(self, evidence): return {{}}
    def conclude(self, evidence): yield from ()
"""


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, and an entry point for each module of it: long_lines:LongLines."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def found(group: str) -> list[EntryPoint]:
        assert group == "corpusgate.checks"
        stems = [path.stem for path in tmp_path.glob("*.py")]
        return [
            EntryPoint(stem, f"{stem}:{stem.title().replace('_', '')}", group) for stem in stems
        ]

    monkeypatch.setattr(registry, "entry_points", found)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name in {path.stem for path in tmp_path.glob("*.py")}:
            del sys.modules[name]


def write(folder: Path, stem: str, text: str = MODULE) -> None:
    (folder / f"{stem}.py").write_text(text.format(name=stem.title().replace("_", "")))


def test_every_module_of_checks_is_a_check_by_its_name() -> None:
    modules = {m.name for m in iter_modules(corpusgate.checks.__path__)}
    expected = {name.replace("_", "-") for name in modules if not name.startswith("_")}
    found = registry.checks()
    assert expected == {n for n, c in found.items() if c.__module__.startswith("corpusgate.")}
    assert list(found) == sorted(found)
    for name, check in found.items():
        assert issubclass(check, Check)
        assert registry.get(name) is check
        assert check().name() == name
        assert registry.page(name).startswith(f"# {name}\n")


def test_a_plug_in_adds_its_check_and_its_page(plug: Path) -> None:
    write(plug, "long_lines")
    before = [n for n in registry.checks() if n != "long-lines"]
    (plug / "long_lines.md").write_text("# long-lines\n")
    assert list(registry.checks()) == sorted([*before, "long-lines"])
    assert registry.get("long-lines")().most == 3
    assert registry.page("long-lines") == "# long-lines\n"


def test_a_check_without_a_page_is_told_where_to_write_it(plug: Path) -> None:
    write(plug, "long_lines")
    with pytest.raises(CorpusgateError, match=r"long_lines\.md") as caught:
        registry.page("long-lines")
    assert caught.value.slug == "no-page"


def test_an_unknown_name_gets_the_nearest(plug: Path) -> None:
    write(plug, "long_lines")
    with pytest.raises(ConfigError, match="did you mean long-lines"):
        registry.get("long-line")
    with pytest.raises(ConfigError, match="no check is named 'zzz'"):
        registry.page("zzz")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import nowhere_at_all", "nowhere_at_all"),
        ("x = 1", "cannot be imported"),
        ("class LongLines: pass", "no subclass"),
    ],
)
def test_a_broken_plug_in_is_named(plug: Path, text: str, says: str) -> None:
    write(plug, "long_lines", text)
    with pytest.raises(CorpusgateError, match=says) as caught:
        registry.checks()
    assert "long_lines" in str(caught.value)
    assert caught.value.slug == "check-plugin"


def test_two_checks_of_one_name_are_refused(plug: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(plug, "long_lines")
    first = registry.get("long-lines")
    del sys.modules["long_lines"]
    monkeypatch.setattr(registry, "_own", lambda _package: iter([first]))
    with pytest.raises(CorpusgateError, match="two checks are named long-lines"):
        registry.checks()


def package(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("")
    write(folder / name, "_shared", "nothing = 1")
    write(folder / name, "long_lines", text)


def test_a_module_is_one_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    package(tmp_path, "one_check", MODULE)
    [found] = registry._own(import_module("one_check"))
    assert found.name() == "long-lines"
    package(tmp_path, "two_checks", MODULE + "\nclass Other(LongLines): pass\n")
    with pytest.raises(CorpusgateError, match="defines 2 checks"):
        list(registry._own(import_module("two_checks")))
    package(tmp_path, "no_check", "from corpusgate.model import Check")
    with pytest.raises(CorpusgateError, match="defines 0 checks"):
        list(registry._own(import_module("no_check")))
