"""A DVC repository that tests run stages in."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

RUNNING = re.compile(r"^Running stage '(.+)':$", re.MULTILINE)


@dataclass(frozen=True)
class Ran:
    """What a command came to."""

    code: int
    text: str

    @property
    def stages(self) -> list[str]:
        """The stages that were run, in order."""
        return RUNNING.findall(self.text)


@dataclass(frozen=True)
class Repository:
    """A copy of the tree, under git and DVC."""

    root: Path
    env: dict[str, str]

    def dvc(self, *arguments: str) -> Ran:
        return self._run("-m", "dvc", *arguments)

    def corpusgate(self, *arguments: str) -> Ran:
        return self._run("-m", "corpusgate", *arguments)

    def configure(self, name: str, old: str, new: str) -> None:
        """Change one place of a set's corpusgate.toml."""
        path = self.root / "examples" / "demo" / name / "corpusgate.toml"
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    def _run(self, *arguments: str) -> Ran:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.root, env=self.env, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=600,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout)


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its path, but the only one with a clock."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "run.json"
    }
