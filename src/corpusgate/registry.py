"""The checks there are: one of each module of `corpusgate.checks`, and those of plug-ins."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeAlias

import corpusgate.checks
from corpusgate.errors import ConfigError, CorpusgateError
from corpusgate.model import Check

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

AnyCheck: TypeAlias = type[Check[Any]]

GROUP = "corpusgate.checks"
"""The entry points through which a package adds checks of its own: each names a class."""


def checks() -> dict[str, AnyCheck]:
    """The class of every check by its name, sorted by name.

    Raises:
        CorpusgateError: a plug-in cannot be imported, is no check, or bears the name of another.
    """
    found = {check.name(): check for check in _own(corpusgate.checks)}
    for check in _plugged_in():
        name = check.name()
        if name in found and found[name] is not check:
            places = f"{found[name].__module__} and {check.__module__}"
            raise CorpusgateError(
                "check-twice", f"two checks are named {name}, in {places}: rename or remove one"
            )
        found[name] = check
    return dict(sorted(found.items()))


def get(name: str) -> AnyCheck:
    """The class of a check.

    Raises:
        ConfigError: there is none of that name.
    """
    found = checks()
    if name not in found:
        raise ConfigError.unknown("unknown-check", f"no check is named {name!r}", name, found)
    return found[name]


def page(name: str) -> str:
    """The page (Markdown) of a check, which lies beside its module.

    Raises:
        ConfigError: there is no check of that name.
        CorpusgateError: it has no page.
    """
    path = Path(inspect.getfile(get(name))).with_suffix(".md")
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise CorpusgateError("no-page", f"the check {name} has no page: write {path}") from error


def _own(package: ModuleType) -> Iterator[AnyCheck]:
    for module in iter_modules(package.__path__, f"{package.__name__}."):
        if module.name.rpartition(".")[2].startswith("_"):
            continue
        yield _only_check(import_module(module.name))


def _only_check(module: ModuleType) -> AnyCheck:
    """The one check that a module is for; what it imports and what it builds on do not count."""
    defined = [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, Check)
        and value.__module__ == module.__name__
        and not inspect.isabstract(value)
    ]
    if len(defined) != 1:
        raise CorpusgateError(
            "check-module", f"{module.__name__} defines {len(defined)} checks: define one"
        )
    return defined[0]


def _plugged_in() -> Iterator[AnyCheck]:
    for entry in sorted(entry_points(group=GROUP), key=lambda e: (e.name, e.value)):
        where = f"the plug-in {entry.name} = {entry.value}"
        try:
            check = entry.load()
        except (ImportError, AttributeError) as error:
            raise CorpusgateError(
                "check-plugin", f"{where} cannot be imported ({error}): repair or remove it"
            ) from error
        if not (inspect.isclass(check) and issubclass(check, Check)):
            raise CorpusgateError("check-plugin", f"{where} is no subclass of corpusgate's Check")
        yield check
