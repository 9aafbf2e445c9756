"""The wheel holds every package and data file of the tree, and nothing else at its top."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOMES = {
    "corpusgate": "src/corpusgate",
    **{f"corpusgate/{name}": name for name in ("pipeline", "checks", "reports")},
}
LEFT_OUT = (".venv", ".git", "build", "dist", "*.egg-info", "__pycache__", "audits", ".dvc")


def wanted():
    found = set()
    for name, folder in HOMES.items():
        for path in (ROOT / folder).rglob("*"):  # does not walk through the links
            if path.is_file() and "__pycache__" not in path.parts:
                found.add(f"{name}/{path.relative_to(ROOT / folder).as_posix()}")
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "tree"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, copy]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_the_tree_and_one_name(wheel):
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert {name.split("/")[0] for name in names} == {"corpusgate"}
    assert set(names) == wanted()


@pytest.mark.slow
def test_the_unpacked_wheel_runs_without_the_tree(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import corpusgate; "
        "from corpusgate.cli import main; assert corpusgate.__file__.startswith(sys.argv[1]); "
        "sys.exit(main(['explain', 'control-chars']))"
    )
    command = [sys.executable, "-S", "-c", code, str(tmp_path)]
    site = Path(next(p for p in sys.path if p.endswith("site-packages")))
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(site)}
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("# control-chars")
