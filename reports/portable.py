"""Paths in a page that is to be shared: none reveals where its author's files are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path


def portable(text: str) -> str:
    """Return a path relative to the working folder, the last part of a path elsewhere, and any other text unchanged."""
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
    """Return names for folders, by their paths; folders with equal names are distinguished by their parent folders."""
    found = {str(folder): portable(str(folder)) for folder in folders}
    names = list(found.values())
    return {
        path: f"{Path(path).parent.name}/{name}" if names.count(name) > 1 and name != path else name
        for path, name in found.items()
    }
