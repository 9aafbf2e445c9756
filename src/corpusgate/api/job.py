"""Job: what one command was asked for, and how it is to run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corpusgate import registry
from corpusgate.config import Config
from corpusgate.pipeline.engine import Engine, Serial
from corpusgate.pipeline.map import Mapper

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from corpusgate.model import Check

    Progress = Callable[[str, int, int], None]
    Say = Callable[[str], None]


def quiet(_stage: str, _done: int, _of: int) -> None:
    """Progress that nobody watches."""


def silent(_line: str) -> None:
    """A message that nobody reads."""


@dataclass(frozen=True)
class Job:
    """One command.

    Attributes:
        inputs: (path, split) pairs; an empty split is guessed.
        out: folder of the results.
        config: every option.
        start: folders that hold the outputs of earlier stages, looked through in order.
        engine: where units run.
        progress: called with (stage, done, of).
        say: called with a line for the user, on what was left out or costs time.
        export: whether decode alone writes records.parquet, every record with its text.
    """

    inputs: tuple[tuple[str, str], ...]
    out: Path
    config: Config = field(default_factory=Config)
    start: tuple[Path, ...] = ()
    engine: Engine = field(default_factory=Serial)
    progress: Progress = quiet
    say: Say = silent
    export: bool = False

    def checks(self) -> tuple[Check[Any], ...]:
        """Every check with its options, sorted by name."""
        return self.config.judges(registry.checks())

    def mapper(self) -> Mapper:
        """How the map runs: finished units lie beside the results, in `.corpusgate`."""
        return Mapper(self.out.parent / ".corpusgate", self.engine)

    def find(self, name: str) -> Path | None:
        """The folder, of `out` and `start`, that holds a file or folder of this name."""
        for folder in (*self.start, self.out):
            if (folder / name).exists():
                return folder
        return None
