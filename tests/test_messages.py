"""Every message that stops a command has its entry, and no entry stands for none."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "messages.md").read_text(encoding="utf-8")
HOMES = ("src/corpusgate", "pipeline", "checks", "reports")
ERRORS = {"CorpusgateError", "ConfigError", "InputError", "MissingExtraError", "cls"}
SYSTEM = "system"  # what the operating system refuses, told by the command line itself
SLUG = re.compile(r"[a-z]+(-[a-z]+)*")


def raised():
    """Slugs in calls that make an error, and in choices between two."""
    found = set()
    for home in HOMES:
        for path in (ROOT / home).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and _makes_an_error(node.func) and node.args:
                    found |= _strings(node.args[0])
                elif isinstance(node, ast.Assign) and "slug" in ast.unparse(node.targets[0]):
                    found |= _strings(node.value)
    return {slug for slug in found if SLUG.fullmatch(slug)}


def _makes_an_error(function):
    name = ast.unparse(function).removesuffix(".unknown")
    return name in ERRORS


def _strings(node):
    if isinstance(node, ast.IfExp):
        return _strings(node.body) | _strings(node.orelse)
    held = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return {node.value} if held else set()


def test_every_slug_has_its_entry_and_every_entry_its_slug():
    listed = set(re.findall(r"^### ([a-z-]+)$", PAGE, re.M))
    assert listed == raised() | {SYSTEM}
    assert f'"{SYSTEM}"' in (ROOT / "src/corpusgate/cli/main.py").read_text(encoding="utf-8")


def test_every_entry_gives_cause_and_remedy():
    for entry in PAGE.split("\n### ")[1:]:
        assert "\n- Cause: " in entry
        assert "\n- Remedy: " in entry
