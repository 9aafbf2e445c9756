"""Small corpora on disk, and the stages run over them."""

import contextlib
import gzip
import io
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from corpusgate.api.corpus import MAPPED, open_corpus
from corpusgate.api.job import Job
from corpusgate.api.stages import run_mapped
from corpusgate.config import Config
from corpusgate.pipeline.map import Mapper, run_map
from corpusgate.pipeline.read.container import Stream


@contextlib.contextmanager
def folder():
    path = Path(tempfile.mkdtemp(prefix="corpusgate-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def write(root, files):
    """Write {relative name: bytes} below a folder."""
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def job_of(data, out, *, segment=4 << 20, **more):
    config = Config()
    config = config.model_copy(update={"input": replace(config.input, segment=segment)})
    return Job(((str(data), ""),), out, config, **more)


def run(job, stages=MAPPED):
    """Run the map and write every output; the corpus."""
    corpus = open_corpus(job)
    run_mapped(job, corpus, stages, stages)
    return corpus


def stream_of(path):
    with Stream(path) as stream:
        return stream.read(1 << 30)


def tree(root, *, leave=()):
    """{relative name: bytes} of a folder, but for the names left out."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in leave
    }


__all__ = [
    "Mapper",
    "folder",
    "gzip",
    "io",
    "job_of",
    "run",
    "run_map",
    "stream_of",
    "tree",
    "write",
]
