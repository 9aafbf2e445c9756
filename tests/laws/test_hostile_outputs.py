"""Law 9 on whole audits: data full of markup and hidden characters, and nothing of it shows."""

from __future__ import annotations

import io
import json
import os
import shutil
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from page_parser import Page

from corpusgate.cli import main
from corpusgate.reports.index import index
from corpusgate.text.toml import dumps
from corpusgate.text.visible import is_hidden

FRAGMENTS = (
    "<script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", "' onload='x", "-->",
    "<!--", "{{ 7 * 7 }}", "[a](http://e.example)", "[red]x[/red]", "%s", "\x1b[31m",
    "\x1b]0;x\x07", "\x7f", "\x85", "\u200b", "\u202e", "\u2066", "\ufeff", "\u2028", "\U000e0041",
    "\ufe0f", "\udcff", "\ufdd0", "\ue000", "\u27e6NUL\u27e7", "\r\n", "\n", "\t", "=1+1",
)  # fmt: skip
WORDS = ("train", "val", "\u79cb\u5929", "\u00e9t\u00e9", " ", "a")
PIECES = st.sampled_from(FRAGMENTS) | st.sampled_from(WORDS)
HOSTILE = st.lists(PIECES, min_size=1, max_size=4).map("".join)
TEXT = st.lists(PIECES | st.just("\x00"), max_size=6).map("".join)
NAME = HOSTILE.map(lambda name: name.replace("/", "|").lstrip("."))
SPLIT = NAME.filter(lambda name: not any("\ud800" <= char <= "\udfff" for char in name))


def line(text: str, label: str) -> bytes:
    return json.dumps({"text": text, "label": label}).encode() + b"\n"


RECORDS = st.lists(st.builds(line, TEXT, HOSTILE), max_size=8)


def safe(shown: str) -> str:
    """A text without anything hidden but the ends of its lines."""
    shown.encode("utf-8")
    for start in (i for i, char in enumerate(shown) if is_hidden(char) and char != "\n"):
        raise AssertionError(ascii(shown[max(start - 60, 0) : start + 60]))
    return shown


def safe_page(shown: str) -> str:
    shown.encode("utf-8")
    safe(shown.replace("\t", ""))
    Page(shown)
    return shown


def called(*arguments: object) -> tuple[int, str]:
    """(code, all that is shown) of a command."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return code, out.getvalue() + err.getvalue()


@pytest.fixture(scope="module")
def root() -> Path:
    return Path(tempfile.mkdtemp(prefix="corpusgate-"))


def put(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    if len(os.fsencode(name)) < 200 and not path.exists():
        path.write_bytes(data)


# An audit takes half a second: what fails is shown as it was found, not shrunk.
@settings(max_examples=10, phases=(Phase.explicit, Phase.generate))
@given(
    files=st.lists(st.tuples(NAME, RECORDS), min_size=1, max_size=3),
    split=SPLIT,
    broken=NAME,
    tokenizer=NAME,
)
def test_no_output_shows_what_the_data_hides(
    root: Path, files: list[tuple[str, list[bytes]]], split: str, broken: str, tokenizer: str
) -> None:
    shutil.rmtree(root, ignore_errors=True)
    data, out = root / "data", root / "audit"
    data.mkdir(parents=True)
    put(data, "train.jsonl", b"".join(line(f"fine {i}", "x") for i in range(4)))
    for name, records in files:
        put(data, f"{name}.jsonl", b"".join(records))
        put(data, f"one {name}.csv", b"text,label\n" + b"".join(records).replace(b'"', b'""'))
    put(data, f"{broken}.txt", b"%PDF-1.4 \x00\x01")
    (data / f"link {broken}.jsonl").symlink_to(data / f"gone {broken}")
    (root / "c.toml").write_text(
        dumps({"input": {"splits": {split: ["*e*.jsonl", "one*"]}}}), "utf-8"
    )
    code, shown = called(
        "audit", data, root / f"no {broken}", "--no-ablate", "--config", root / "c.toml",
        "--tokenizer", root / tokenizer, "--out", out,
    )  # fmt: skip
    assert code == 2, shown  # the missing path and the missing tokenizer
    safe(shown)
    for command in (("gate", out), ("gate", out, "--format", "json"), ("ledger", out)):
        safe(called(*command)[1])
    safe(called("explain", broken)[1])
    safe(called("report", "--from", out, "--out", out)[1])
    left = sorted(path for path in out.rglob("*") if path.is_file() and "clean" not in path.parts)
    held = [path for path in left if path.suffix in {".json", ".csv"}]
    assert {"report.json", "gate.json", "run.json", "inputs.json"} <= {path.name for path in held}
    for path in held:
        safe(path.read_text("utf-8"))
    safe_page((out / "report.html").read_text("utf-8"))
    report = json.loads((out / "report.json").read_text("utf-8"))
    safe_page(index([(report["title"], "audit/report.html", report), (broken, broken, report)]))


def test_what_would_be_shown_is_refused() -> None:
    for shown in ("\x1b[31m", "a\u202eb", "\u200b", "\r", "\x00"):
        with pytest.raises(AssertionError):
            safe(shown)
    with pytest.raises(AssertionError):
        safe_page("<html><script>1</script></html>")
