"""Excerpts: what the records behind findings look like, read from their sources by place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corpusgate.pipeline.views import View, views
from corpusgate.text.visible import is_hidden

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corpusgate.api.corpus import Corpus
    from corpusgate.api.job import Job
    from corpusgate.model import Example, Finding, Spike

AROUND = 60
"""Characters shown on either side of what is to be seen."""
HEX_BYTES = 16

Key = tuple[str, str, int]


def wanted_of(findings: Iterable[Finding], spikes: Iterable[Spike], split: str) -> set[Key]:
    """(split, source, record) of every example."""
    keys = {(f.split, e.source, e.record) for f in findings for e in f.examples}
    return keys | {(split, e.source, e.record) for spike in spikes for e in spike.records}


def fetch(job: Job, corpus: Corpus, wanted: set[Key]) -> dict[Key, View]:
    """The views of records."""
    by_source: dict[str, set[int]] = {}
    for split, source, record in wanted:
        by_source.setdefault(f"{split}/{source}", set()).add(record)
    work = corpus.work(job, ("decode", "clean"))
    found = views(corpus.paths, corpus.profiles, work, by_source)
    return {(view.split, view.source, view.record): view for view in found}


def shown(finding: Finding, held: dict[Key, View]) -> Finding:
    """A finding with the excerpts of its examples."""
    examples = tuple(
        with_excerpt(e, held.get((finding.split, e.source, e.record)), finding.check)
        for e in finding.examples
    )
    return replace(finding, examples=examples)


def shown_spikes(spikes: Sequence[Spike], held: dict[Key, View], split: str) -> tuple[Spike, ...]:
    """Spikes with the excerpts of their records, as the trainer was fed them."""
    out = []
    for spike in spikes:
        records = tuple(
            _raw_excerpt(e, held.get((split, e.source, e.record))) for e in spike.records
        )
        out.append(replace(spike, records=records))
    return tuple(out)


def _raw_excerpt(example: Example, view: View | None) -> Example:
    if view is None:
        return example
    return replace(example, excerpt=_cut(view.raw, _first_odd(view.raw)))


def with_excerpt(example: Example, view: View | None, check: str) -> Example:
    """An example with the text around what its check is about, and its bytes where they count."""
    if view is None:
        return example
    text = view.raw if view.text is None else view.text
    evidence = example.evidence
    if check in {"undecodable-bytes", "mixed-encoding"}:
        evidence = (*evidence, ("bytes", _hex(view.data)))
        if check == "undecodable-bytes" and view.text is not None:
            evidence = (*evidence, (f"read as {view.encoding}", _cut(view.text, 0)))
            text = view.raw
    if check == "broken-record":
        text = view.data.decode("utf-8", "replace")
    return replace(example, excerpt=_cut(text, _first_odd(text)), evidence=evidence)


def _first_odd(text: str) -> int:
    return next((i for i, c in enumerate(text) if c == "\ufffd" or _odd(c)), 0)


def _odd(char: str) -> bool:
    return char not in "\n\t\r" and is_hidden(char)


def _cut(text: str, at: int) -> str:
    start, end = max(at - AROUND, 0), at + AROUND
    before = "\u2026" if start else ""
    return before + text[start:end] + ("\u2026" if end < len(text) else "")


def _hex(data: bytes) -> str:
    """The bytes around the first that is no UTF-8."""
    try:
        data.decode("utf-8")
        at = 0
    except UnicodeDecodeError as error:
        at = error.start
    start = max(at - HEX_BYTES // 4, 0)
    piece = data[start : start + HEX_BYTES]
    return piece.hex(" ") + (" \u2026" if start + HEX_BYTES < len(data) else "")
