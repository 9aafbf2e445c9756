"""What an import loads: nothing heavy before it is needed, nothing of a developer's ever."""

import subprocess
import sys

import pytest

HEAVY = (
    "torch", "great_expectations", "ray", "datasets", "transformers", "pandas", "scipy", "sklearn",
    "pyarrow", "duckdb", "altair",
)  # fmt: skip
DEVELOPMENT = (
    "pytest", "hypothesis", "mypy", "ruff", "build", "coverage", "xdist", "pyright",
    "importlinter", "_pytest",
)  # fmt: skip


def loaded(code):
    show = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stdout.splitlines()}


@pytest.mark.parametrize("code", ["import corpusgate", "import corpusgate.cli"])
def test_no_heavy_package_is_loaded(code):
    assert loaded(code) & set(HEAVY) == set()


def test_the_package_itself_loads_not_even_numpy():
    assert "numpy" not in loaded("import corpusgate")


@pytest.mark.parametrize("arguments", [["--help"], ["checks"], ["audit", "--help"]])
def test_the_command_runs_without_development_packages(arguments):
    code = (
        "import sys\n"
        f"for name in {DEVELOPMENT!r}: sys.modules[name] = None\n"
        "from corpusgate.cli import main\n"
        f"sys.exit(main({arguments!r}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "Usage" in run.stdout or "control-chars" in run.stdout
