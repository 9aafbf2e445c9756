"""Progress bars on stderr, for a terminal and only for one."""

from __future__ import annotations

import time
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from corpusgate.cli.terminal import complain, one_line

LATE = 1.0
"""Seconds a stage takes before its bar appears."""


class Bars:
    """A bar for every stage that takes longer than a second, with rate and time left."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._live = self._console.is_terminal
        self._progress = Progress(
            TextColumn("{task.description:>9}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}
        self._begun: dict[str, float] = {}

    def __enter__(self) -> Self:
        if self._live:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._progress.stop()

    def __call__(self, stage: str, done: int, of: int) -> None:
        """Note that `done` of `of` parts of a stage are finished."""
        if not self._live:
            return
        now = time.monotonic()
        begun = self._begun.setdefault(stage, now)
        if stage not in self._tasks:
            if now - begun < LATE:
                return
            self._tasks[stage] = self._progress.add_task(stage, total=of, rate="")
        rate = done / max(now - begun, 1e-9)
        self._progress.update(self._tasks[stage], completed=done, total=of, rate=f"{rate:.1f}/s")

    def say(self, line: str) -> None:
        """A line on stderr, above the bars; control characters by name."""
        text = f"corpusgate: {one_line(line)}"
        if self._live:
            self._progress.console.print(text, markup=False, highlight=False)
        else:
            complain(line)
