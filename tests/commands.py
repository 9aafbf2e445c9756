"""The command line, called as a user does: in this process, or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpusgate.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str
    report: dict[str, Any] | None = None

    @property
    def lines(self) -> list[str]:
        """What it complained of, a line each."""
        return self.err.splitlines()

    @property
    def records(self) -> int:
        """Records read, by its report."""
        assert self.report is not None, "the run is lost: no report"
        return sum(split["records"] for split in self.report["splits"].values())

    def findings(self, check: str) -> list[dict[str, Any]]:
        """The findings of a check, by its report."""
        assert self.report is not None, "the run is lost: no report"
        return [found for found in self.report["findings"] if found["check"] == check]


@dataclass(frozen=True)
class Shell:
    """Runs commands whose results go into folders below a root, a new one each."""

    root: Path
    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: object) -> Done:
        """Run a command as it stands."""
        code = main([str(argument) for argument in arguments])
        shown = self.capture.readouterr()
        return Done(code, shown.out, shown.err)

    def audit(self, *arguments: object, out: Path | None = None) -> Done:
        """Audit without ablation, and read what it left."""
        out = out or self.root / f"out-{sum(1 for _ in self.root.glob('out-*'))}"
        done = self("audit", "--no-ablate", "--out", out, *arguments)
        return Done(done.code, done.out, done.err, report_of(out))


def report_of(out: Path) -> dict[str, Any] | None:
    """What report.json of a folder holds, if it is there."""
    path = out / "report.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else None


def process(
    *arguments: object, cwd: Path, code: str = "", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own.

    Args:
        arguments: of the command.
        cwd: where it runs.
        code: Python to run before it.
        environment: variables beside those that Python needs.
    """
    start = f"{code}\nfrom corpusgate.cli import main\nimport sys\nsys.exit(main())"
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-c", start, *map(os.fspath, map(str, arguments))],
        cwd=cwd, env={**kept, **environment}, capture_output=True, check=False, timeout=300,
    )  # fmt: skip
