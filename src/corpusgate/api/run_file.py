"""run.json: how and when a command ran; the only output with a clock."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from corpusgate.api.corpus import recorded_paths
from corpusgate.api.sweep import claim
from corpusgate.pipeline.discover import discover
from corpusgate.text.visible import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusgate.api.job import Job

PACKAGES = (
    "corpusgate", "numpy", "pyarrow", "pandas", "scipy", "datasets", "charset-normalizer",
    "tokenizers", "torch", "great-expectations", "duckdb", "pydantic",
)  # fmt: skip


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


@contextmanager
def write_run(job: Job) -> Iterator[None]:
    """Write run.json when the command begins, and when it is done, whatever it came to."""
    begun, clock = time.time(), time.monotonic()
    claim(job.out, (path for path, _ in job.inputs))
    path = job.out / "run.json"
    if not path.exists():
        path.write_text("{}\n", encoding="utf-8")
    try:
        yield
    finally:
        found = discover(job.inputs, job.config.input.splits, job.out).sources
        sources = {source.key: str(source.path.absolute()) for source in found}
        for folder in (*job.start, job.out):
            sources = sources or {k: str(p) for k, p in recorded_paths(folder).items()}
        held = {
            "versions": _versions(),
            "machine": {"system": platform.platform(), "cores": os.cpu_count()},
            "arguments": sys.argv[1:],
            "config": job.config.model_dump(mode="json"),
            "sources": sources,
            "began": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begun)),
            "seconds": round(time.monotonic() - clock, 3),
        }
        text = escaped(json.dumps(held, indent=1, sort_keys=True, default=str))
        path.write_text(text + "\n", encoding="utf-8")
