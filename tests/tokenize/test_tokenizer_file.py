from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from tokenizers_built import BUILT, tokenizer_json, write

from corpusgate.errors import InputError
from corpusgate.pipeline import tokenizer_file
from corpusgate.pipeline.tokenize import load
from corpusgate.pipeline.tokenizer_file import Crash


def fault(path: Path | str) -> str:
    with pytest.raises(InputError) as raised:
        load(path)
    assert raised.value.slug == "tokenizer-unreadable"
    message = str(raised.value)
    assert message.startswith(f"{path}: no tokenizer: ")
    assert "\n" not in message
    assert "; " in message, "no remedy"
    return message


def edited(folder: Path, **changes: Any) -> Path:
    facts = json.loads(tokenizer_json("wordpiece")) | changes
    path = folder / "edited.json"
    path.write_text(json.dumps(facts), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not JSON"),
        (b"%PDF-1.7 \xff\xfe", "not JSON"),
        (b"[1, 2]", "without a tokenizer's model"),
        (b'{"model": null}', "without a tokenizer's model"),
        (b'{"model": {"type": "Zebra"}}', "the tokenizers library says"),
        (b"[" * 100_000, "not JSON"),
        ('{"model": {}}'.encode("utf-16"), "not JSON"),
        (
            b'{"truncation": 5, "decoder": [], "model": {"vocab": {}}}',
            "the tokenizers library says",
        ),
    ],
)
def test_a_file_that_is_no_tokenizer_is_named(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    assert reason in fault(path)


def test_a_path_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert "no such file" in fault(tmp_path / "missing.json")
    assert "directory" in fault(tmp_path)
    (tmp_path / "tokenizer.json").touch()
    assert f"give the file {tmp_path / 'tokenizer.json'}" in fault(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in fault(tmp_path / "pipe")
    assert "null byte" in fault(f"{tmp_path}/a\x00b")
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(tokenizer_file.MAX_BYTES + 1)
    assert "the most that is read" in fault(huge)


def test_an_added_token_that_matches_everywhere_is_refused(tmp_path: Path) -> None:
    assert "'\\u200c'" in fault(write("emptied", tmp_path))


def test_settings_that_hide_text_are_switched_off_and_said(tmp_path: Path) -> None:
    loaded = load(write("wordpiece", tmp_path))
    assert loaded.switched_off == (
        "truncation at 8 tokens",
        "padding",
        "clean-up of spaces when decoding",
    )
    (ids,) = loaded.encode(["a b c d e f g h i j k ."])
    assert isinstance(ids, list)
    assert len(ids) == 12
    assert loaded.decode([ids]) == ["a b c d e f g h i j k ."]
    nested = {
        "type": "Sequence",
        "decoders": [{"type": "WordPiece", "prefix": "##", "cleanup": True}],
    }
    again = load(edited(tmp_path, decoder=nested, truncation=None, padding=None))
    assert again.switched_off == ("clean-up of spaces when decoding",)


def test_facts_of_the_file(tmp_path: Path) -> None:
    loaded = load(write("wordpiece", tmp_path))
    assert (loaded.unknown, loaded.unknown_token) == (1, "[UNK]")
    assert dict(loaded.special) == {0: "[PAD]", 2: "[CLS]", 3: "[SEP]", 4: "[MASK]"}
    assert loaded.template == 2
    assert loaded.vocabulary == len(json.loads(tokenizer_json("wordpiece"))["model"]["vocab"])
    assert load(write("unigram", tmp_path)).unknown == 0
    assert load(write("byte-bpe", tmp_path)).unknown == -1
    chat = load(write("chat", tmp_path))
    names = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"]
    assert list(chat.special.values()) == names
    facts = chat.facts()
    assert facts["file"] == "chat.json"
    assert str(tmp_path) not in json.dumps(facts)


def test_one_text_that_crashes_leaves_the_others(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    panicking = load(write("panicking", tmp_path))
    good, bad, last = panicking.encode(["the cat", "a" * 40 + "b", "a"])
    assert isinstance(bad, Crash)
    assert "PanicException" in bad.reason
    assert panicking.decode([ids for ids in (good, last) if isinstance(ids, list)]) == [
        "the cat",
        "a",
    ]
    assert "stack backtrace" not in capfd.readouterr().err
    erring = load(write("erring", tmp_path))
    assert [isinstance(ids, Crash) for ids in erring.encode(["a", "\u00e9", "b"])] == [0, 1, 0]
    assert isinstance(erring.encode(["a\ud83db"])[0], Crash)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_is_not_the_tokenizers_fault_stops_the_run(stop: type[BaseException]) -> None:
    def call(_: list[str]) -> list[str]:
        raise stop

    with pytest.raises(stop):
        tokenizer_file._each(call, ["a", "b"])


def test_special_tokens_are_read_as_commands_or_as_text(tmp_path: Path) -> None:
    chat = load(write("chat", tmp_path))
    (command,), (plain,) = chat.encode(["<|im_start|>"]), chat.encode(["<|im_start|>"], plain=True)
    assert command == [262]
    assert isinstance(plain, list)
    assert len(plain) == len("<|im_start|>")
    assert chat.encode(["<|im_start|>"]) == [command], "the setting outlived its call"


def test_every_built_tokenizer_loads(tmp_path: Path) -> None:
    for name in BUILT:
        if name != "emptied":
            assert load(write(name, tmp_path)).vocabulary > 0, name


def test_forks_neither_warn_nor_hang(tmp_path: Path) -> None:
    path = write("byte-bpe", tmp_path)
    script = f"""
        import os
        from corpusgate.pipeline.tokenize import load
        loaded = load({str(path)!r})
        before = loaded.encode(["the cat"] * 100)
        child = os.fork()
        if not child:
            os._exit(loaded.encode(["the cat"] * 100) != before)
        assert os.waitpid(child, 0)[1] == 0
        print(os.environ.get("TOKENIZERS_PARALLELISM"), os.environ.get("RUST_BACKTRACE"))
    """
    for threads in (None, "true"):
        env = {k: v for k, v in os.environ.items() if k != "TOKENIZERS_PARALLELISM"}
        env |= {"RUST_BACKTRACE": "1"} | ({"TOKENIZERS_PARALLELISM": threads} if threads else {})
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            env=env, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"{threads} 1\n", "the environment was not put back"
