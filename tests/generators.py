"""Generators of small corpora that the pages of checks name: parameters to records by split.

A record is an object, or the bytes of a line. A split is written as `<split>.jsonl`; a name with
a dot in it is that of a file. Beside its generator's parameters a page may name a `tokenizer` of
`tokenizers_built`, a `context` in tokens, and a table `config`: sections of a corpusgate.toml.
"""

from __future__ import annotations

import random
from typing import Any

Corpus = dict[str, list[dict[str, Any] | bytes]]


# Texts as they are stated -----------------------------------------------------------------


def texts(params: dict[str, Any]) -> Corpus:
    """One split that holds `texts`."""
    return {params.get("split", "train"): [{"text": text} for text in params["texts"]]}


def lines(params: dict[str, Any]) -> Corpus:
    """One split whose file holds `lines` as they are."""
    return {params.get("split", "train"): [line.encode() for line in params["lines"]]}


def overlong(params: dict[str, Any]) -> Corpus:
    """Two short records and one of `bytes` bytes."""
    words = "a text that does not end "
    long = (words * (params["bytes"] // len(words) + 1))[: params["bytes"]]
    return {"train": [{"text": "short"}, {"text": long}, {"text": "short as well"}]}


# Splits that differ from train, or do not -------------------------------------------------


def length_shift(params: dict[str, Any]) -> Corpus:
    """Documents of `train` and `val` records; those of val are `factor` times as long."""
    draw = random.Random(params["seed"])

    def record(mean: float) -> dict[str, Any]:
        return {"text": " ".join(["word"] * max(1, round(draw.gauss(mean, mean / 4))))}

    train = [record(16) for _ in range(params["train"])]
    return {"train": train, "val": [record(16 * params["factor"]) for _ in range(params["val"])]}


def token_shift(params: dict[str, Any]) -> Corpus:
    """Documents of 20 to 80 words; the share `foreign` of val's in words that train lacks."""
    draw = random.Random(params["seed"])
    ranks = range(1, 401)
    weights = [1 / rank for rank in ranks]

    def record(stem: str) -> dict[str, Any]:
        words = draw.choices(ranks, weights, k=draw.randint(20, 80))
        return {"text": " ".join(f"{stem}{word}" for word in words)}

    foreign = round(params["val"] * params["foreign"])
    train = [record("w") for _ in range(params["train"])]
    val = [record("f" if i < foreign else "w") for i in range(params["val"])]
    return {"train": train, "val": val}


def label_shift(params: dict[str, Any]) -> Corpus:
    """Records labelled yes or no; `train_share` and `val_share` of them yes, shuffled."""
    draw = random.Random(params["seed"])

    def split(name: str) -> list[dict[str, Any]]:
        size = params[name]
        yes = round(size * params[f"{name}_share"])
        labels = ["yes"] * yes + ["no"] * (size - yes)
        draw.shuffle(labels)
        return [{"text": f"{name} {i:03d}", "label": label} for i, label in enumerate(labels)]

    return {"train": split("train"), "val": split("val")}


# Lines in stated encodings ----------------------------------------------------------------


def encoded_lines(params: dict[str, Any]) -> Corpus:
    """One split of JSON Lines: `lines` are [encoding, text], or ["hex", bytes of the text]."""

    def line(encoding: str, text: str) -> bytes:
        body = bytes.fromhex(text) if encoding == "hex" else text.encode(encoding)
        return b'{"text": "' + body + b'"}'

    return {params.get("split", "train"): [line(*pair) for pair in params["lines"]]}


# Orders of training ---------------------------------------------------------------------------

_VERBS = ("play", "find", "book", "add", "rate", "show", "call", "order", "open", "read")
_THINGS = (
    "the new album", "a quiet table", "some jazz", "my morning list", "the last chapter",
    "a cheap flight", "two tickets", "the weather map", "an old film", "the garden gate",
)  # fmt: skip
_PLACES = ("in Paris", "for tomorrow", "near the station", "by Friday", "at home", "on the coast")


def noisy_batch(params: dict[str, Any]) -> Corpus:
    """`steps` batches of 16 short requests; most records of those in `plant` hold controls."""
    draw = random.Random(params["seed"])

    def request() -> str:
        words = [draw.choice(_VERBS), draw.choice(_THINGS), draw.choice(_PLACES)]
        return " ".join([*words, draw.choice(("please", "now", "for me", "again", "if you can"))])

    def noise() -> str:
        return "".join(chr(draw.choice((*range(1, 9), *range(14, 32)))) for _ in range(60))

    records = []
    for step in range(params["steps"]):
        bad = 12 if step in params["plant"] else 0
        texts = [noise() if i < bad else request() for i in range(16)]
        draw.shuffle(texts)
        records += [{"text": text} for text in texts]
    return {"train": records}
