"""Run a Python file and find the game that it defines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simcore.errors import UsageError, printable
from simcore.imports import file_sources
from simcore.plain.game import PlainGame


@dataclass(frozen=True)
class Opened:
    """A game behind a door."""

    kind: type[PlainGame]
    sha256: str  # digest of its code
    modules: Mapping[str, str]  # see `simcore.imports.Sources.modules`


def opened(path: str, sha256: str = "", modules: Mapping[str, str] | None = None) -> Opened:
    """Run a Python file, once for each process, and return the game that it defines.

    path: Path of the file.
    sha256, modules: The digest that it must have, and its modules; empty and None if it may be any.
    Raises UsageError if the file cannot be read or run, is not the file that is wanted, or does not define one game.
    """
    label = printable(str(path))
    sources = file_sources(path, label, "game")
    if modules is not None:
        sources = sources.with_modules(modules, label, "game")
    if sha256 not in ("", sources.sha256):
        raise UsageError(
            f"{label}: is not the file that the games were played with (its SHA-256 differs), so it was not run", "game"
        )
    found = [
        value
        for value in vars(sources.run(label, "game")).values()
        if isinstance(value, type) and issubclass(value, PlainGame) and value.__module__ == sources.name
    ]
    if len(found) != 1:
        many = "no class" if not found else f"{len(found)} classes"
        raise UsageError(f"{label}: has {many} derived from equipoise.PlainGame; a file holds one game", "game")
    return Opened(found[0], sources.sha256, sources.modules)
