"""Which fields hold the text and the label, by option or by the names that data sets use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Path = tuple[str, ...]

# Field names of published data sets: GLUE and its kin (text, sentence, question), Alpaca
# (instruction, input, output), OpenAI fine-tuning (prompt/completion, messages), ShareGPT
# (conversations), preference pairs of TRL (prompt, chosen, rejected), and what Chinese tables
# call text and label. In order of choice.
SHAPES: tuple[tuple[str, ...], ...] = (
    ("text",),
    ("content",),
    ("sentence",),
    ("question",),
    ("instruction", "input", "output"),
    ("prompt", "completion"),
    ("prompt", "response"),
    ("prompt", "chosen", "rejected"),
    ("chosen", "rejected"),
    ("messages",),
    ("conversations",),
    ("文本",),
    ("内容",),
    ("正文",),
    ("句子",),
)
OPTIONAL = {"input"}
LABELS = ("label", "category", "标签", "类别")

TURNS = {
    "messages": (("messages", "*", "content"), ("messages", "*", "content", "*", "text")),
    "conversations": (("conversations", "*", "value"), ("conversations", "*", "content")),
}


def expand(fields: Iterable[str]) -> tuple[Path, ...]:
    """Paths of the strings behind field names; `*` stands for each element of a list.

    A dotted name goes into objects; the turns of a chat are found under its field's name.
    """
    paths: list[Path] = []
    for field in fields:
        if field in TURNS:
            paths += TURNS[field]
        else:
            path = tuple(field.replace("[]", ".*").split("."))
            paths += [path, (*path, "*"), (*path, "*", "content"), (*path, "*", "value")]
    return tuple(paths)


def find_text(records: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """The first shape whose fields some record holds, or nothing."""
    keys = {key for record in records for key in record}
    for shape in SHAPES:
        if all(name in keys or name in OPTIONAL for name in shape):
            return tuple(name for name in shape if name in keys)
    return ()


def find_label(records: Sequence[dict[str, Any]]) -> str:
    """The first usual label field that some record holds, or nothing."""
    keys = {key for record in records for key in record}
    return next((name for name in LABELS if name in keys), "")
