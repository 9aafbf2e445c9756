"""The wheel holds every package and every data file of the tree, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("pipeline", "checks", "reports")
HOMES = {"corpusgate": "src/corpusgate", **{f"corpusgate/{name}": name for name in FOLDERS}}
LEFT = (".git", ".venv", ".dvc", "build", "dist", "*.egg-info", "__pycache__", "audits", ".*_cache")


def wanted() -> set[str]:
    """Names in the wheel of the files of the tree, those behind its links once."""
    found = set()
    for name, home in HOMES.items():
        for path in (ROOT / home).rglob("*"):  # does not walk through links
            if path.is_file() and "__pycache__" not in path.parts:
                found.add(f"{name}/{path.relative_to(ROOT / home).as_posix()}")
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a clean copy: a build/ that is left over would ship what was removed."""
    root = tmp_path_factory.mktemp("wheel")
    tree = root / "tree"
    ignored = shutil.ignore_patterns(*LEFT)
    tree.mkdir()
    for name in ("src", *FOLDERS):
        shutil.copytree(ROOT / name, tree / name, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tree / name)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(root)]
    done = subprocess.run([*command, str(tree)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [found] = root.glob("*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_holds_the_tree(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if ".dist-info/" not in name]
    assert len(names) == len(set(names))
    assert sorted(set(names) - wanted()) == []
    assert sorted(wanted() - set(names)) == []
    assert {name.partition("/")[0] for name in names} == {"corpusgate"}


@pytest.mark.slow
def test_an_audit_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(installed)
    data = tmp_path / "train.jsonl"
    data.write_text('{"text": "one\\u0000"}\n' * 3, "utf-8")
    code = (
        "import sys, corpusgate.pipeline, corpusgate.cli\n"
        f"assert corpusgate.pipeline.__file__.startswith({str(installed)!r})\n"
        "sys.exit(corpusgate.cli.main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "audit", "--no-ablate", data, "--out", tmp_path / "out"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(installed)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    assert (tmp_path / "out" / "report.html").is_file()


def test_every_package_of_the_tree_is_listed() -> None:
    """Without it, an editable install would find what a wheel lacks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = set()
    for name, home in HOMES.items():
        for path in (ROOT / home).rglob("__init__.py"):
            below = path.parent.relative_to(ROOT / home).parts
            found.add(".".join([*name.split("/"), *below]))
    assert sorted(found) == sorted(project["tool"]["setuptools"]["packages"])
