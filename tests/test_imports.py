"""What is loaded when: nothing heavy before it is used, nothing that only developers have."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
HEAVY = (
    "torch", "great_expectations", "ray", "datasets", "transformers", "pandas", "scipy", "sklearn",
    "pyarrow", "duckdb", "altair", "tokenizers", "vl_convert", "charset_normalizer",
)  # fmt: skip
MODULES = {"import-linter": "importlinter", "pytest-cov": "pytest_cov", "pytest-xdist": "xdist"}

LOADED = """
import sys
heavy = set({heavy!r}) & {{name.partition(".")[0] for name in sys.modules}}
print(*sorted(heavy))
"""
HIDDEN = """
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def __getattr__(self, name):
        return getattr(self.finder, name)
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {hidden!r}:
            return self.finder.find_spec(name, path, target)
sys.meta_path[:] = map(Without, sys.meta_path)
"""
COMMAND = """
import sys
sys.argv = ["corpusgate", *{arguments!r}]
from corpusgate.cli import main
code = main()
assert code == 0, code
"""


def run(*pieces: str) -> subprocess.CompletedProcess[str]:
    code = "\n".join(pieces)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def loaded(*pieces: str) -> str:
    """The heavy packages that code loads, in its last line."""
    done = run(*pieces, LOADED.format(heavy=HEAVY))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def development() -> list[str]:
    names = [re.split(r"[<>=\[]", name)[0] for name in PROJECT["dependency-groups"]["dev"]]
    extras = PROJECT["project"]["optional-dependencies"]
    optional = [re.split(r"[<>=\[]", name)[0] for group in extras.values() for name in group]
    found = {MODULES.get(name, name.replace("-", "_")) for name in (*names, *optional)}
    return sorted(found - {"corpusgate"})


@pytest.mark.parametrize("module", ["corpusgate", "corpusgate.model", "corpusgate.errors"])
def test_an_import_loads_nothing_heavy(module: str) -> None:
    assert loaded(f"import {module}") == ""


def test_the_command_line_loads_nothing_heavy_to_help() -> None:
    assert loaded(COMMAND.format(arguments=["--help"])) == ""
    assert loaded(COMMAND.format(arguments=["audit", "--help"])) == ""


def test_what_is_heavy_would_be_seen() -> None:
    assert loaded("import pyarrow") == "pyarrow"


def test_help_and_the_checks_need_no_package_of_developers_or_extras() -> None:
    hidden = development()
    assert {"pytest", "hypothesis", "mypy", "torch", "great_expectations"} <= set(hidden)
    hide = HIDDEN.format(hidden=hidden)
    done = run(hide, COMMAND.format(arguments=["--help"]))
    assert (done.returncode, done.stderr) == (0, "")
    assert "audit" in done.stdout
    done = run(hide, COMMAND.format(arguments=["checks"]))
    assert (done.returncode, "control-chars" in done.stdout) == (0, True), done.stderr
    assert run(hide, "import pytest").returncode == 1


def test_an_audit_needs_no_package_of_developers_or_extras(tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text('{"text": "one"}\n{"text": "two"}\n', "utf-8")
    arguments = ["audit", str(tmp_path / "train.jsonl"), "--out", str(tmp_path / "out")]
    done = run(HIDDEN.format(hidden=development()), COMMAND.format(arguments=arguments))
    assert done.returncode == 0, done.stderr
    assert "2 records read, 2 kept" in done.stdout
