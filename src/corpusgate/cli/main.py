"""`corpusgate`: reads the arguments, calls the api, prints, exits."""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from typing import Any, cast

# one thread of BLAS: numpy's linear algebra is not used where it would matter, and starting
# its threads costs more than importing it
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import typer

from corpusgate.cli import look, run
from corpusgate.cli.terminal import complain, settle
from corpusgate.errors import ConfigError, CorpusgateError
from corpusgate.text.visible import plain

# the base of every fault of usage; the package that defines it differs by typer's version
UsageFault = cast("type[Exception]", typer.BadParameter.__mro__[2])
CRASH, USAGE = 70, 2
SEVERAL = ("--train", "--val", "--test", "--from")
REMEDIES = {
    errno.ENOSPC: "free some space and run again: what is finished is not done twice",
    errno.EMFILE: "allow more open files (ulimit -n) and run again",
    errno.EACCES: "see that you may read and write there, and run again",
    errno.ENOENT: "it was there a moment ago: see that nothing else writes there, and run again",
}

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

    `--train a b` becomes `--train a --train b`, as a shell's pattern gives several files. What
    stands behind `--` is left as it is.

    Raises:
        ConfigError: one of them has no value.
    """
    out: list[str] = []
    current = ""
    for place, argument in enumerate(arguments):
        if argument == "--":
            return out + arguments[place:]
        if argument.startswith("-") and argument != "-":
            current = argument if argument in SEVERAL else ""
            follower = arguments[place + 1 : place + 2]
            if current and (not follower or follower[0].startswith("-")):
                raise ConfigError("no-value", f"{argument}: name a file or folder behind it")
            if not current:
                out.append(argument)
        elif current:
            out += [current, argument]
        else:
            out.append(argument)
    return out


def main(arguments: list[str] | None = None) -> int:  # noqa: PLR0911 - a way out each
    """Run one command; the exit code."""
    settle()
    given = sys.argv[1:] if arguments is None else arguments
    try:
        code = app(spread(given), standalone_mode=False)
    except typer.Exit as stop:
        return stop.exit_code
    except UsageFault as error:
        shown = io.StringIO()
        cast("Any", error).show(shown)
        sys.stderr.write(plain(shown.getvalue(), keep="\n"))
        return USAGE
    except typer.Abort:
        return 130
    except ConfigError as error:  # a line for each key that is wrong
        complain(f"{error} [{error.slug}]", keep="\n")
        return USAGE
    except CorpusgateError as error:
        complain(f"{error} [{error.slug}]")
        return USAGE
    except OSError as error:
        complain(_told(error))
        return USAGE
    except Exception:  # noqa: BLE001 - a crash must be told from a verdict
        complain(traceback.format_exc(), keep="\n")
        complain("crashed; that is a fault of corpusgate, not of the data: report the above")
        return CRASH
    return code if isinstance(code, int) else 0


def _told(error: OSError) -> str:
    """What the system refused, at which path, and what to do about it."""
    path = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    reason = (error.strerror or str(error)).lower()
    remedy = REMEDIES.get(error.errno or 0, "see that it can be read and written, and run again")
    slug = "system"
    return f"{f'{path}: ' if path else ''}{reason}; {remedy} [{slug}]"
