"""Small tokenizers, each the text of a tokenizer.json, built on the spot.

Vocabularies of published models are not ours to ship; these have the same parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

UNK, PIECE_UNK = "[UNK]", "<unk>"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SIGNS = "0123456789.,;:!?'\"()[]<>/|_-{}"


def _byte_level() -> Tokenizer:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("t", "h"), ("th", "e"), ("\u0120", "the"), ("i", "n"), ("\u0120", "a")]
    pieces = [*alphabet, *(left + right for left, right in merges)]
    made = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return made


def byte_bpe() -> Tokenizer:
    """Byte-level BPE, as in GPT-2: exact on any text."""
    return _byte_level()


def nfc() -> Tokenizer:
    """Byte-level BPE behind NFC, as in Qwen."""
    made = _byte_level()
    made.normalizer = normalizers.NFC()
    return made


def nfkc() -> Tokenizer:
    """Byte-level BPE behind NFKC, as in Claude's published one."""
    made = _byte_level()
    made.normalizer = normalizers.NFKC()
    return made


def chat() -> Tokenizer:
    """Byte-level BPE with commands, two of them not declared special, and a run of spaces."""
    made = _byte_level()
    made.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    made.add_tokens(["<tool_call>", "</tool_call>", "    ", "corpus"])
    return made


def wordpiece() -> Tokenizer:
    """WordPiece as in BERT uncased, its file set to cut at 8 tokens and to pad."""
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [*names, *LETTERS, *(f"##{letter}" for letter in LETTERS + SIGNS), *SIGNS]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token=UNK))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece(cleanup=True)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.add_special_tokens(names)
    made.enable_truncation(8)
    made.enable_padding(length=8)
    return made


def panicking() -> Tokenizer:
    """Byte-level BPE behind a pattern whose search panics on 40 a's before a b."""
    made = _byte_level()
    slow = pre_tokenizers.Split(Regex("(a|aa)+$"), "isolated")
    made.pre_tokenizer = pre_tokenizers.Sequence([slow, made.pre_tokenizer])
    return made


def erring() -> Tokenizer:
    """WordPiece that has no unknown token in its vocabulary: it raises on what it lacks."""
    made = Tokenizer(models.WordPiece({letter: i for i, letter in enumerate(LETTERS)}))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


def emptied() -> Tokenizer:
    """WordPiece with an added token of which its normalizer leaves nothing.

    It panics on a pound sign and takes all memory on "a" (huggingface/tokenizers#1349).
    """
    made = wordpiece()
    made.add_tokens(["aaaa", "eg", "deb", "\u200c", "ccfc"])
    return made


def unigram() -> Tokenizer:
    """Unigram with metaspace, as SentencePiece makes them: unknown beyond its letters."""
    pieces = [("<unk>", 0.0), ("\u2581", -2.0), ("\u2581the", -3.0)]
    pieces += [(letter, -4.0) for letter in LETTERS + LETTERS.upper() + SIGNS]
    made = Tokenizer(models.Unigram(pieces, unk_id=0))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.add_special_tokens(["<unk>", "<s>", "</s>"])
    return made


def prefixing() -> Tokenizer:
    """BPE with byte fallback that puts a space before each stretch, as in Llama 2."""
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += ["\u2581", *LETTERS]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    made = Tokenizer(models.BPE(vocabulary, [], unk_token=PIECE_UNK, byte_fallback=True))
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    )
    made.decoder = decoders.Sequence(
        [
            decoders.Replace("\u2581", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    made.add_special_tokens(
        [AddedToken(name, normalized=False, special=True) for name in ("<unk>", "<s>", "</s>")]
    )
    return made


def alphabetless() -> Tokenizer:
    """BPE without unknown token or byte fallback: what it does not know is dropped."""
    made = Tokenizer(models.BPE({letter: i for i, letter in enumerate(LETTERS + " ")}, []))
    made.decoder = decoders.Fuse()
    return made


BUILT: dict[str, Callable[[], Tokenizer]] = {
    "byte-bpe": byte_bpe,
    "nfc": nfc,
    "nfkc": nfkc,
    "chat": chat,
    "wordpiece": wordpiece,
    "panicking": panicking,
    "erring": erring,
    "emptied": emptied,
    "unigram": unigram,
    "prefixing": prefixing,
    "alphabetless": alphabetless,
}


def tokenizer_json(name: str) -> str:
    """The text of a tokenizer.json."""
    return BUILT[name]().to_str()


def write(name: str, folder: Path) -> Path:
    """Write a tokenizer.json into a folder."""
    path = folder / f"{name}.json"
    path.write_text(tokenizer_json(name), encoding="utf-8")
    return path
