"""Audit every set of the demo, then write an index page over them.

Each set is a folder beside this file with its own corpusgate.toml; what an audit leaves lies in
a folder of the same name below `--out`.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpusgate.cli import main as corpusgate
from corpusgate.reports.index import index

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
JUDGED = 1
"""The highest exit code of an audit that ran to its end: the gate is open or shut."""


def sets() -> list[str]:
    """Names of the sets, in order."""
    return sorted(path.parent.name for path in HERE.glob("*/corpusgate.toml"))


def audit(name: str, out: Path, more: Sequence[str]) -> int:
    """Audit one set; its exit code. The summary is left to the page."""
    (out / name / "report.json").unlink(missing_ok=True)  # what an earlier run left is not shown
    with redirect_stdout(io.StringIO()):
        return corpusgate(["audit", str(HERE / name), "--out", str(out / name), *more])


def report(out: Path, name: str) -> dict[str, Any] | None:
    """report.json of a set, if its audit came that far."""
    path = out / name / "report.json"
    held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return held or None


def say(line: str) -> None:
    """A line on stdout at once, so that a reader sees how far the demo is."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Audit the sets of the demo.")
    parser.add_argument("--out", type=Path, default=Path("audits"), help="folder of the audits")
    parser.add_argument("--sets", nargs="+", choices=sets(), default=sets(), metavar="SET")
    parser.add_argument("--no-ablate", action="store_true", help="train no proxy model")
    parser.add_argument("--workers", type=int, default=1, help="processes that read the data")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Run the demo; 0 where every gate was open or shut, else the highest exit code."""
    asked = arguments(given)
    more = ["--no-ablate"] if asked.no_ablate else []
    if asked.workers > 1:
        more += ["--engine", "processes", "--workers", str(asked.workers)]
    codes, rows, told = [], [], []
    for number, name in enumerate(asked.sets, 1):
        say(f"[{number}/{len(asked.sets)}] {name}")
        code = audit(name, asked.out, more)
        codes.append(code)
        held = report(asked.out, name)
        if held is None:
            told.append(f"{name:10} no report: exit code {code}")
            continue
        rows.append((held["title"], f"{name}/report.html", held))
        told.append(f"{name:10} {held['headline']}: {asked.out / name / 'report.html'}")
    asked.out.mkdir(parents=True, exist_ok=True)
    page = asked.out / "index.html"
    page.write_text(index(rows), encoding="utf-8")
    say("\n" + "\n".join(told))
    say(f"\nAll of them: {page}")
    worst = max(codes)
    return worst if worst > JUDGED else 0


if __name__ == "__main__":
    sys.exit(main())
