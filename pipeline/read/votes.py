"""Votes: the invalid texts of a source, kept to settle what its encodings are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

# The same as a stream's: a few hundred records decide as all of them do.
POOL_BYTES = 1 << 18
HEAD = 1 << 16


@dataclass
class Votes:
    """The first POOL_BYTES of a source's invalid texts by content hash, each once."""

    invalid: int = 0
    _held: dict[bytes, bytes] = field(default_factory=dict)
    _size: int = 0

    def add(self, text: bytes) -> None:
        """Count a text that is not UTF-8."""
        self.invalid += 1
        key = hashlib.blake2b(text, digest_size=8).digest()
        if key not in self._held:
            self._held[key] = text[:HEAD]
            self._size += len(self._held[key])
        while self._size > POOL_BYTES and len(self._held) > 1:
            self._size -= len(self._held.pop(max(self._held)))

    @property
    def pool(self) -> tuple[bytes, ...]:
        """What is held, in the order of the hashes."""
        return tuple(self._held[key] for key in sorted(self._held))
