"""Places: files of an audit that bear the names of sources, whatever the locale is."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from corpusgate.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def place(folder: Path, name: str) -> Path:
    """The file of a source's name below a folder: its UTF-8 bytes, in a Latin-1 locale too.

    Raises:
        InputError: the name leads out of the folder, as none that an audit leaves does.
    """
    parts = PurePosixPath(name).parts
    if ".." in parts or name.startswith("/"):
        why = f"{folder}: names a file {name!r} outside of it; no audit left that"
        raise InputError("damaged-result", why)
    return folder / os.fsdecode(name.encode("utf-8"))


def named(path: str) -> str:
    """A file's name as text: its bytes as UTF-8, those that are none as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
