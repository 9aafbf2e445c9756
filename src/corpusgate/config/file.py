"""Find and read the file of a configuration, and write one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from corpusgate.config.settings import Config
from corpusgate.errors import ConfigError
from corpusgate.text import toml

NAME = "corpusgate.toml"
SHARED = "pyproject.toml"
"""Holds the configurations of many tools; ours is its table [tool.corpusgate]."""


def load(path: Path | None, start: Path) -> Config:
    """Read the configuration: `path` if given, else the first found, else the defaults.

    Looked for: corpusgate.toml in `start`, then in the working directory, then
    [tool.corpusgate] of its pyproject.toml; nowhere above.

    Raises:
        ConfigError: it cannot be read, or does not say what a configuration may.
    """
    if path is not None:
        table = _table(path)
        if table is None:
            raise ConfigError("no-config", f"{path} has no [tool.corpusgate]: write one")
        return Config.of(table, path)
    for place in (start / NAME, Path(NAME), Path(SHARED)):
        table = _table(place) if place.is_file() else None
        if table is not None:
            return Config.of(table, place)
    return Config()


def render(config: Config) -> str:
    """TOML that loads back to the same configuration, its defaults written out."""
    return toml.dumps(config.model_dump(mode="json", exclude_none=True))


def _table(path: Path) -> dict[str, Any] | None:
    """The table of a file; None for a pyproject.toml that has none for us."""
    try:
        table: dict[str, Any] = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        why = f"{path}: {error.strerror}: name a {NAME} that can be read"
        raise ConfigError("no-config", why) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError("config-syntax", f"{path} is not TOML: {error}") from error
    if path.name != SHARED:
        return table
    found = table.get("tool", {}).get("corpusgate")
    return found if isinstance(found, dict) else None
