"""Law 10 for data: where nothing is wrong, no more is flagged than the checks say of themselves."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scipy.stats import binom

from corpusgate import registry
from corpusgate.api.audit import audit
from corpusgate.api.job import Job
from corpusgate.config import Config
from corpusgate.model import Severity
from corpusgate.pipeline.texts import normalised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corpusgate.model import Finding

DEMO = Path(__file__).parents[2] / "examples" / "demo"
Corpus = list[dict[str, str]]

# Sentences of the tests' own, in scripts that need joiners, marks and isolates: each is sound.
MINORITY = (
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u06a9\u062a\u0627\u0628\u200c\u0647\u0627",
    "\u0915\u094d\u200d\u0937 \u0930\u094d\u200d\u092f \u0939\u093f\u0928\u094d\u0926\u0940",
    "\u0e2d\u0e32\u0e01\u0e32\u0e28\u0e14\u0e35\u0e27\u0e31\u0e19\u0e19\u0e35\u0e49",
    "\u1781\u17d2\u1789\u17bb\u17c6\u200b\u179f\u17d2\u179a\u17a1\u17b6\u1789\u17cb",
    "\u05d4\u05d5\u05d0 \u05d0\u05de\u05e8 \u2067C++\u2069 \u05d5\u05d4\u05dc\u05da",
    "\u1019\u103c\u1014\u103a\u1019\u102c\u1005\u102c",
    "\u041f\u043e\u0433\u043e\u0434\u0430 \u0441\u0435\u0433\u043e\u0434\u043d\u044f",
    "\u4eca\u5929\u5929\u6c23\u5f88\u597d\uff0c\u8fd9\u91cc\u4e0d\u51b7\u3002",
    "Ti\u1ebfng Vi\u1ec7t c\u00f3 d\u1ea5u, fran\u00e7ais, \u010de\u0161tina, \u0131\u015f\u0131k",
    "\U0001f469\U0001f3fd\u200d\U0001f4bb \u2764\ufe0f\u200d\U0001f525 \U0001f3f3\ufe0f",
)


def unlike(records: Iterable[dict[str, Any]]) -> Corpus:
    """Texts that say something, each once."""
    held = {}
    for record in records:
        text = record["text"].strip()
        if text and "\ufffd" not in text:
            held.setdefault(normalised(text), {"text": text, "label": record["label"].strip()})
    return list(held.values())


def jsonl(*names: str) -> Iterable[dict[str, Any]]:
    for name in names:
        for line in (DEMO / name).read_text("utf-8", "replace").splitlines():
            record = json.loads(line, strict=False)
            yield {"text": record["text"], "label": record.get("label", "")}


def requests() -> Corpus:
    return unlike(jsonl("en_intent/train.jsonl"))


def questions() -> Corpus:
    with (DEMO / "en_bank" / "train.csv").open(encoding="utf-8", newline="") as file:
        return unlike(
            {"text": row["text"], "label": row["category"]} for row in csv.DictReader(file)
        )


def poems() -> Corpus:
    return unlike(jsonl("zh_poetry/train/yuanqu.jsonl", "zh_poetry/val/poetry.jsonl"))


def minority() -> Corpus:
    """English requests; one in twenty-five stands in another language."""
    held = requests()[:960]
    for number in range(40):
        text = f"{MINORITY[number % len(MINORITY)]} {number}"
        held.append({"text": text, "label": held[number]["label"]})
    return held


CORPORA: dict[str, Callable[[], Corpus]] = {
    "requests": requests, "questions": questions, "poems": poems, "minority": minority,
}  # fmt: skip
SEEDS = range(5)


def judged(root: Path, train: Corpus, val: Corpus) -> list[Finding]:
    """The findings above info of an audit of two splits."""
    for name, records in (("train", train), ("val", val)):
        path = root / "data" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    config = Config.of({"ablate": {"run": "off"}})
    report = audit(Job(((str(root / "data"), ""),), root / "audit", config)).report
    assert {"token-shift", "label-shift", "length-shift"} <= {
        name for name, state in report.states.items() if state == "measured"
    }
    return [finding for finding in report.findings if finding.severity > Severity.INFO]


def halves(corpus: Corpus, seed: int) -> tuple[Corpus, Corpus]:
    """400 records for train and 200 for val, at random."""
    drawn = random.Random(seed).sample(corpus, 600)
    return drawn[:400], drawn[400:]


def stated() -> float:
    """The share of sound audits of two splits in which some check is said to raise an alarm."""
    return sum(getattr(kind(), "p_limit", 0.0) for kind in registry.checks().values())


def test_halves_of_one_corpus_are_flagged_no_oftener_than_stated(tmp_path: Path) -> None:
    alarms = {}
    for name, load in CORPORA.items():
        corpus = load()
        for seed in SEEDS:
            found = judged(tmp_path / f"{name}-{seed}", *halves(corpus, seed))
            alarms[name, seed] = [(finding.check, finding.message) for finding in found]
    # as many as come by chance once in a thousand times
    most = binom.ppf(0.999, len(alarms), stated())
    assert sum(map(bool, alarms.values())) <= most, alarms
    # only the checks that rest on chance may be wrong by it
    wrong = {check for found in alarms.values() for check, _ in found}
    assert all(hasattr(registry.get(check)(), "p_limit") for check in wrong), alarms


@pytest.mark.parametrize("seed", SEEDS)
def test_a_minority_is_not_noise(tmp_path: Path, seed: int) -> None:
    corpus = minority()
    draw = random.Random(seed)
    few = draw.sample(corpus[960:], 20)
    train, _ = halves(corpus[:960], seed)
    path = tmp_path / "data" / "train.jsonl"
    path.parent.mkdir()
    records = draw.sample([*train, *few], len(train) + len(few))
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), "utf-8")
    config = Config.of({"ablate": {"run": "off"}})
    report = audit(Job(((str(path), ""),), tmp_path / "audit", config)).report
    assert [finding.message for finding in report.findings] == []
    assert (tmp_path / "audit" / "clean" / "train" / path.name).read_bytes() == path.read_bytes()


def test_halves_that_differ_are_flagged(tmp_path: Path) -> None:
    """The same corpora, parted otherwise than at random: the alarms are not asleep."""
    for name, load in CORPORA.items():
        ordered = sorted(load(), key=lambda record: (len(record["text"]), record["text"]))[:600]
        found = judged(tmp_path / name, ordered[:400], ordered[400:])
        assert {"length-shift"} <= {finding.check for finding in found}
    mixed = minority()
    found = judged(tmp_path / "languages", mixed[:400], [*mixed[400:560], *mixed[960:]])
    assert "token-shift" in {finding.check for finding in found}
