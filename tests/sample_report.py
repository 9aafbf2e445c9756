"""Reports to show: the full story of a spike, and the same page with less and less to say."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from corpusgate.model import (
    Chart,
    Example,
    Finding,
    Judgement,
    Note,
    Outcome,
    Report,
    Severity,
    Spike,
    SplitCount,
)

HOSTILE = (
    "</td><script>alert(1)</script><img src=x onerror=alert(1)> "
    "\x00\x1b[31m\x7f\x85\u200b\u202eevil\u2066\ufeff\u2028\ud800\U000e0041\ufdd0 `x` [a](http://e.x)"
)

PAGE = """# control-chars

## What it measures
Records that hold a control character (C0 but tab, line feed and carriage return, DEL, C1),
written out or as a JSON escape. The measure is `share`: flagged records of all records.

## Why it matters
A byte-level tokenizer spends a token on each, and a model that met them in a few batches only
shows it as a **loss spike**.

## Flagged
```jsonl
{"text": "play \\u0000\\u0000 jazz radio"}
```

## Passed
```jsonl
{"text": "play jazz radio"}
```

## Limits
- a form feed in source code is kept by policy
- what a control character *meant* cannot be told from the text
"""


def report() -> Report:
    """A gate that is shut, a cause that was found, hostile text in the examples."""
    return Report(
        title="spike",
        judgement=Judgement("fail", _outcomes()),
        splits={
            "train": SplitCount(13_084, 13_081, 3, 1_912_406),
            "val": SplitCount(700, 700, 0, 61_322),
        },
        findings=_findings(),
        states=_states(),
        metrics={
            "control-chars.share.train": 0.0491,
            "control-chars.share.val": 0.0,
            "duplicate.share.train": 0.0158,
            "length-shift.ks.val": 0.2113,
            "lossy-round-trip.share.train": 0.00199,
            "length-shift.wasserstein.val": 6.4,
            "mixed-encoding.share.train": 0.0396,
            "noisy-batch.effect.train": 3.412,
            "split-leakage.share.val": 0.0157,
            "token-shift.excess-bits.val": 0.114,
            "unknown-tokens.rate.train": math.nan,
        },
        cause=(
            "Twelve records with control characters cause the loss spike at step 171. Without "
            "them it is gone (4.1 instead of 7.5 bits per byte; 3.4 lower, p = 0.00005)."
        ),
        todo=(
            "Train on the clean copy `spike/clean/`: 642 records changed, none lost",
            "Take 11 leaked records out of val: `corpusgate explain split-leakage --from spike`",
            "Look at the 12 named records of step 171, below",
        ),
        charts=charts(),
        spikes=_spikes(),
        cleaning=(
            Note("control characters removed", "1,391", "in 642 records; 11 kinds, most NUL"),
            Note("zero-width characters removed", "87", "joiners that scripts and emoji need stay"),
        ),
        encodings=(
            ("train", "utf-8", 12_129, 0),
            ("train", "gb18030", 584, 2),
            ("train", "big5", 368, 1),
            ("val", "utf-8", 700, 0),
        ),
        tokenizer=(
            Note("records that come back exactly", "99.8 %", "26 lose a leading space"),
            Note("unknown tokens", "0", "byte-level: none can occur"),
            Note("tokens per byte, Latin", "0.27", "Han: 0.61"),
        ),
        account=_account(),
        pages={"control-chars": PAGE},
    )


def _outcomes() -> tuple[Outcome, ...]:
    error, warning = Severity.ERROR, Severity.WARNING
    return (
        Outcome("control-chars.share.train", "<=", 0.001, error, 0.0491, "fail"),
        Outcome("control-chars.share.val", "<=", 0.001, error, 0.0, "pass"),
        Outcome("length-shift.ks.val", "<=", 0.1, warning, 0.2113, "warn"),
        Outcome("noisy-batch.effect.train", "<=", 0.0, error, 3.412, "fail"),
        Outcome("split-leakage.share.val", "<=", 0.0, warning, 0.0157, "warn"),
    )


def _states() -> dict[str, str]:
    measured = (
        "control-chars duplicate empty-text invisible-chars label-shift length-shift "
        "lossy-round-trip mixed-encoding noisy-batch overlong-text replacement-chars "
        "special-token-in-text split-leakage token-shift undecodable-bytes"
    )
    rest = {"unknown-tokens": "not-run: the tokenizer has no unknown token"}
    return dict.fromkeys(measured.split(), "measured") | rest


def _findings() -> tuple[Finding, ...]:
    return (
        Finding(
            "control-chars",
            "train",
            Severity.ERROR,
            "642 of 13,084 records hold control characters; the worst holds 31.",
            value=0.0491,
            limit=0.001,
            count=642,
            examples=tuple(_dirty(i) for i in range(6)),
            remedy="Train on the clean copy, or remove them with `corpusgate clean`.",
        ),
        Finding(
            "noisy-batch",
            "train",
            Severity.ERROR,
            "12 of the 16 records of step 171 lift the loss by 3.4 bits per byte; random ones "
            "in their place do not (\u22120.02 to 0.05).",
            value=3.412,
            limit=0.0,
            count=12,
            examples=(
                Example(
                    90, "train.jsonl", 2741, 2742, 198_220, (("step", "171"), ("loss", "9.8")),
                    "play \x00\x00\x01 jazz \u200bradio",
                ),
            ),
            remedy="Drop the named records: `corpusgate ablate --without ablation/named.parquet`.",
        ),
        Finding(
            "length-shift",
            "val",
            Severity.WARNING,
            "val is longer than train: median 31 against 24 tokens, KS 0.21.",
            value=0.2113,
            limit=0.1,
            remedy="Sample train by `weights.parquet`; the drift falls to 0.04.",
        ),
        Finding(
            "split-leakage",
            "val",
            Severity.WARNING,
            "11 of 700 val records stand in train after normalising, 2 of them exactly.",
            value=0.0157,
            limit=0.0,
            count=11,
            examples=(
                Example(
                    7, "val.jsonl", 88, 89, 9_120, (("train", "train.jsonl:412"),),
                    "add this song to my Piano Ballads playlist",
                ),
            ),
            remedy="Take them out of val: `corpusgate explain split-leakage --from spike`.",
        ),
        Finding(
            "mixed-encoding",
            "train",
            Severity.INFO,
            "952 of 13,084 records were read from gb18030 and big5; 3 are unsure and set aside.",
            value=0.0396,
            count=952,
            examples=(
                Example(
                    5, "songci_gbk.csv", 87, 88, 9_120,
                    (
                        ("bytes", "b4 ba bb a8 c7 ef d4 c2"),
                        ("gb18030, 99.9 %", "\u6625\u82b1\u79cb\u6708"),
                        ("cp949, 0.1 %", "\ubd04\ud654\uc528\uc6d4"),
                    ),
                    "\u6625\u82b1\u79cb\u6708\u4f55\u65f6\u4e86\uff0c\u5f80\u4e8b\u77e5\u591a\u5c11",
                ),
            ),
        ),
        Finding(
            "lossy-round-trip",
            "train",
            Severity.INFO,
            "26 of 13,084 records do not come back from the tokenizer as they were.",
            value=0.00199,
            count=26,
            examples=(
                Example(
                    6, "train.jsonl", 12, 13, 1_204,
                    (
                        ("lost", "leading space"),
                        ("before", " Add \u201cd\u200b flame\u201d"),
                        ("after", "Add \"d flame\""),
                    ),
                    " Add \u201cd\u200b flame\u201d to the Dcode2016 playlist.",
                ),
            ),
        ),
    )  # fmt: skip


def _dirty(i: int) -> Example:
    texts = (
        "play \x00\x00\x01 jazz \u200bradio",
        "book a table\x00\x00\x00\x00\x00\x00 for four in \x1b[31mAthens",
        HOSTILE,
        "\u05e9\u05dc\u05d5\u05dd\x02 rate this \x0bbook 5 stars\u2026",
        "what\x07s the weather\r\nin \x7f\x7f Lesotho",
        "\u6dfb\u52a0\x00\u5230\u64ad\u653e\u5217\u8868",
    )
    text = texts[i]
    head = text[:8].encode("utf-8", "replace").hex(" ")
    evidence = (("U+0000", str(text.count("\x00") or 1)), ("bytes", head))
    return Example(i, "train.jsonl", 2741 + i, 2742 + i, 198_220 + 90 * i, evidence, text)


def _spikes() -> tuple[Spike, ...]:
    named = tuple(
        replace(_dirty(i), evidence=(("bits per byte", f"{9.8 - i / 5:.1f}"), ("q", "0.004")))
        for i in range(6)
    )
    return (
        Spike(
            "raw, file order",
            171,
            "data",
            "12 of its 16 records make the loss jump from 4.1 to 7.5 bits per byte; the same step "
            "with random records in their place does not spike.",
            p=5e-5,
            effect=3.4,
            interval=(3.1, 3.7),
            records=named,
            reasons=(
                Note(
                    "data", "in", "content p = 5e-5 (Holm, 300 steps); the probe was quiet before"
                ),
                Note(
                    "learning rate", "out", "a third of it leaves the spike at 98 % of its height"
                ),
                Note("label mix", "out", "z 8.9 after subtracting the strata, 9.1 before"),
                Note("order, numerics", "out", "no period; no overflow, no NaN"),
            ),
        ),
        Spike(
            "learning-rate pulse",
            96,
            "optimizer",
            "random records in its place spike too (61 to 132 % of its height), and the probe rose "
            "4 sd before: not the data.",
            p=0.41,
        ),
    )


def _account() -> tuple[Note, ...]:
    return (
        Note("bytes read", "1,973,728", "9 sources, decompressed"),
        Note("kept as they were", "1,948,011", "slices of the sources"),
        Note("edited", "25,462", "1,478 edits in `ledger.parquet`; each can be undone"),
        Note("set aside", "255", "3 records in `quarantine/`, with the reason"),
        Note("rebuilt from the outputs alone", "9 of 9 sources", "byte for byte"),
    )


def charts() -> tuple[Chart, ...]:
    """Loss with and without the named records, lengths, tokens, labels."""
    draw = random.Random(7)
    base = [4 + 2.4 / (1 + step / 38) + draw.gauss(0, 0.05) for step in range(300)]
    jump = {171: 3.4, 172: 2.1, 173: 1.2, 174: 0.7, 175: 0.3}
    loss = [(float(s), y + jump.get(s, 0.0), "all records") for s, y in enumerate(base)]
    loss += [
        (float(s), y + draw.gauss(0, 0.01), "without the 12 named") for s, y in enumerate(base)
    ]
    lengths = [
        (round(2 ** (i / 3), 2), round(math.exp(-(((i - mid) / 4.5) ** 2)) / 8, 5), split)
        for split, mid in (("train", 13.7), ("val", 15))
        for i in range(31)
    ]
    names = ("AddToPlaylist", "BookRestaurant", "GetWeather", "PlayMusic", "\u8bcd")
    labels = _shares(names, train=(0.31, 0.24, 0.18, 0.15, 0.12), val=(0.2,) * 5)
    words = (" the", " playlist", "<b>\u200b")
    tokens = _shares(words, train=(0.041, 0.022, 0.013), val=(0.029, 0.023, 0.031))
    return (
        Chart(
            "loss", "lines", "Loss of the proxy run",
            "With all records the loss jumps at step 171; without the 12 named it does not.",
            "step", "bits per byte", tuple(loss), ((171.0, "step 171: 12 of 16 records"),),
        ),
        Chart(
            "lengths", "steps", "Length", "val is longer: its median is 31 tokens against 24.",
            "tokens per record", "share of records", tuple(lengths), log_x=True,
        ),
        Chart(
            "labels", "bars", "Labels", "The most common labels are fewer in val (JSD 0.02).",
            "label", "share of records", labels,
        ),
        Chart(
            "tokens", "bars", "Tokens", "These three tokens differ most between train and val.",
            "token", "share of tokens", tokens,
        ),
    )  # fmt: skip


def _shares(
    names: tuple[str, ...], **splits: tuple[float, ...]
) -> tuple[tuple[str, float, str], ...]:
    return tuple(
        (name, value, split)
        for split, values in splits.items()
        for name, value in zip(names, values, strict=True)
    )


def passing() -> Report:
    """Nothing found, one split, nothing ablated."""
    held = Outcome("empty-text.share.train", "<=", 0.01, Severity.ERROR, 0.0, "pass")
    return Report(
        title="clean",
        judgement=Judgement("pass", (held,)),
        splits={"train": SplitCount(584, 584, 0, 120_310)},
        findings=(),
        states={
            "empty-text": "measured",
            "length-shift": "not-run: there is one split",
            "noisy-batch": "not-run: torch is not installed (pip install 'corpusgate[train]')",
            "lossy-round-trip": "not-requested",
        },
        metrics={"empty-text.share.train": 0.0},
        encodings=(("train", "utf-8", 584, 0),),
    )  # fmt: skip


def failing_to_measure() -> Report:
    """A metric that the policy limits was not measured."""
    outcome = Outcome("token-shift.excess-bits.val", "<=", 0.2, Severity.ERROR, None, "missing")
    return replace(passing(), title="error", judgement=Judgement("error", (outcome,)))


def empty() -> Report:
    """Nothing was read at all."""
    return Report("nothing", Judgement("empty"), {}, (), {}, {})
