from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from pipelines import Repository

ROOT = Path(__file__).parents[2]
SHIPPED = (
    ".dvc/config", ".dvc/.gitignore", ".dvc/plots", ".dvcignore", ".gitignore", "dvc.yaml",
    "checks", "pipeline", "reports", "src", "examples",
)  # fmt: skip


def copy_of_the_tree(to: Path) -> None:
    """What a clone holds, without what running left."""
    for name in SHIPPED:
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            left = shutil.ignore_patterns("__pycache__", ".corpusgate")
            shutil.copytree(ROOT / name, path, symlinks=True, ignore=left)
        else:
            shutil.copyfile(ROOT / name, path)


def environment(root: Path, beside: Path) -> dict[str, str]:
    """DVC that calls nobody and keeps everything below `beside`; the package of `root`."""
    found = dict(os.environ)
    found["PYTHONPATH"] = str(root / "src")
    found["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), found.get("PATH", "")])
    found |= {"DVC_NO_ANALYTICS": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PYTHONWARNINGS": "ignore"}
    for name in ("DVC_SITE_CACHE_DIR", "DVC_GLOBAL_CONFIG_DIR", "DVC_SYSTEM_CONFIG_DIR"):
        found[name] = str(beside / name.lower())
    return found


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository at another path, with nothing run in it yet."""
    return make(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository that the tests of a module share."""
    return make(tmp_path_factory.mktemp("dvc"))


def make(beside: Path) -> Repository:
    git = shutil.which("git")
    if git is None or find_spec("dvc") is None:
        pytest.skip("git or dvc is not installed")
    root = beside / "elsewhere"
    copy_of_the_tree(root)
    env = environment(root, beside)
    subprocess.run([git, "init", "--quiet"], cwd=root, env=env, check=True)
    return Repository(root, env)
