"""Paths in a page that is made to be shared: none tells where its maker's files lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path


def portable(text: str) -> str:
    """Return a path as seen from the working folder, the last part of one elsewhere, and all else as it is."""
    option, sign, value = text.partition("=") if text.startswith("--") else ("", "", text)
    path = Path(value)
    if not path.is_absolute():
        return text
    here = Path.cwd()
    short = path.relative_to(here).as_posix() if path.is_relative_to(here) else path.name
    return f"{option}{sign}{short or '.'}"


def portable_command(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command line with its paths as `portable` writes them."""
    return tuple(map(portable, command))


def names_of(folders: Iterable[Path]) -> dict[str, str]:
    """Return what to call folders, by their paths; those of one name are told apart by the folders that they are in."""
    found = {str(folder): portable(str(folder)) for folder in folders}
    names = list(found.values())
    return {
        path: f"{Path(path).parent.name}/{name}" if names.count(name) > 1 and name != path else name
        for path, name in found.items()
    }
