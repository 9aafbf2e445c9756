"""What README says is there is there."""

import re
from pathlib import Path

import pytest

from corpusgate.cli.main import app, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def commands():
    names = {c.name for c in app.registered_commands} | {g.name for g in app.registered_groups}
    return {name for name in names if name}


def test_the_table_lists_every_command_and_no_other():
    rows = re.findall(r"^\| (`[a-z`, ]+`) \|", README, re.M)
    listed = {name for row in rows for name in re.findall(r"`([a-z]+)`", row)}
    assert listed == commands()


def test_the_first_two_commands_are_demo_and_test():
    block = re.search(r"```sh\n(.*?)```", README, re.S)[1]
    assert [line.split("#")[0].strip() for line in block.splitlines()] == ["make demo", "make test"]
    assert {"demo", "test"} <= set(re.findall(r"^([a-z-]+):", MAKEFILE, re.M))


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_every_link_leads_to_a_file(link):
    assert (ROOT / link).exists()


def test_ci_runs_the_tests():
    assert "make test" in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_the_schema_that_is_shipped_is_the_one_in_force(capsys):
    assert main(["schema"]) == 0
    assert (ROOT / "docs/report.schema.json").read_text(encoding="utf-8") == capsys.readouterr().out
