"""What the audits of the demo's sets must find, figure by figure, on the data as it is shipped."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from corpusgate.cli import main

pytestmark = pytest.mark.slow

DEMO = Path(__file__).parents[2] / "examples" / "demo"
CESU_PIZZA = b"\xed\xa0\xbc\xed\xbd\x95"  # U+1F355 as two surrogates, each in three bytes

# SHA-256 of the texts in source order with U+001E between them. Each of these texts stands
# whole in the collections that the poems were drawn from (chinese-poetry, at the time of the
# drawing), which were UTF-8 all along; the demo's files were encoded from them.
SONGCI = "e48ce7f48f299729a7b6eab7de2a8f4aa90bd9819bd8644d2edfc48bf49a4ae4"
TANGSHI = "3bdd83a563ad06adaafcf846b739f89ca748076ff2d0843eb90747f28c059c74"


@dataclass(frozen=True)
class Audit:
    """What an audit left."""

    out: Path
    code: int

    @property
    def report(self) -> dict[str, Any]:
        return json.loads((self.out / "report.json").read_text(encoding="utf-8"))

    def metric(self, name: str) -> float:
        return self.report["metrics"][name]

    def finding(self, check: str, split: str) -> dict[str, Any]:
        (found,) = [
            f for f in self.report["findings"] if (f["check"], f["split"]) == (check, split)
        ]
        return found

    def records(self) -> dict[str, int]:
        return {name: split["records"] for name, split in self.report["splits"].items()}

    def table(self, name: str) -> list[dict[str, Any]]:
        return pq.read_table(self.out / name).to_pylist()

    def clean(self, name: str) -> bytes:
        return (self.out / "clean" / name).read_bytes()


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Audit]:
    @cache
    def run(name: str) -> Audit:
        out = tmp_path_factory.mktemp("demo") / name
        return Audit(out, main(["audit", str(DEMO / name), "--no-ablate", "--out", str(out)]))

    return run


Audited = Callable[[str], Audit]


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def digest(texts: list[str]) -> str:
    return hashlib.sha256("\x1e".join(texts).encode()).hexdigest()


@pytest.mark.parametrize("name", ["en_bank", "en_choice", "en_intent", "zh_chat", "zh_poetry"])
def test_every_record_is_kept_and_every_source_can_be_rebuilt(audited: Audited, name: str) -> None:
    audit = audited(name)
    assert audit.code in {0, 1}
    assert all(split["quarantined"] == 0 for split in audit.report["splits"].values())
    notes = {note["name"]: note["value"] for note in audit.report["account"]}
    good, _, of = notes["sources rebuilt"].partition(" of ")
    assert good == of
    assert main(["undo", str(audit.out), "--out", str(audit.out.parent / "undone")]) == 0
    sources = audit.table("sources.parquet")
    assert int(good) == len(sources)
    for row in sources:
        given_back = audit.out.parent / "undone" / row["split"] / row["source"]
        assert given_back.read_bytes() == (DEMO / name / row["source"]).read_bytes()


def test_en_choice_control_characters_and_labels(audited: Audited) -> None:
    audit = audited("en_choice")
    assert audit.code == 1
    assert audit.records() == {"train": 200}
    found = audit.finding("control-chars", "train")
    assert found["count"] == 2
    held = {e["record"]: (e["line"], e["evidence"]) for e in found["examples"]}
    assert held == {
        160: (161, [{"name": "U+0000", "value": "16"}]),
        22: (23, [{"name": "U+0002", "value": "1"}]),
    }
    edits = [(e["record"], e["line"], e["old"]) for e in audit.table("ledger.parquet")]
    assert edits == [(22, 23, b"\\u0002"), (160, 161, b"\\u0000" * 16)]
    labels = [row["label"] for row in audit.table("tokens/tokens.parquet")]
    assert len(labels) == 200
    assert all(label.startswith(" ") for label in labels)
    clean = [json.loads(line) for line in audit.clean("train/train.jsonl").splitlines()]
    assert [row["answer_matching_behavior"] for row in clean] == labels
    assert not any(c < " " and c != "\n" for row in clean for c in row["question"])


def test_en_intent_cesu_leaks_and_duplicates(audited: Audited) -> None:
    audit = audited("en_intent")
    assert audit.records() == {"train": 3176, "val": 700}
    source = (DEMO / "en_intent" / "train.jsonl").read_bytes().splitlines()
    assert [n for n, line in enumerate(source, 1) if CESU_PIZZA in line] == [1397]
    clean = audit.clean("train/train.jsonl").decode("utf-8").splitlines()
    assert clean[1396] == source[1396].replace(CESU_PIZZA, "\U0001f355".encode()).decode()
    (edit,) = audit.table("ledger.parquet")
    assert (edit["source"], edit["line"]) == ("train/train.jsonl", 1397)
    leaks = audit.finding("split-leakage", "val")
    assert leaks["count"] == 11
    assert leaks["severity"] == "error"
    assert audit.metric("split-leakage.exact.val") == 2
    assert audit.metric("split-leakage.share.val") == pytest.approx(11 / 700)
    assert audit.metric("duplicate.exact.train") == 161
    assert audit.metric("duplicate.normalised.train") == 46


def test_en_bank_leaks_and_its_csv_is_kept(audited: Audited) -> None:
    audit = audited("en_bank")
    assert audit.records() == {"train": 2999, "test": 1441}
    assert audit.finding("split-leakage", "test")["count"] == 7
    assert audit.metric("split-leakage.exact.test") == 0
    assert audit.metric("label-shift.p.test") > 0  # the label was found under `category`
    assert audit.table("ledger.parquet") == []
    quoted = 0
    for split, records in (("train", 2999), ("test", 1441)):
        source = (DEMO / "en_bank" / f"{split}.csv").read_bytes()
        assert audit.clean(f"{split}/{split}.csv") == source
        rows = rows_of(source.decode())
        assert len(rows) == records + 1
        assert all(len(row) == 2 for row in rows)
        assert source.count(b"\r\n") >= records
        quoted += sum("\n" in row[0] for row in rows)
    assert quoted


def test_zh_poetry_three_encodings_recovered_to_the_character(audited: Audited) -> None:
    audit = audited("zh_poetry")
    assert audit.records() == {"train": 1463, "val": 357}
    found = {(e["split"], e["encoding"]): e["records"] for e in audit.report["encodings"]}
    assert found == {
        ("train", "gb18030"): 584, ("train", "cp950"): 368,
        ("train", "utf-8"): 511, ("val", "utf-8"): 357,
    }  # fmt: skip
    folder = DEMO / "zh_poetry" / "train"
    clean = audit.clean("train/train/songci_gbk.csv").decode("utf-8")
    assert clean == (folder / "songci_gbk.csv").read_bytes().decode("gbk")
    songci = [row[0] for row in rows_of(clean)[1:]]
    assert (len(songci), digest(songci)) == (584, SONGCI)
    clean = audit.clean("train/train/tangshi_big5.txt").decode("utf-8")
    assert clean == (folder / "tangshi_big5.txt").read_bytes().decode("big5")
    tangshi = clean.split("\n")[:-1]
    assert (len(tangshi), digest(tangshi)) == (368, TANGSHI)
    assert audit.finding("mixed-encoding", "train")["count"] == 584 + 368


def test_zh_poetry_blanks_private_use_leaks_and_genre(audited: Audited) -> None:
    audit = audited("zh_poetry")
    assert audit.finding("empty-text", "train")["count"] == 32
    assert audit.metric("private-use-chars.records.train") == 32
    assert audit.metric("private-use-chars.characters.train") == 34
    rare = audit.clean("train/train/tangshi_rare.jsonl").decode("utf-8")
    assert sum("\ue000" <= c <= "\uf8ff" for c in rare) == 34  # they are kept
    assert audit.finding("split-leakage", "val")["count"] == 2
    labels = audit.finding("label-shift", "val")
    assert all(genre in labels["message"] for genre in ("元曲", "唐詩", "宋词"))
    assert audit.finding("token-shift", "val")["severity"] == "error"


def test_zh_chat_messages_and_the_other_book(audited: Audited) -> None:
    audit = audited("zh_chat")
    assert audit.records() == {"train": 1175, "val": 236}
    source = (DEMO / "zh_chat" / "val.jsonl").read_text(encoding="utf-8").splitlines()
    lengths = [sum(len(m["content"]) for m in json.loads(line)["messages"]) for line in source]
    chars = {
        (row["split"], row["record"]): tokens["chars"]
        for row, tokens in zip(
            audit.table("records/records.parquet"),
            audit.table("tokens/tokens.parquet"),
            strict=True,
        )
    }
    assert [chars["val", i] for i in range(236)] == lengths  # of all messages together
    shift = audit.finding("token-shift", "val")
    assert shift["severity"] == "error"
    assert "秦" in shift["message"]  # states of the Warring States, whom the other book is about
