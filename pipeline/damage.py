"""Damage: files of earlier stages that cannot be read any more, named instead of crashed on."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from corpusgate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what reading a stage's file raises into an error that names it.

    Raises:
        InputError: the file is no JSON or Parquet of ours; errors of the system pass.
    """
    try:
        yield
    except (ValueError, KeyError, TypeError) as error:  # ArrowInvalid, pydantic: ValueErrors
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        raise InputError(
            "damaged-result",
            f"{path}: damaged, or left by another version ({reason}); run the stage that "
            "writes it again",
        ) from error
