"""Bad input: one line that names the path and the remedy, the right code, the rest not lost."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import Done, Shell, process, report_of

from corpusgate.pipeline.read.container import BOMB_FLOOR

GOOD = b"".join(b'{"text": "record %d of a good file"}\n' % i for i in range(5))
PDF = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n" * 9


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return put(tmp_path / "good" / "train.jsonl", GOOD)


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def check(done: Done, code: int, path: object, *words: str, records: int = 5) -> None:
    """One line names the path, and says each of the words; the rest was audited."""
    assert done.code == code, done.err
    [line] = [line for line in done.lines if str(path) in line]
    assert line.startswith("corpusgate: ")
    for word in words:
        assert word in line
    assert done.records == records


# Paths ------------------------------------------------------------------------------------


def test_a_missing_path_among_good_ones(shell: Shell, good: Path, tmp_path: Path) -> None:
    path = tmp_path / "nowhere.jsonl"
    done = shell.audit(good, path)
    check(done, 2, path, "no such file or folder; check the spelling")
    assert done.report is not None
    assert done.report["verdict"] == "error"
    assert [str(path) in line for line in done.report["errors"]] == [True]


def test_nothing_but_a_missing_path(shell: Shell, tmp_path: Path) -> None:
    check(shell.audit(tmp_path / "nowhere"), 2, "nowhere", "check the spelling", records=0)


def test_a_pattern_without_a_match(shell: Shell, good: Path, tmp_path: Path) -> None:
    check(shell.audit(good, tmp_path / "*.csv"), 2, "*.csv", "no file matches; check the pattern")


def test_an_empty_folder(shell: Shell, good: Path, tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.mkdir()
    check(shell.audit(path), 3, path, "holds no file of data; looked for .jsonl", records=0)
    check(shell.audit(path, good), 0, path, "holds no file of data")
    put(path / "README.md", b"# words about data")
    check(shell.audit(path, good), 0, path, "holds no file of data")


def test_a_fifo(shell: Shell, good: Path) -> None:
    path = good.parent / "pipe.jsonl"
    os.mkfifo(path)
    named = shell.audit(good, path)
    check(named, 2, path, "a FIFO, not a file; write what it gives to a file first")
    met = shell.audit(good.parent)
    check(met, 0, path, "a FIFO, not a file; left out")
    assert met.report is not None
    assert [str(path) in line for line in met.report["warnings"]] == [True]


def test_links_that_lead_back_to_themselves_and_nowhere(shell: Shell, good: Path) -> None:
    folder = good.parent
    (folder / "loop").symlink_to(folder)
    (folder / "knot").symlink_to(folder / "knot")
    (folder / "gone.jsonl").symlink_to(folder / "nothing")
    done = shell.audit(folder)
    check(done, 0, folder / "loop", "a link back to a folder already read; left out")
    check(done, 0, folder / "knot", "a link that leads to itself; left out")
    check(done, 0, folder / "gone.jsonl", "a dangling link; left out")
    named = shell.audit(good, folder / "gone.jsonl")
    check(named, 2, folder / "gone.jsonl", "the link leads nowhere")
    knot = shell.audit(good, folder / "knot")
    check(knot, 2, folder / "knot", "too many levels of symbolic links")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(shell: Shell, good: Path, tmp_path: Path) -> None:
    path = put(tmp_path / "secret.jsonl", GOOD)
    path.chmod(0)
    check(shell.audit(good, path), 2, path, "permission denied", "Mend or replace")


def test_a_file_that_cannot_be_read(
    shell: Shell, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from corpusgate.pipeline.read.container import Stream

    path = put(tmp_path / "secret.jsonl", GOOD)
    real = Stream.__init__

    def refuse(self: Stream, file: Path, max_ratio: int = 0) -> None:
        if file.name == path.name:
            raise PermissionError(13, "Permission denied", str(file))
        real(self, file, max_ratio)

    monkeypatch.setattr(Stream, "__init__", refuse)
    check(shell.audit(good, path), 2, path, "permission denied", "Mend or replace")


def test_columnar_files_whose_names_are_no_text(shell: Shell, good: Path, tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path / "data")
    (tmp_path / "data").mkdir()
    pq.write_table(pa.table({"text": ["a", "b"]}), tmp_path / "data" / "\u79cb.parquet")
    os.link(tmp_path / "data" / "\u79cb.parquet", folder + b"/\xff.parquet")
    done = shell.audit(good, tmp_path / "data")
    check(done, 2, "U+DCFF", "holds bytes that are no UTF-8", "Mend or replace", records=7)


def test_two_files_of_one_name(shell: Shell, good: Path, tmp_path: Path) -> None:
    other = put(tmp_path / "other" / "train.jsonl", GOOD.replace(b"good", b"fine"))
    done = shell.audit(good, other)
    assert (done.code, done.records, done.err) == (0, 10, "")
    assert not done.findings("duplicate")
    clean = sorted((tmp_path / "out-0" / "clean").rglob("*.jsonl"))
    assert [path.read_bytes() for path in clean] == [GOOD, other.read_bytes()]


def test_one_file_given_twice(shell: Shell, good: Path) -> None:
    for again in (good, good.parent):
        done = shell.audit(good, again)
        check(done, 0, good, "given twice for train; read once")
        assert not done.findings("duplicate")
    held_out = shell.audit("--train", good, "--val", good)
    assert held_out.records == 10
    assert [found["count"] for found in held_out.findings("split-leakage")] == [5]


NAMES = (
    b"new\nline.jsonl", b"\xff\xfe.jsonl", b"with a space.jsonl", b"-dash.jsonl", b"--out.jsonl",
    b"esc\x1b[31m.jsonl", "\u202ebidi.jsonl".encode(), b"qu'o\"te.jsonl", b"%s{}.jsonl",
    b"train\xff/a.jsonl", b"\\xff\\xfe.jsonl",
)  # fmt: skip


def test_odd_names_in_a_folder_and_outright(shell: Shell, tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path / "data")
    for number, name in enumerate(NAMES):
        path = Path(os.fsdecode(folder + b"/" + name))
        put(path, GOOD.replace(b"good", b"%d\\u0000" % number))
    met = shell.audit(tmp_path / "data")
    named = shell.audit("--train", *(f"{os.fsdecode(folder)}/{os.fsdecode(n)}" for n in NAMES))
    for done in (met, named):
        assert (done.code, done.records, done.err) == (1, 5 * len(NAMES), "")
        assert not done.findings("duplicate")
        assert len(done.findings("control-chars")) == 1
    for out in ("out-0", "out-1"):
        cleaned = [p for p in (tmp_path / out / "clean").rglob("*.jsonl") if p.is_file()]
        assert len(cleaned) == len(NAMES)
        assert shell("undo", tmp_path / out, "--out", tmp_path / f"back-{out}").code == 0
        back = sorted(p.read_bytes() for p in (tmp_path / f"back-{out}").rglob("*.jsonl"))
        assert back == sorted(GOOD.replace(b"good", b"%d\\u0000" % i) for i in range(len(NAMES)))


def test_a_name_that_begins_with_a_dash_behind_two_dashes(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "--train", GOOD)
    done = shell("audit", "--no-ablate", "--out", "out", "--", "--train")
    assert (done.code, done.err) == (0, "")
    assert "5 records read" in done.out


# Files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file(shell: Shell, good: Path, tmp_path: Path, data: bytes) -> None:
    path = put(tmp_path / "empty.jsonl", data)
    alone = shell.audit(path)
    check(alone, 3, path, "holds no record", "Write the file again", records=0)
    among = shell.audit(good, path)
    check(among, 0, path, "holds no record", "Write the file again")
    assert [found["severity"] for found in among.findings("empty-source")] == ["warning"]


def test_a_pdf_named_txt(shell: Shell, good: Path, tmp_path: Path) -> None:
    path = put(tmp_path / "paper.txt", PDF)
    done = shell.audit(good, path)
    check(done, 1, path, "is a PDF, not text", "extract its text first")
    assert [found["severity"] for found in done.findings("unreadable-source")] == ["error"]
    check(shell.audit(path), 1, path, "is a PDF", records=0)


def test_many_files_that_are_no_text_are_told_in_a_few_lines(shell: Shell, tmp_path: Path) -> None:
    for number in range(30):
        put(tmp_path / "data" / f"{number:02d}.txt", PDF)
    done = shell.audit(tmp_path / "data")
    assert done.code == 1
    assert len(done.lines) == 11
    assert done.lines[-1] == "corpusgate: and 20 more such files; the report lists them"
    assert [found["count"] for found in done.findings("unreadable-source")] == [30]


@pytest.mark.parametrize("cut", [20, 400])
def test_a_truncated_gz(shell: Shell, good: Path, tmp_path: Path, cut: int) -> None:
    lines = b"".join(b'{"text": "line %d %d"}\n' % (i, i * 7919 % 9973) for i in range(500))
    path = put(tmp_path / "cut.jsonl.gz", gzip.compress(lines)[:-cut])
    done = shell.audit(good, path)
    assert 300 < done.records <= 505
    check(
        done, 2, path, "ends in the middle of its compressed data; what stands before the cut was",
        "Fetch cut.jsonl.gz again.", records=done.records,
    )  # fmt: skip
    assert [found["severity"] for found in done.findings("unreadable-source")] == ["error"]


def test_a_damaged_gz_and_one_that_unpacks_beyond_measure(
    shell: Shell, good: Path, tmp_path: Path
) -> None:
    data = bytearray(gzip.compress(os.urandom(3000).hex().encode()))
    data[1000] ^= 0xFF
    path = put(tmp_path / "damaged.txt.gz", bytes(data))
    done = shell.audit(good, path)
    check(done, 2, path, "holds damaged compressed data", "again", records=done.records)
    path = put(tmp_path / "bomb.txt.gz", gzip.compress(b"0" * 79 * (BOMB_FLOOR // 60)))
    done = shell.audit(good, path)
    check(done, 2, path, "unpacks to more than", "raise `[input] max_ratio`", records=done.records)


def test_damaged_columnar_files(shell: Shell, good: Path, tmp_path: Path) -> None:
    for name, head in (("a.parquet", b"PAR1"), ("a.arrow", b"ARROW1"), ("b.parquet", b"PAR1")):
        path = put(tmp_path / name, head + b"\x00\x01\x02" * 40 + head)
        check(shell.audit(good, path), 2, path, f"Mend or replace {name}")


def test_a_file_without_a_text_field(shell: Shell, good: Path, tmp_path: Path) -> None:
    path = put(tmp_path / "notext.jsonl", b'{"identifier": 1, "body": "x"}\n' * 3)
    done = shell.audit(good, path)
    check(done, 1, path, "no field holds its text", '`[input] text = "..."`', records=8)
    [found] = done.findings("unreadable-source")
    assert (found["severity"], found["count"]) == ("error", 1)
    assert "[input] text" in found["remedy"]


def test_a_text_field_that_is_named_and_not_there(shell: Shell, good: Path, tmp_path: Path) -> None:
    done = shell.audit(good, "--text", "txet")
    assert (done.code, done.records) == (1, 5)
    [found] = done.findings("unreadable-source")
    assert "none of its records holds a text in the field txet" in found["message"]
    other = put(tmp_path / "late.jsonl", b'{"id": 1}\n' * 300 + b'{"body": "late"}\n')
    assert not shell.audit(other, "--text", "body").findings("unreadable-source")


def test_a_huge_line(shell: Shell, tmp_path: Path) -> None:
    line = b'{"text": "' + b"y" * 3_000_000 + b'"}\n'
    path = put(tmp_path / "data" / "huge.jsonl", GOOD + line + GOOD.replace(b"good", b"fine"))
    held = shell.audit(path)
    assert (held.code, held.records, held.err) == (0, 11, "")
    [found] = held.findings("overlong-text")
    assert found["message"].startswith("1 of 11 records are longer")
    put(path.parent / "corpusgate.toml", b"[input]\nmax_record = 100_000\nsegment = 65_536\n")
    aside = shell.audit(path.parent)
    assert (aside.code, aside.records, aside.err) == (0, 11, "")
    assert aside.report is not None
    assert aside.report["splits"]["train"]["quarantined"] == 1
    [found] = aside.findings("overlong-text")
    assert "1 of them could not be held" in found["message"]
    assert [(e["record"], e["line"]) for e in found["examples"]] == [(5, 6)]


@pytest.mark.parametrize("array", [False, True])
def test_a_first_record_that_is_huge_shows_its_field_as_well(
    shell: Shell, tmp_path: Path, array: bool
) -> None:
    long = b'{"text": "' + b"y" * 3_000_000 + b'\\u0000"}\n'
    data = b"[" + long + b"," + GOOD.strip().replace(b"\n", b",\n") + b"]" if array else long + GOOD
    done = shell.audit(put(tmp_path / ("train.json" if array else "train.jsonl"), data))
    assert (done.records, done.err) == (6, "")
    [found] = done.findings("control-chars")
    assert found["count"] == 1


def test_where_every_record_is_set_aside_there_is_no_clean_copy_to_train_on(
    shell: Shell, tmp_path: Path
) -> None:
    done = shell.audit(put(tmp_path / "train.jsonl", b"no JSON\nat all\nin here\n"))
    assert (done.code, done.records) == (2, 3)
    assert done.report is not None
    assert done.report["lead"].startswith("3 of 3 records cannot be read")
    assert not [line for line in done.report["todo"] if line.startswith("Train on")]


def test_deep_nesting(shell: Shell, tmp_path: Path) -> None:
    deep = [b'{"text": "x", "a": ' + b"[" * n + b"]" * n + b"}\n" for n in (100, 10**5)]
    path = put(tmp_path / "deep.jsonl", GOOD + b"".join(deep) + b"[" * 10**5 + b"\n" + GOOD[:36])
    done = shell.audit(path)
    assert (done.code, done.records) == (1, 9)
    [found] = done.findings("broken-record")
    assert "2 nested more than 500 deep" in found["message"]
    array = put(tmp_path / "deep.json", b'[{"text": "a"}, ' + b'{"a":' * 9999 + b"1" + b"}" * 9999)
    done = shell.audit(array)
    assert (done.code, done.records) == (1, 2)


# What stands beside the data --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"model": 1', "it is not JSON"),
        ("{}", "it is JSON without a tokenizer's model"),
        (None, "no such file or directory"),
        ('{"version": "1.0", "model": {"type": "Nonesuch"}}', "the tokenizers library says"),
    ],
)
def test_a_tokenizer_that_does_not_parse(
    shell: Shell, good: Path, tmp_path: Path, text: str | None, words: str
) -> None:
    path = tmp_path / "tokenizer.json"
    if text is not None:
        put(path, text.encode())
    done = shell.audit(good, "--tokenizer", path)
    check(done, 2, path, words, "give the tokenizer.json that `save_pretrained`")
    assert done.report is not None
    could_not = "1 input could not be read, 3 checks could not run"
    assert done.report["headline"] == f"No verdict: {could_not}"
    states = done.report["states"]
    for name in ("lossy-round-trip", "unknown-tokens", "truncation"):
        assert states[name].startswith(f"not-run: {path}")
    assert states["special-token-in-text"] == states["control-chars"] == "measured"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[input]\nlable = 'x'", "input.lable: unknown key; did you mean label?"),
        ("[checks.control-chars]\nlimt = 1", "checks.control-chars.limt: unknown key; did you"),
        ("[checks.controlchars]\nlimit = 1", "did you mean control-chars?"),
        ("[inptu]", "inptu: unknown key; did you mean input?"),
        ("[input]\nsegment = 'big'", 'input.segment = "big"'),
        ("[input]\nmax_record = -5", "input.max_record is -5: give a whole number above 0"),
        ("[input]\nformat = 'jsnol'", "did you mean jsonl?"),
        ("[compare]\npermutations = 0", "give a whole number above 0"),
        ("[tokenize]\ncontext = 0", "give a whole number above 0"),
        ("[input.splits]\n'../x' = '*'", "'../x' is no name of a split"),
        ("[input", "is not TOML"),
        ("[gate]\ndisable = ['control-charms']", "did you mean control-chars?"),
    ],
)
def test_a_wrong_key_or_value_in_the_configuration(
    shell: Shell, good: Path, text: str, words: str
) -> None:
    path = put(good.parent / "corpusgate.toml", text.encode())
    done = shell.audit(good.parent)
    assert (done.code, done.out, len(done.lines)) == (2, "", 1)
    assert done.err.startswith(f"corpusgate: {path}")
    assert words in done.err


USAGE = {
    ("--tokeniser", "x"): "No such option: --tokeniser",
    ("--engine", "spark"): "--engine spark: use serial or processes",
    ("--workers", "-1"): "Invalid value for '--workers'",
    ("--context", "0"): "tokenize.context is 0",
    ("--device", "tpu"): "--device tpu: use auto, cpu or cuda",
    ("--train",): "--train: name a file or folder behind it",
    ("--val", "--smoke"): "--val: name a file or folder behind it",
    ("--config", "none.toml"): "none.toml: No such file or directory: name a corpusgate.toml",
}


@pytest.mark.parametrize("arguments", USAGE)
def test_options_that_there_are_not(shell: Shell, good: Path, arguments: tuple[str, ...]) -> None:
    done = shell.audit(good, *arguments)
    assert (done.code, done.out, done.report) == (2, "", None)
    assert USAGE[arguments] in done.err


def test_no_input_and_no_such_command(shell: Shell) -> None:
    assert (done := shell("audit")).code == 2
    assert "nothing to read: name a folder or files" in done.err
    assert shell("frobnicate").code == 2
    assert shell("--help").code == 0
    done = shell("explain", "control-char")
    assert (done.code, "did you mean control-chars?" in done.err) == (2, True)


# The folder of the results ----------------------------------------------------------------


def test_an_out_folder_that_is_a_file(shell: Shell, good: Path, tmp_path: Path) -> None:
    path = put(tmp_path / "taken", b"")
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/out\xff"))
    for out in (path, path / "below", odd):
        done = shell.audit(good, out=out)
        assert (done.code, len(done.lines)) == (2, 1)
        assert str(out).split("/out\udcff")[0] in done.err
        assert "with --out" in done.err


def test_results_within_the_data_are_no_data(shell: Shell, good: Path) -> None:
    for _ in range(2):
        done = shell.audit(good.parent, out=good.parent / "audit")
        assert (done.code, done.records, done.err) == (0, 5, "")
    elsewhere = shell.audit(good.parent)
    check(elsewhere, 0, good.parent / "audit", "the results of an audit; left out")


def test_results_are_not_written_over_the_data(shell: Shell, good: Path, tmp_path: Path) -> None:
    done = shell.audit(good.parent, out=good.parent)
    assert done.code == 2
    assert f"{good.parent}: the results would be written over the data" in done.err
    own = put(tmp_path / "project" / "clean" / "train.jsonl", GOOD)
    done = shell.audit(own, out=tmp_path / "project")
    assert (done.code, "over the data" in done.err) == (2, True)
    done = shell.audit(good, out=tmp_path / "project")
    assert done.code == 2
    assert f"{own.parent}: no audit left it, and one would take it away" in done.err
    assert own.read_bytes() == GOOD


def test_results_that_are_damaged(shell: Shell, good: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for name, command in (
        ("report.json", ("gate", out)),
        ("ledger.parquet", ("undo", out, "--out", tmp_path / "back")),
        ("ledger.parquet", ("ledger", out)),
        ("sources.parquet", ("report", "--from", out, "--out", out)),
        ("partials/clean.json", ("report", "--from", out, "--out", out)),
        ("inputs.json", ("clean", "--from", out, "--out", out)),
    ):
        shell.audit(good, out=out)
        put(out / name, b'{"half')
        done = shell(*command)
        assert (done.code, len(done.lines)) == (2, 1), (name, done.err)
        assert f"{out / name}: damaged, or left by another version" in done.err
        assert "run the stage that writes it again" in done.err


def test_results_that_are_not_there(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "nothing"
    for command in (
        ("gate", path), ("undo", path, "--out", tmp_path / "back"), ("ledger", path),
        ("report", "--from", path, "--out", tmp_path / "new"),
        ("compare", "--from", path, "--out", tmp_path / "new"),
    ):  # fmt: skip
        done = shell(*command)
        assert (done.code, len(done.lines)) == (2, 1), done.err
        assert str(path) in done.err
    assert not path.exists()


# Terminals --------------------------------------------------------------------------------


def test_a_crash_is_told_from_a_verdict(
    shell: Shell, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from corpusgate.checks.control_chars import ControlChars

    def fail(*_: object) -> None:
        raise ZeroDivisionError("\x1b[31mof our own\u202e")

    monkeypatch.setattr(ControlChars, "observe", fail)
    done = shell.audit(good)
    assert (done.code, done.out, done.report) == (70, "", None)
    assert "ZeroDivisionError" in done.err
    assert "that is a fault of corpusgate" in done.lines[-1]
    assert not {"\x1b", "\u202e"} & set(done.err)


def test_a_full_disk_is_no_crash(shell: Shell, good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from corpusgate.pipeline import engine

    def fail(folder: Path, _shard: object) -> None:
        raise OSError(28, "No space left on device", str(folder))

    monkeypatch.setattr(engine, "write_shard", fail)
    done = shell.audit(good)
    assert (done.code, len(done.lines)) == (2, 1)
    assert "no space left on device; free some space and run again" in done.err


POETRY = ('{"text": "\u79cb\u5929\\u0000 \u2603"}\n' * 3).encode()


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LANG": "POSIX"},
    ],
)
def test_a_locale_that_knows_ascii_alone(tmp_path: Path, environment: dict[str, str]) -> None:
    name = "\u79cb-\u2603.jsonl"
    put(tmp_path / "data" / name, POETRY)
    arguments = ("audit", "--no-ablate", "data", "--out", "out")
    done = process(*arguments, cwd=tmp_path, **environment)
    assert (done.returncode, done.stderr) == (1, b"")
    report = report_of(tmp_path / "out")
    assert report is not None
    [found] = [f for f in report["findings"] if f["check"] == "control-chars"]
    assert {example["source"] for example in found["examples"]} == {name}
    page = (tmp_path / "out" / "report.html").read_bytes().decode("utf-8")
    assert "\u79cb\u5929" in page
    assert (tmp_path / "out" / "clean" / "train" / name).is_file()


CLOSED = """
import os
read, write = os.pipe()
os.dup2(write, 1)
os.close(read)
"""


def test_a_reader_that_has_gone_is_no_fault(tmp_path: Path) -> None:
    put(tmp_path / "train.jsonl", POETRY)
    audit = ("audit", "--no-ablate", "train.jsonl", "--out", "out")
    done = process(*audit, cwd=tmp_path, code=CLOSED, NO_COLOR="1")
    assert (done.returncode, done.stderr) == (1, b"")
    assert report_of(tmp_path / "out") is not None
    done = process("ledger", "out", cwd=tmp_path, code=CLOSED)
    assert (done.returncode, done.stderr) == (0, b"")
    none = process("ledger", "out", cwd=tmp_path, code="import sys; sys.stdout = sys.stderr = None")
    assert (none.returncode, none.stdout, none.stderr) == (0, b"", b"")


TERMINAL = """
import pty, os, sys
from corpusgate.cli import progress
progress.LATE = -1
import corpusgate.cli.main
lead, end = pty.openpty()
os.dup2(end, 2)
import atexit
@atexit.register
def show():
    os.write(1, b"TERMINAL " + os.read(lead, 65536))
"""


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1", "TERM": "xterm-256color"}, {}])
def test_bars_have_no_colour_where_none_is_wanted(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    put(tmp_path / "train.jsonl", GOOD)
    audit = ("audit", "--no-ablate", "train.jsonl", "--out", "out")
    wanted = environment or {"TERM": "xterm-256color"}
    done = process(*audit, cwd=tmp_path, code=TERMINAL, **wanted)
    assert done.returncode == 0
    result, _, shown = done.stdout.partition(b"TERMINAL ")
    assert b"survey" in shown
    assert b"\x1b" not in result
    assert (b"\x1b[3" in shown) is not bool(environment)


def test_without_a_terminal_nothing_is_said_of_progress(shell: Shell, good: Path) -> None:
    done = shell.audit(good, "--engine", "processes", "--workers", "1")
    assert (done.code, done.err) == (0, "")
    assert json.dumps(done.report)
