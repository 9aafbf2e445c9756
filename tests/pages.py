"""The pages of checks: their headings, and their examples run through the pipeline."""

from __future__ import annotations

import json
import re
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from unittest import mock

import generators
import tokenizers_built

from corpusgate import registry
from corpusgate.api.audit import audit
from corpusgate.api.build import judge
from corpusgate.api.evidence import Results, conclude, gather
from corpusgate.api.job import Job
from corpusgate.config import Config
from corpusgate.pipeline.records import RecordTables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from corpusgate.api.corpus import Corpus
    from corpusgate.model import Check, Evidence, Finding

HEADINGS = ("What it measures", "Why it matters", "Flagged", "Passed", "Limits")
EXAMPLES = ("Flagged", "Passed")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A section's example: files by name, and what the configuration says beside them."""

    check: str
    section: str
    files: Mapping[str, bytes]
    params: Mapping[str, Any]


def sections(page: str) -> dict[str, str]:
    """Text by heading, in order; the title has what stands before the first."""
    held: dict[str, str] = {}
    name = ""
    fenced = False
    for line in page.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        if not fenced and (found := re.match(r"#+ (.*)\n", line)):
            name = found[1]
            assert name not in held, f"two headings {name!r}"
            held[name] = ""
        else:
            held[name] += line
    return held


def example(check: str, section: str) -> Example:
    """The one example of a section."""
    [(kind, body)] = FENCE.findall(sections(registry.page(check))[section])
    if kind == "jsonl":
        files: dict[str, bytes] = {}
        for line in body.encode().splitlines(keepends=True):
            name = f"{json.loads(line).get('split', 'train')}.jsonl"
            files[name] = files.get(name, b"") + line
        return Example(check, section, files, {})
    assert kind == "toml", f"{check}: a fence of {kind}"
    params = tomllib.loads(body)
    made = getattr(generators, params["generator"])(params)
    named = {name if "." in name else f"{name}.jsonl": held for name, held in made.items()}
    return Example(check, section, {n: _lines(held) for n, held in named.items()}, params)


def _lines(records: list[Any]) -> bytes:
    lines = (r if isinstance(r, bytes) else json.dumps(r).encode() for r in records)
    return b"".join(line + b"\n" for line in lines)


def job_of(shown: Example, root: Path, options: Mapping[str, Any] | None = None) -> Job:
    """The job that audits an example, its files written below `root`."""
    for name, data in shown.files.items():
        path = root / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    table: dict[str, Any] = {**shown.params.get("config", {})}
    tokenize = {k: shown.params[k] for k in ("context",) if k in shown.params}
    if name := shown.params.get("tokenizer"):
        tokenize["tokenizer"] = str(tokenizers_built.write(name, root).resolve())
    if tokenize:
        table["tokenize"] = {**table.get("tokenize", {}), **tokenize}
    trained = registry.get(shown.check).needs == "ablate"
    spend = {"run": "on", "smoke": True} if trained else {"run": "off"}
    table["ablate"] = {**spend, **table.get("ablate", {})}
    if options:
        table["checks"] = {shown.check: dict(options)}
    return Job(((str(root / "data"), ""),), root / "audit", Config.of(table))


def audited(shown: Example, root: Path) -> tuple[list[Finding], str]:
    """The findings of an example's check in a whole audit, and its state."""
    report = audit(job_of(shown, root)).report
    found = [finding for finding in report.findings if finding.check == shown.check]
    return found, report.states[shown.check]


@contextmanager
def alone(kind: type[Check[Any]]) -> Iterator[None]:
    """No check but this one."""
    with mock.patch.object(registry, "checks", lambda: {kind.name(): kind}):
        yield


@dataclass(frozen=True)
class Measured:
    """What the stages left of an example, as its check alone asked for it."""

    job: Job
    corpus: Corpus
    results: Results

    @classmethod
    def of(cls, shown: Example, root: Path, options: Mapping[str, Any] | None = None) -> Measured:
        """Audit an example with its check alone."""
        with alone(registry.get(shown.check)):
            job = job_of(shown, root, options)
            corpus = audit(job).corpus
            return cls(job, corpus, gather(job, job.checks()))

    @cached_property
    def tables(self) -> RecordTables:
        """Opened once: a connection costs more than a conclusion."""
        return RecordTables(self.job.out)

    def outcome(self, check: Check[Any]) -> Outcome:
        """What a check concludes of it, and what the gate makes of that."""
        found, metrics, states = conclude([check], self.results, self.corpus, self.tables)
        judgement = judge(self.job, [check], metrics, states, self.corpus.documents, 0)
        told = frozenset((f.split, f.severity) for f in found)
        gate = frozenset((o.metric, o.severity, o.state) for o in judgement.outcomes)
        return Outcome(told, gate)


@dataclass(frozen=True)
class Outcome:
    """Findings as (split, severity), rules of the gate as (metric, severity, state)."""

    findings: frozenset[tuple[str, Any]]
    gate: frozenset[tuple[str, Any, str]]


class NoTables:
    """Records of which nothing is known."""

    def query(self, _sql: str, *_values: object) -> list[tuple[Any, ...]]:
        return []


def blind(evidence: Evidence[Any]) -> Evidence[Any]:
    """Evidence of which only the names of the splits are left."""
    return type(evidence)({}, evidence.rows, NoTables(), {"decode": ()}, {})
