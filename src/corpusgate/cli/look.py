"""Commands that only show: checks, explain, ledger, schema, config."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from corpusgate.cli.terminal import tell

Name = Annotated[str, typer.Argument(metavar="CHECK", help="Name of a check.")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of an audit or clean.")]


def checks() -> int:
    """List the checks, a line each."""
    from corpusgate import registry

    kinds = registry.checks().items()
    tell("".join(f"{name:24} {(kind.__doc__ or '').splitlines()[0]}\n" for name, kind in kinds))
    return 0


def explain(name: Name) -> int:
    """Show the page of a check: what it measures, why it matters, examples, limits."""
    from corpusgate import registry

    tell(registry.page(name))
    return 0


def ledger(
    folder: Folder,
    check: Annotated[str, typer.Option("--check", help="Only edits of this check.")] = "",
    source: Annotated[str, typer.Option("--source", help="Only edits of this source.")] = "",
    record: Annotated[int, typer.Option("--record", help="Only edits of this record.")] = -1,
) -> int:
    """Show the edits of a clean copy, a line each."""
    from corpusgate.pipeline.ledger import entries
    from corpusgate.reports.edits import line

    for entry in entries(folder):
        if check and entry.check != check:
            continue
        if source and source not in (entry.source, entry.source.partition("/")[2]):
            continue
        if record >= 0 and entry.record != record:
            continue
        if not tell(line(vars(entry)) + "\n"):
            break
    return 0


def schema() -> int:
    """Print the JSON Schema of report.json."""
    from corpusgate.reports.data import schema as of_report

    tell(json.dumps(of_report(), indent=2, sort_keys=True) + "\n")
    return 0


config = typer.Typer(help="Look at the configuration.", no_args_is_help=True)


@config.command("show")
def show(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Folder of the data.")] = Path(),
    file: Annotated[Path | None, typer.Option("--config", help="corpusgate.toml to use.")] = None,
) -> int:
    """Print every option in force, as TOML."""
    from corpusgate.config import load, render

    tell(render(load(file, folder)))
    return 0


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (checks, explain, ledger, schema):
        app.command(command.__name__)(command)
    app.add_typer(config, name="config")
