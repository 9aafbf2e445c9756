"""`corpusgate`: reads the arguments, calls the api, prints, exits."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

# one thread of BLAS: numpy's linear algebra is not used where it would matter, and starting
# its threads costs more than importing it
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import typer

from corpusgate.cli import look, run
from corpusgate.errors import CorpusgateError

# the base of every fault of usage; the package that defines it differs by typer's version
UsageFault: type[Any] = typer.BadParameter.__mro__[2]
CRASH, USAGE = 70, 2
SEVERAL = ("--train", "--val", "--test", "--from")

app = typer.Typer(
    name="corpusgate",
    help="Audit the text a language model is about to be trained on.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
run.add_to(app)
look.add_to(app)


def spread(arguments: list[str]) -> list[str]:
    """Arguments with every value of a repeated option behind its own name.

    `--train a b` becomes `--train a --train b`, as a shell's pattern gives several files.
    """
    out: list[str] = []
    current = ""
    for argument in arguments:
        if argument in SEVERAL:
            current = argument
            continue
        if argument.startswith("-") and argument != "-":
            current = ""
            out.append(argument)
        elif current:
            out += [current, argument]
        else:
            out.append(argument)
    return out


def main(arguments: list[str] | None = None) -> int:  # noqa: PLR0911 - a way out each
    """Run one command; the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        code = app(spread(given), standalone_mode=False)
    except typer.Exit as stop:
        return stop.exit_code
    except UsageFault as error:
        error.show()
        return USAGE
    except typer.Abort:
        return 130
    except CorpusgateError as error:
        sys.stderr.write(f"corpusgate: {error} [{error.slug}]\n")
        return USAGE
    except OSError as error:
        sys.stderr.write(f"corpusgate: {error.filename or ''}: {error.strerror or error}\n")
        return USAGE
    except Exception:  # noqa: BLE001 - a crash must be told from a verdict
        traceback.print_exc()
        sys.stderr.write("corpusgate: crashed; this is a fault of corpusgate, not of the data\n")
        return CRASH
    return code if isinstance(code, int) else 0
