"""What is written to the terminal, whatever its encoding and whoever has stopped reading."""

from __future__ import annotations

import io
import os
import sys

from corpusgate.text.visible import plain


def settle() -> None:
    """Make the standard streams take every text: in a C locale they know ASCII alone.

    A stream that the caller has closed is replaced by one that leads nowhere.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def tell(text: str) -> bool:
    """Write a result; whether it is still read. A reader that has gone (`| head`) is no fault."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # or the interpreter complains when it closes the stream at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def complain(text: str, keep: str = "") -> None:
    """Write a line about a fault to stderr, hidden characters but those of `keep` by name."""
    try:
        sys.stderr.write(f"corpusgate: {plain(text, keep)}\n")
        sys.stderr.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def one_line(text: object) -> str:
    """A text from elsewhere on one line, nothing in it hidden."""
    return plain(str(text), keep="")
