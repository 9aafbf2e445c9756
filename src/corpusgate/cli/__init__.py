"""The command line: the only part that prints and exits."""

from corpusgate.cli.main import main

__all__ = ["main"]
