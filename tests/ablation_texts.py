"""Training texts made from a small grammar, clean or with noise in some batches."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from corpusgate.pipeline.ablation.corpus import TrainingText

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BATCH = 16
_VERBS = ("play", "find", "book", "add", "rate", "show", "call", "order", "open", "read")
_THINGS = ("album", "table", "jazz", "list", "chapter", "flight", "ticket", "map", "film", "gate")
_PLACES = ("Paris", "tomorrow", "the station", "Friday", "home", "the coast", "Rome", "noon")
_KIND = ("new", "quiet", "old", "cheap", "last", "first", "blue", "small", "long", "other")
_CONTROLS = "\x00\x00\x00\x01\x02\x03\x07\x08\x0e\x1b\x1f"
_HAN = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"


def request(draw: random.Random) -> str:
    """A request to an assistant."""
    words = [draw.choice(_VERBS), "the", draw.choice(_KIND), draw.choice(_THINGS)]
    return " ".join([*words, "for", draw.choice(_PLACES), "at", str(draw.randrange(1, 13))])


def noise(draw: random.Random) -> str:
    """A request with control characters in it."""
    text = request(draw)
    for _ in range(4):
        at = draw.randrange(len(text))
        run = "".join(draw.choice(_CONTROLS) for _ in range(draw.randint(5, 10)))
        text = text[:at] + run + text[at:]
    return text


def han(draw: random.Random) -> str:
    """A line of Chinese characters."""
    return "".join(draw.choice(_HAN) for _ in range(draw.randint(10, 16)))


def text_of(
    raw: Sequence[str],
    *,
    stratum: Sequence[str] | None = None,
    checks: Sequence[Iterable[str]] | None = None,
    clean: Sequence[str | None] | None = None,
) -> TrainingText:
    """A text of one source; the ids are not the rows."""
    n = len(raw)
    return TrainingText(
        id=tuple(7 * i + 100 for i in range(n)),
        source=("a.jsonl",) * n,
        record=tuple(range(n)),
        line=tuple(range(1, n + 1)),
        offset=tuple(range(n)),
        stratum=tuple(stratum or ("Latn/en/a.jsonl",) * n),
        raw=tuple(raw),
        clean=tuple(raw if clean is None else clean),
        checks=tuple(frozenset(c) for c in checks or ((),) * n),
    )


def planted(steps: Sequence[int], total: int, seed: int = 1, bad: int = 12) -> TrainingText:
    """`total` batches in file order; `bad` records of those in `steps` hold control characters."""
    draw = random.Random(seed)
    raw, checks = [], []
    for step in range(total):
        spoilt = bad if step in steps else 0
        raw += [noise(draw) if i < spoilt else request(draw) for i in range(BATCH)]
        checks += [("control-chars",) if i < spoilt else () for i in range(BATCH)]
    clean = ["".join(c for c in t if c not in _CONTROLS) for t in raw]
    return text_of(raw, checks=checks, clean=clean)
