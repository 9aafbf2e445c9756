"""Generated sources: well-formed, dirty, mutated, in every stream format and container."""

import bz2
import csv
import gzip
import io
import json
import lzma

import zstandard
from hypothesis import strategies as st

HOSTILE = (
    "\x00", "\x01", "\x08", "\x0b", "\x0c", "\x1b[31m", "\x7f", "\x85", "\x9f", "\ufeff",
    "\u200b", "\u200d", "\u200c", "\u202e", "\u2066", "\u2028", "\u2029", "\U000e0041",
    "\ufffd", "\ue000", "\uffff", "\U0001f468\u200d\U0001f469", "\u0646\u0645\u06cc\u200c",
    '"', '""', ",", "\\", "\t", "'",
)  # fmt: skip
WORDS = (
    "train",
    "the",
    "model",
    "\u6a21\u578b",
    "\u8bad\u7ec3",
    "\u6570\u636e",
    "\u00e9t\u00e9",
    "\u043c\u0438\u0440",
    "",
)

piece = st.one_of(st.sampled_from(HOSTILE), st.sampled_from(WORDS), st.text(max_size=4))
dirty = st.lists(piece, max_size=6).map(lambda parts: " ".join(parts).replace("\n", " "))
free = st.lists(st.one_of(piece, st.just("\n"), st.just("\r\n")), max_size=6).map("".join)
CODECS = ("utf-8", "gb18030", "cp1252", "shift_jis", "cesu-8")


def encoded(text, codec):
    """The bytes of a text; what a codec lacks is left out."""
    if codec == "cesu-8":
        pairs = text.encode("utf-16-le", "surrogatepass")
        units = [pairs[i : i + 2] for i in range(0, len(pairs), 2)]
        return b"".join(
            u.decode("utf-16-le", "surrogatepass").encode("utf-8", "surrogatepass") for u in units
        )
    return text.encode(codec, "ignore")


@st.composite
def jsonl(draw):
    lines = []
    for _ in range(draw(st.integers(0, 7))):
        text = draw(free)
        record = {"id": draw(st.integers(0, 2**70)), "text": text, "label": draw(dirty)}
        line = json.dumps(record, ensure_ascii=draw(st.booleans()))
        if draw(st.integers(0, 5)) == 0:
            line = line.replace("\\u0000", "\x00")
        if draw(st.integers(0, 7)) == 0:
            line = line[: len(line) // 2]
        data = encoded(line, draw(st.sampled_from(CODECS)))
        lines.append(data)
    ends = [draw(st.sampled_from([b"\n", b"\r\n", b"\n\n", b"\n  \n"])) for _ in lines]
    return joined(lines, ends, last=draw(st.booleans()))


@st.composite
def text(draw):
    codecs = st.sampled_from(CODECS)
    lines = [encoded(draw(dirty), draw(codecs)) for _ in range(draw(st.integers(0, 7)))]
    ends = [draw(st.sampled_from([b"\n", b"\r\n", b"\n\n"])) for _ in lines]
    return joined(lines, ends, last=draw(st.booleans()))


@st.composite
def table(draw):
    out = io.StringIO()
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    writer = csv.writer(out, quoting=quoting, lineterminator=end)
    writer.writerow(["text", "label"])
    for _ in range(draw(st.integers(0, 6))):
        writer.writerow(
            [draw(free).replace("\x00", draw(st.sampled_from(["", "\x01"]))), draw(dirty)]
        )
    data = encoded(out.getvalue(), draw(st.sampled_from(CODECS)))
    return data.replace(b"\x01", b"\x00") if draw(st.booleans()) else data


@st.composite
def array(draw):
    records = [
        {"text": draw(free), "n": draw(st.integers())} for _ in range(draw(st.integers(0, 6)))
    ]
    indent = draw(st.sampled_from([None, 1]))
    return json.dumps(records, ensure_ascii=draw(st.booleans()), indent=indent).encode("utf-8")


def joined(lines, ends, *, last):
    data = b"".join(line + end for line, end in zip(lines, ends, strict=True))
    return data if last or not ends else data[: len(data) - len(ends[-1])]


@st.composite
def mutated(draw, source):
    data = bytearray(draw(source))
    for _ in range(draw(st.integers(0, 3))):
        if not data:
            break
        at = draw(st.integers(0, len(data) - 1))
        kind = draw(st.sampled_from(["flip", "cut", "insert", "end"]))
        if kind == "flip":
            data[at] = draw(st.integers(0, 255))
        elif kind == "cut":
            del data[at : at + draw(st.integers(1, 5))]
        elif kind == "insert":
            data[at:at] = draw(st.binary(max_size=6))
        else:
            del data[at:]
    return bytes(data)


@st.composite
def wide(draw, source):
    codec = draw(st.sampled_from(["utf-16", "utf-16-le", "utf-32"]))
    mark = b"\xff\xfe" if codec == "utf-16-le" else b""
    body = draw(source).decode("utf-8", "replace").encode(codec, "surrogatepass")
    return mark + body + draw(st.sampled_from([b"", b"", b"x"]))


FORMATS = {"jsonl": jsonl(), "txt": text(), "csv": table(), "json": array()}
CONTAINERS = {
    "": lambda data: data,
    ".gz": lambda data: (
        gzip.compress(data[: len(data) // 2]) + gzip.compress(data[len(data) // 2 :])
    ),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
}


@st.composite
def sources(draw):
    """(file name, bytes of the stream, bytes of the file)."""
    suffix = draw(st.sampled_from(sorted(FORMATS)))
    base = FORMATS[suffix]
    shape = draw(st.sampled_from(["plain", "plain", "mutated", "bom", "wide"]))
    if shape == "mutated":
        stream = draw(mutated(base))
    elif shape == "bom":
        stream = b"\xef\xbb\xbf" + draw(base)
    elif shape == "wide":
        stream = draw(wide(base))
    else:
        stream = draw(base)
    packed = draw(st.sampled_from(["", "", *sorted(CONTAINERS)]))
    return f"data.{suffix}{packed}", stream, CONTAINERS[packed](stream)
