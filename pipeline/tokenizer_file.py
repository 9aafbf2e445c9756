"""Load a tokenizer.json for measuring, and call it so that no text can take the run down."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from corpusgate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokenizers import Tokenizer

    A = TypeVar("A")
    B = TypeVar("B")

# The largest published tokenizer.json known is Gemma 3's, 33 MB; a weights file named by
# mistake is larger than eight times that.
MAX_BYTES = 256 * 2**20

_CALM = {
    # Engines map units to processes, so a thread pool inside each would only fork badly
    # (huggingface/tokenizers, bindings/python/src/lib.rs, child_after_fork).
    "TOKENIZERS_PARALLELISM": "false",
    "RUST_BACKTRACE": "0",
}

# An added token that is not declared special is markup only if it looks like it: a word or
# a run of spaces that was added to the vocabulary (Gemma 3 has 62) is text.
_MARKUP = re.compile(r"[<\[{].*[>\]}]", re.DOTALL)


@dataclass(frozen=True)
class Crash:
    """What a call gave instead of a result."""

    reason: str


@dataclass(frozen=True, eq=False)
class Loaded:
    """A tokenizer and what its file says of it; a value, though its engine is not frozen."""

    path: str
    sha256: str
    vocabulary: int
    """Entries, added tokens counted."""
    unknown: int
    """Id of the unknown token; -1 if it has none."""
    unknown_token: str
    special: Mapping[int, str]
    """Ids that a trainer takes for commands, with the strings that become them."""
    template: int
    """Tokens that its template adds to a text (BOS, CLS, ...)."""
    switched_off: tuple[str, ...]
    """Settings of the file that would have hidden what is measured."""
    engine: Tokenizer

    def facts(self) -> dict[str, object]:
        """What is told of it, the same wherever its file lies."""
        return {
            "file": Path(self.path).name,
            "sha256": self.sha256,
            "vocabulary": self.vocabulary,
            "unknown_token": self.unknown_token,
            "special_tokens": len(self.special),
            "template_tokens": self.template,
            "switched_off": list(self.switched_off),
        }

    def encode(self, texts: list[str], *, plain: bool = False) -> list[list[int] | Crash]:
        """Ids of each text, as a trainer's call gives them; no template is added.

        Args:
            texts: the texts.
            plain: read special tokens in the text as the characters they are made of.
        """

        def batch(items: list[str]) -> list[list[int]]:
            encodings = self.engine.encode_batch_fast(items, add_special_tokens=False)
            return [encoding.ids for encoding in encodings]

        with _calm():
            self.engine.encode_special_tokens = plain
            return _each(batch, texts)

    def decode(self, ids: list[list[int]]) -> list[str | Crash]:
        """The text of each list of ids, special tokens kept."""

        def batch(items: list[list[int]]) -> list[str]:
            return self.engine.decode_batch(items, skip_special_tokens=False)

        with _calm():
            return _each(batch, ids)


def load(path: str | os.PathLike[str]) -> Loaded:
    """Load a tokenizer.json.

    Raises:
        InputError: slug "tokenizer-unreadable"; the message names path, reason and remedy.
    """
    content = _read(Path(path))
    try:
        text = content.decode("utf-8-sig")
        facts = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, f"it is not JSON ({error})") from error
    if not isinstance(facts, dict) or not isinstance(facts.get("model"), dict):
        raise _unreadable(path, "it is JSON without a tokenizer's model")
    switched_off = tuple(_switch_off(facts))
    engine = _engine(path, json.dumps(facts) if switched_off else text)
    unknown_token, unknown = _unknown(facts["model"], engine)
    added = engine.get_added_tokens_decoder()
    _refuse_emptied(path, added.values(), engine)
    return Loaded(
        path=os.fspath(path),
        sha256=hashlib.sha256(content).hexdigest(),
        vocabulary=engine.get_vocab_size(),
        unknown=unknown,
        unknown_token=unknown_token,
        special={
            id_: token.content
            for id_, token in sorted(added.items())
            if id_ != unknown and _is_command(token.content, special=token.special)
        },
        template=engine.num_special_tokens_to_add(is_pair=False),
        switched_off=switched_off,
        engine=engine,
    )


def _unreadable(path: str | os.PathLike[str], reason: str, remedy: str = "") -> InputError:
    remedy = remedy or "give the tokenizer.json that `save_pretrained` of transformers writes"
    message = f"{os.fspath(path)}: no tokenizer: {' '.join(reason.split())}; {remedy}"
    return InputError("tokenizer-unreadable", message)


def _read(path: Path) -> bytes:
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            inside = path / "tokenizer.json"
            remedy = f"give the file {inside}" if inside.is_file() else ""
            raise _unreadable(path, "it is a directory", remedy)
        if not stat.S_ISREG(found.st_mode):
            raise _unreadable(path, "it is not a regular file")
        if found.st_size > MAX_BYTES:
            size = f"{found.st_size / 2**20:,.0f} MiB are more than {MAX_BYTES // 2**20}"
            raise _unreadable(path, f"{size}, the most that is read")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _unreadable(path, f"{reason[0].lower()}{reason[1:]}") from error


def _switch_off(facts: dict[str, Any]) -> Iterator[str]:
    """Take out of a tokenizer's file what would hide text from the measurement."""
    for name in ("truncation", "padding"):
        if isinstance(setting := facts.get(name), dict):
            facts[name] = None
            length = setting.get("max_length")
            yield f"{name} at {length} tokens" if length else name
    decoder = facts.get("decoder")
    parts = [decoder, *decoder.get("decoders", ())] if isinstance(decoder, dict) else []
    for part in parts:
        if isinstance(part, dict) and part.get("cleanup"):
            part["cleanup"] = False
            yield "clean-up of spaces when decoding"


