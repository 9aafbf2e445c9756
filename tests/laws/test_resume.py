"""Law 8: killed at any point and started again, the same bytes, only unfinished units anew."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from laws.corpora import folder, job_of, run, tree, write

from corpusgate.api.corpus import MAPPED, open_corpus
from corpusgate.api.stages import run_mapped
from corpusgate.pipeline import engine

LINES = b"".join(b'{"text": "record %d \\u0000 \\u200b"}\n' % i for i in range(400))


class Stop(BaseException):
    """A process that ends here."""


class Dying:
    """An engine that ends after some units."""

    def __init__(self, after):
        self.after = after

    def map(self, function, items):
        for done, item in enumerate(items):
            if done == self.after:
                raise Stop
            yield function(item)


class Counting:
    """An engine that counts what it is given."""

    def __init__(self):
        self.units = 0

    def map(self, function, items):
        for item in items:
            self.units += type(item).__name__ == "_Task"
            yield function(item)


@pytest.mark.parametrize("after", [0, 1, 5])
def test_only_unfinished_units_are_done_again(after):
    with folder() as root:
        write(root / "in", {"train.jsonl": LINES})
        job = job_of(root / "in", root / "a" / "audit", segment=2048)
        corpus = open_corpus(job)
        dying = replace(job.mapper(), engine=Dying(after), unit_bytes=1024)
        with pytest.raises(Stop):
            run_mapped(job, corpus, MAPPED, MAPPED, mapper=dying)
        counting = Counting()
        again = replace(job.mapper(), engine=counting, unit_bytes=1024)
        run_mapped(job, corpus, MAPPED, MAPPED, mapper=again)
        units = len(engine.units_of(corpus.paths, corpus.profiles, 1024))
        assert units > 5
        assert counting.units == units - after
        run(job_of(root / "in", root / "b" / "audit", segment=2048))
        assert tree(root / "a" / "audit") == tree(root / "b" / "audit")


@pytest.mark.slow
def test_kill_nine_leaves_nothing_that_changes_a_byte():
    with folder() as root:
        write(root / "in", {"train.jsonl": LINES * 60})
        out = root / "a" / "audit"
        command = [sys.executable, "-m", "corpusgate", "clean", str(root / "in"), "--out", str(out)]
        for wait in (0.9, 1.4):
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(wait)
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
        subprocess.run(command, check=True, capture_output=True)
        other = root / "b" / "audit"
        subprocess.run([*command[:-1], str(other)], check=True, capture_output=True)
        assert tree(out, leave={"run.json"}) == tree(other, leave={"run.json"})
