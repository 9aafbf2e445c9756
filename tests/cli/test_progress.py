"""Bars: on a terminal, for what takes longer than a second; nothing anywhere else."""

import os
import pty
import re
import subprocess
import sys

SLOW = """
import time
from corpusgate.cli.progress import Bars
with Bars() as bars:
    bars("quick", 1, 1)
    for done in range(16):
        bars("slow", done, 16)
        time.sleep(0.1)
    bars.say("a line\\x1b[31m")
"""


def on_a_terminal(code):
    pid, end = pty.fork()
    if not pid:
        os.environ |= {"TERM": "xterm", "COLUMNS": "100"}
        os.execv(sys.executable, [sys.executable, "-c", code])
    parts = []
    while True:
        try:
            data = os.read(end, 65536)
        except OSError:
            break
        if not data:
            break
        parts.append(data)
    os.waitpid(pid, 0)
    return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", b"".join(parts)).decode()


def test_a_slow_stage_shows_its_rate_and_a_quick_one_nothing():
    shown = on_a_terminal(SLOW)
    assert re.search(r"slow .*\d+/16 +\d+\.\d/s", shown)
    assert re.search(r"0:00:0\d", shown)
    assert "quick" not in shown


def test_nothing_is_drawn_where_nobody_watches():
    run = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=True)
    assert run.stdout == ""
    assert "slow" not in run.stderr
    assert "a line" in run.stderr
    assert "\x1b" not in run.stderr
