"""Containers: a compressed file as the stream of its bytes, with what was wrong on the way."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections import deque
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MAGIC = {
    b"\x1f\x8b": "gz",
    b"\x28\xb5\x2f\xfd": "zst",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
}
"""First bytes of each container (RFC 1952, RFC 8878, bzip2 and xz format descriptions)."""

SUFFIXES = {".gz": "gz", ".zst": "zst", ".bz2": "bz2", ".xz": "xz"}
CHUNK = 1 << 18
BURST = 1 << 20
"""Bytes that one step of a decompressor may give."""
SIP = 1 << 12
"""Bytes of zstd that are decompressed at once: its steps cannot be bounded otherwise."""
BROKEN = (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError)
BOMB_FLOOR = 16 << 20
"""Decompressed bytes below which no ratio is held against a file."""


def container_of(head: bytes) -> str:
    """Name of the container whose magic bytes `head` begins with, or "plain"."""
    return next((name for magic, name in MAGIC.items() if head.startswith(magic)), "plain")


def _decompressor(container: str) -> Any:
    if container == "gz":
        return zlib.decompressobj(wbits=31)
    if container == "bz2":
        return bz2.BZ2Decompressor()
    if container == "xz":
        return lzma.LZMADecompressor()
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj()


class Stream:
    """Reads the decompressed bytes of a file, over several members or frames.

    A broken container does not raise: reading ends at the last good byte and `fault` names
    what is wrong ("truncated", "corrupt", "ratio").

    Args:
        path: the file.
        max_ratio: limit of decompressed to compressed bytes; see ReadOptions.
    """

    def __init__(self, path: Path, max_ratio: int = 0) -> None:
        self._file: BinaryIO = path.open("rb", buffering=0)
        head = self._file.read(8)
        self._file.seek(0)
        self.container = container_of(head)
        self.fault = ""
        self.offset = 0
        self._max_ratio = max_ratio
        self._taken = 0
        self._ended = False
        self._held: deque[bytes] = deque()
        self._have = self._at = 0
        """Bytes held and not given out; how far the first of them is given out."""
        self._input = b""
        self._inner = None if self.container == "plain" else _decompressor(self.container)
        self._fresh = True

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, fewer only at the end of the stream."""
        while self._have < size and not self._ended:
            self._more(min(max(size - self._have, CHUNK), 4 << 20))
        parts, left = [], min(size, self._have)
        while left:
            part = self._held[0][self._at : self._at + left]
            parts.append(part)
            left -= len(part)
            self._at += len(part)
            if self._at == len(self._held[0]):
                self._held.popleft()
                self._at = 0
        out = b"".join(parts)
        self._have -= len(out)
        self.offset += len(out)
        return out

    def skip(self, size: int) -> None:
        """Move forward by `size` bytes."""
        if self._inner is None and not self._have:
            self._file.seek(size, 1)
            self.offset += size
            return
        while size > 0:
            got = len(self.read(min(size, CHUNK)))
            if not got:
                return
            size -= got

    def _more(self, size: int) -> None:
        if self._inner is None:
            self._push(self._file.read(size), last=True)
            return
        fed = bool(self._input) or not getattr(self._inner, "needs_input", True)
        if not fed:
            self._input = self._file.read(CHUNK)
            self._taken += len(self._input)
        ends = not fed and not self._input
        if self._fresh and self.container != "zst" and not self._input.strip(b"\0"):
            self._input = b""  # padding behind the last member
            self._ended = ends
            return
        try:
            before = self._inner.copy() if self.container == "gz" else None
            out = self._step()
        except Exception as error:
            if not isinstance(error, BROKEN) and type(error).__name__ != "ZstdError":
                raise
            if before is not None:
                self._push(_to_the_fault(before, self._input), last=False)
            self.fault, self._ended = "corrupt", True
            return
        self._push(out, last=False)
        if ends and not out and not self._fresh:
            self.fault = "truncated"
        self._ended = self._bomb() or (ends and not out)

    def _push(self, data: bytes, *, last: bool) -> None:
        if data:
            self._held.append(data)
            self._have += len(data)
        elif last:
            self._ended = True

    def _step(self) -> bytes:
        """Decompress some of the input; never more than a bounded piece comes out."""
        inner: Any = self._inner
        given = self._input[:SIP] if self.container == "zst" else self._input
        rest = self._input[len(given) :]
        if self.container == "zst":
            out = inner.decompress(given) if given else b""
        else:
            out = inner.decompress(given, BURST)
            rest = inner.unconsumed_tail if self.container == "gz" else b""
        self._fresh = self._fresh and not given
        if inner.eof:
            rest = inner.unused_data + (rest if self.container == "zst" else b"")
            self._inner, self._fresh = _decompressor(self.container), True
        self._input = rest
        return bytes(out)

    def _bomb(self) -> bool:
        total = self.offset + self._have
        if self._max_ratio and total > BOMB_FLOOR and total > self._taken * self._max_ratio:
            self.fault = "ratio"
            return True
        return False


def _to_the_fault(inner: Any, data: bytes) -> bytes:
    """What a deflate stream gives before the fault that a larger step stumbled over."""
    parts = []
    for burst in (1 << 12, 1):
        while True:
            before = inner.copy()
            try:
                parts.append(inner.decompress(data, burst))
            except zlib.error:
                inner = before
                break
            data = inner.unconsumed_tail
            if not parts[-1]:
                return b"".join(parts)
    return b"".join(parts)


def compressor(container: str) -> tuple[Callable[[bytes], bytes], Callable[[], bytes]]:
    """(compress, flush) that write `container` at one fixed level, without clock or name."""
    if container == "gz":
        z = zlib.compressobj(6, zlib.DEFLATED, 31)  # zlib's own gzip header has mtime 0
        return z.compress, z.flush
    if container == "bz2":
        b = bz2.BZ2Compressor(9)
        return b.compress, b.flush
    if container == "xz":
        x = lzma.LZMACompressor(preset=6)
        return x.compress, x.flush
    if container == "zst":
        import zstandard

        c = zstandard.ZstdCompressor(level=3).compressobj()
        return c.compress, c.flush
    return (lambda data: data), (lambda: b"")
