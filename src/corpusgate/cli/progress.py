"""Progress bars on stderr, for a terminal and only for one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from corpusgate.cli.terminal import complain, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

LATE = 1.0
"""Seconds a stage takes before its bar appears."""


def _spent(task: Task) -> float:
    """Seconds that a task took, or has taken so far."""
    return (task.finished_time if task.finished else task.elapsed) or 0.0


class _Rate(ProgressColumn):
    """Parts a second, since the stage began."""

    def render(self, task: Task) -> Text:
        """The rate of a task."""
        spent = _spent(task)
        return Text(f"{task.completed / spent:.1f}/s" if spent else "")


class _Late(Progress):
    """Shows a task once it has taken LATE seconds; one that was done before is never seen."""

    def get_renderables(self) -> Iterable[RenderableType]:
        shown = [task for task in self.tasks if _spent(task) >= LATE]
        yield self.make_tasks_table(shown)


class Bars:
    """A bar for every stage that takes longer than a second, with rate and time left."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._live = sys.stderr.isatty()
        self._progress = _Late(
            TextColumn("{task.description:>9}"),
            BarColumn(),
            MofNCompleteColumn(),
            _Rate(),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}

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
        if stage not in self._tasks:
            self._tasks[stage] = self._progress.add_task(stage, total=of)
        self._progress.update(self._tasks[stage], completed=done, total=of)

    def say(self, line: str) -> None:
        """A line on stderr, above the bars; control characters by name."""
        text = f"corpusgate: {one_line(line)}"
        if self._live:
            self._progress.console.print(text, markup=False, highlight=False)
        else:
            complain(line)
