"""One family of errors, each with a slug that `docs/messages.md` explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class CorpusgateError(Exception):
    """What stops a command: usage, configuration, an unreadable input.

    Bad data is never an error but a finding; see `corpusgate.model.Finding`.

    Args:
        slug: the name of the message in `docs/messages.md`.
        message: what happened, to which path, and what to do about it.
    """

    def __init__(self, slug: str, message: str) -> None:
        super().__init__(message)
        self.slug = slug

    def __reduce__(self) -> tuple[type[CorpusgateError], tuple[str, str]]:
        return type(self), (self.slug, str(self))


class ConfigError(CorpusgateError):
    """The configuration or the command line cannot be followed."""

    @classmethod
    def unknown(cls, slug: str, what: str, word: str, known: Iterable[str]) -> ConfigError:
        """The error for a `word` that is none of the known ones, with the nearest of them."""
        from difflib import get_close_matches

        names = sorted(known)
        near = get_close_matches(word, names, n=1)
        known_ones = ", ".join(names) or "none"
        return cls(
            slug, f"{what}; " + (f"did you mean {near[0]}?" if near else f"known: {known_ones}")
        )


class InputError(CorpusgateError):
    """A path cannot be read; the rest of the run goes on."""


class MissingExtraError(CorpusgateError):
    """A package of an extra is not installed."""

    @classmethod
    def of(cls, package: str, extra: str, purpose: str) -> MissingExtraError:
        """The error for `package`, needed for `purpose`, shipped in `extra`."""
        remedy = f"pip install 'corpusgate[{extra}]'"
        return cls("missing-extra", f"{purpose} needs {package}, which is not installed: {remedy}")
