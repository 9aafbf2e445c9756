"""Each dependency does work, and each package that is imported is declared."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOMES = ("src/corpusgate", "pipeline", "checks", "reports")
MODULES = {
    "charset-normalizer": "charset_normalizer",
    "great-expectations": "great_expectations",
    "markdown-it-py": "markdown_it",
    "vl-convert-python": "vl_convert",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def name_of(requirement):
    name = re.match(r"[A-Za-z0-9-]+", requirement)[0].lower()
    return MODULES.get(name, name.replace("-", "_"))


def declared():
    extras = PROJECT["optional-dependencies"]
    return {
        name_of(r)
        for r in [*PROJECT["dependencies"], *(r for e in extras.values() for r in e)]
        if not r.startswith("corpusgate")
    }


def imported():
    found = set()
    for home in HOMES:
        for path in (ROOT / home).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"corpusgate", "pydantic_core"}


def test_every_package_that_is_imported_is_declared():
    assert imported() - declared() == set()


@pytest.mark.parametrize("package", sorted(declared() - {"dvc"}))
def test_every_declared_package_is_used(package):
    assert package in imported()
