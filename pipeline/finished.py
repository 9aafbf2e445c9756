"""Finished units and the sources they are of: what outputs are written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from corpusgate.pipeline.read.profile import Profile
    from corpusgate.pipeline.shards import ShardReader


@dataclass(frozen=True)
class Finished:
    """Finished shards and the sources they are of."""

    readers: tuple[ShardReader, ...]
    profiles: tuple[Profile, ...]
    paths: tuple[Path, ...]

    def runs(self) -> Iterator[tuple[int, list[tuple[ShardReader, int]]]]:
        """(number of a source, its runs in order)."""
        places: dict[str, list[tuple[ShardReader, int]]] = {p.key: [] for p in self.profiles}
        for reader in self.readers:
            for i, source in enumerate(reader.sources):
                places[source].append((reader, i))
        for number, profile in enumerate(self.profiles):
            yield number, places[profile.key]
