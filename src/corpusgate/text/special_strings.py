"""Strings that tokenizers of published models turn into control tokens, found in plain text."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corpusgate.model import Block

# Each family as its makers publish it, in tokenizer.json, tokenizer_config.json or a paper.
_FAMILIES = (
    # GPT-2, ChatML, Llama 3, Phi-3, Qwen, StarCoder, harmony (gpt-oss), Command R: a name in
    # piped brackets. With a bare word between them only the words that are known: in physics
    # <|x|> is a mean.
    r"<\|[A-Za-z]+(?:_[A-Za-z0-9]+)+\|>",
    r"<\|(?:endoftext|endofprompt|startoftext|system|user|assistant|tool|observation|start|end"
    r"|message|channel|return|call|constrain|sep|pad|bos|eos|unk|mask|file|code)\|>",
    # DeepSeek: full-width bars, U+2581 between words
    "<\uff5c[^\uff5c<>\\s]{1,40}\uff5c>",
    # Llama 2 and Mistral: turns, system prompt, tools
    r"\[/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT)\]|<</?SYS>>",
    # BERT, ChatGLM
    r"\[(?:CLS|SEP|MASK|PAD|UNK|gMASK|unused\d+)\]",
    # SentencePiece, RoBERTa, T5, XLNet; the unknown words of word-level corpora
    r"</?s>|<(?:unk|UNK|pad|PAD|bos|eos|BOS|EOS|sep|cls|mask|extra_id_\d+)>",
    # Gemma; fill in the middle (SantaCoder, StarCoder)
    r"<(?:start_of_turn|end_of_turn|start_of_image|end_of_image|unused\d+)>",
    r"<fim_(?:prefix|middle|suffix|pad)>",
)
_STRINGS = re.compile("|".join(_FAMILIES).encode())

AMBIGUOUS = frozenset({"<s>", "</s>", "<mask>"})
"""Elements of HTML (struck text) and SVG too."""

_STRUCK = re.compile(r"<s>[^<>]*</s>")
_HTML = re.compile(
    r"</(?:a|b|i|p|u|td|tr|ul|ol|li|del|div|span|em|strong|table|h[1-6]|svg|mask)>|<(?:br|img)\b"
)


def special_strings(block: Block) -> Counter[tuple[int, str]]:
    """How often each special string stands in the texts of each readable record.

    One scan of the bytes of a block, spans and all that is between them.
    """
    order = np.argsort(block.span[:, 0], kind="stable")
    starts = block.span[order, 0]
    found: Counter[tuple[int, str]] = Counter()
    for hit in _STRINGS.finditer(block.view):
        at = int(np.searchsorted(starts, hit.start(), "right")) - 1
        if at < 0 or hit.end() > block.span[order[at], 1]:
            continue
        row = int(block.span_record[order[at]])
        if block.readable[row]:
            found[row, hit[0].decode()] += 1
    rows = {row for row, name in found if name in AMBIGUOUS}
    html = {row for row in rows if is_html(block.text(row))}
    for row, name in [key for key in found if key[0] in html and key[1] in AMBIGUOUS]:
        del found[row, name]
    return found


def is_html(text: str) -> bool:
    """Whether <s> and <mask> are elements in this text, by the company they keep.

    They are beside other tags, and so is <s> where each is closed again and other text
    stands around the struck: markers of a sentence enclose all of it, or have no partner.
    """
    if _HTML.search(text):
        return True
    rest, struck = _STRUCK.subn("", text)
    return bool(struck and rest.strip()) and "<s>" not in rest and "</s>" not in rest
