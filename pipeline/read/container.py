"""Containers: a compressed file as the stream of its bytes, with what was wrong on the way."""

from __future__ import annotations

import bz2
import lzma
import zlib
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
        self._pending: list[bytes] = []
        self._have = 0
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
        data = b"".join(self._pending)
        out, rest = data[:size], data[size:]
        self._pending = [rest] if rest else []
        self._have = len(rest)
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

    def _push(self, data: bytes) -> None:
        if data:
            self._pending.append(data)
            self._have += len(data)

    def _more(self, size: int) -> None:
        if self._inner is None:
            data = self._file.read(size)
            self._ended = not data
            self._push(data)
            return
        data = self._file.read(CHUNK)
        self._taken += len(data)
        if not data:
            self._ended = True
            if not self._fresh:
                self.fault = self.fault or "truncated"
            return
        self._inflate(data)

    def _inflate(self, data: bytes) -> None:
        while data and not self._ended:
            if self._fresh and self.container != "zst" and not data.strip(b"\0"):
                return  # padding behind the last member
            try:
                out = self._inner.decompress(data)  # type: ignore[union-attr]
            except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError) as error:
                self._stop(error)
                return
            except Exception as error:  # zstandard's own error class, not importable for all
                if type(error).__name__ != "ZstdError":
                    raise
                self._stop(error)
                return
            self._fresh = False
            self._push(out)
            if self._bomb():
                return
            if not self._inner.eof:  # type: ignore[union-attr]
                return
            data = self._inner.unused_data  # type: ignore[union-attr]
            self._inner = _decompressor(self.container)
            self._fresh = True

    def _stop(self, _error: Exception) -> None:
        self.fault = "corrupt"
        self._ended = True

    def _bomb(self) -> bool:
        total = self.offset + self._have
        if self._max_ratio and total > BOMB_FLOOR and total > self._taken * self._max_ratio:
            self.fault = "ratio"
            self._ended = True
        return self._ended


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
