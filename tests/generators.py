"""Generators of small corpora that the pages of checks name: parameters to records by split."""

from __future__ import annotations

import random
from typing import Any

Corpus = dict[str, list[dict[str, Any]]]


# Texts as they are stated -----------------------------------------------------------------


def texts(params: dict[str, Any]) -> Corpus:
    """One split that holds `texts`."""
    return {params.get("split", "train"): [{"text": text} for text in params["texts"]]}


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