def _engine(path: str | os.PathLike[str], text: str) -> Tokenizer:
    from tokenizers import Tokenizer

    with _calm():
        made = _each(lambda texts: [Tokenizer.from_str(t) for t in texts], [text])[0]
    if isinstance(made, Crash):
        raise _unreadable(path, f"the tokenizers library says: {made.reason}")
    return made


def _refuse_emptied(path: str | os.PathLike[str], added: Iterable[Any], engine: Tokenizer) -> None:
    """Refuse an added token that matches everywhere: it panics or takes all memory.

    See huggingface/tokenizers#1349.
    """
    for token in added:
        seen = token.content
        if token.normalized and engine.normalizer is not None:
            seen = engine.normalizer.normalize_str(seen)
        if not seen:
            reason = f"its normalizer leaves nothing of its added token {token.content!a}"
            raise _unreadable(path, reason, 'set "normalized": false for that token')


def _unknown(model: dict[str, Any], engine: Tokenizer) -> tuple[str, int]:
    """The unknown token and its id: named in most models, numbered in Unigram's."""
    if model.get("type") == "Unigram" or "unk_id" in model:
        number = model.get("unk_id")
        return ("", -1) if number is None else (engine.id_to_token(number) or "", number)
    token = model.get("unk_token") or ""
    number = engine.token_to_id(token) if token else None
    return ("", -1) if number is None else (token, number)


def _is_command(content: str, *, special: bool) -> bool:
    return bool(content.strip()) and (special or bool(_MARKUP.fullmatch(content)))


@contextmanager
def _calm() -> Iterator[None]:
    """Call the Rust side on this thread alone, its panics in one line."""
    before = {name: os.environ.get(name) for name in _CALM}
    os.environ.update(_CALM)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _each(call: Callable[[list[A]], list[B]], items: list[A]) -> list[B | Crash]:
    """Results of one call for all items, or of a call for each if that one fails."""
    try:
        return list(call(items))
    except BaseException as error:  # a panic of the Rust side is no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError)):
            raise
        if len(items) == 1:
            return [Crash(f"{type(error).__name__}: {error}")]
    return [result for item in items for result in _each(call, [item])]
