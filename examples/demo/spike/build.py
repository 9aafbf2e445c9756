"""Build the spike corpus: short requests with noise planted in a few batches of file order.

    python examples/demo/spike/build.py [--steps 70 90 ...] [--no-plant] [--out DIR]

Nothing but this script knows where the plant is: no list of it is written anywhere.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

HERE = Path(__file__).parent
STEPS = (64, 77, 90, 102, 113, 125, 137, 150, 163, 175, 188)
BATCH, TOTAL = 16, 200
NOISY, LEGACY = 14, 2
"""Noisy records of a planted batch, and how many of them are GBK: 11 batches of 14 are about
5 % of 3,200 records."""
LONGEST = 64
"""Characters of a request that is spoilt, so that it stays one slot of training."""
CHINESE = 0.12
"""Share of ordinary Chinese records (UTF-8), spread over the whole file."""
CONTROLS = (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 26, 28, 29)
SHORT = 14
"""Characters of a Chinese line: no longer in tokens than an English request."""


def requests(folder: Path) -> list[str]:
    """The English requests of en_intent, but the one record that is no UTF-8."""
    lines = (folder / "en_intent" / "train.jsonl").read_bytes().splitlines()
    return [json.loads(line)["text"] for line in lines if _is_utf8(line)]


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def sentences(folder: Path) -> list[str]:
    """Short Chinese sentences: the answers of zh_chat."""
    found = []
    for line in (folder / "zh_chat" / "train.jsonl").read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)["messages"][1]["content"]
        if len(answer) >= SHORT:
            found.append(answer[:SHORT])
    return found


def spoilt(text: str, draw: random.Random) -> bytes:
    """A request with runs of control characters in it, written as JSON escapes."""
    for _ in range(4):
        run = "".join(chr(draw.choice(CONTROLS)) for _ in range(draw.randint(6, 12)))
        at = draw.randint(0, len(text))
        text = text[:at] + run + text[at:]
    return json.dumps({"text": text}).encode()


def legacy(text: str) -> bytes:
    """A Chinese sentence as GBK bytes in an otherwise sound line of JSON."""
    return b'{"text": "' + text.encode("gb18030") + b'"}'


def lines(folder: Path, steps: tuple[int, ...], seed: int) -> list[bytes]:
    """The records, in the order that they are trained in."""
    draw = random.Random(seed)  # noqa: S311 (an example, not a secret)
    english, chinese = requests(folder), sentences(folder)
    draw.shuffle(english)
    brief = [text for text in english if len(text) <= LONGEST]
    spoil_from = brief[: len(steps) * NOISY]
    kept = set(spoil_from)
    english = [text for text in english if text not in kept]
    draw.shuffle(chinese)
    out = []
    for step in range(TOTAL):
        for place in range(BATCH):
            if step in steps and place < NOISY:
                spoil = place >= LEGACY
                out.append(spoilt(spoil_from.pop(), draw) if spoil else legacy(chinese.pop()))
            else:
                pile = chinese if draw.random() < CHINESE else english
                text = json.dumps({"text": pile.pop()}, ensure_ascii=False)
                out.append(text.encode())
    return out


def main() -> None:
    """Write train.jsonl."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, nargs="*", default=list(STEPS))
    parser.add_argument("--no-plant", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=HERE.parent)
    parser.add_argument("--out", type=Path, default=HERE)
    given = parser.parse_args()
    steps = () if given.no_plant else tuple(given.steps)
    given.out.mkdir(parents=True, exist_ok=True)
    built = lines(given.data, steps, given.seed)
    (given.out / "train.jsonl").write_bytes(b"".join(line + b"\n" for line in built))


if __name__ == "__main__":
    main()
