"""Modules that a user names: where their files are, which is found without running them, and where Python looks."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path


def is_file(reference: str) -> bool:
    """Return whether a reference names a Python file rather than a module or a game."""
    return reference.endswith(".py")


def module_file(name: str, here: bool = True) -> Path | None:
    """Return the file of a module, without importing it or its parent packages; None if there is none.

    Parameters
    ----------
    name
        Name of the module, with dots.
    here
        Whether to look in the current folder first.
    """
    found = _found(name, here)
    return Path(found.origin) if found and found.origin else None


def sources_of(name: str, here: bool = True) -> list[Path]:
    """Return the Python files of the top-level module or package to which a module belongs; see `module_file`."""
    found = _found(name.partition(".")[0], here)
    if found is None:
        return []
    if found.submodule_search_locations is not None:
        return sorted(path for folder in found.submodule_search_locations for path in Path(folder).rglob("*.py"))
    return [path] if found.origin and (path := Path(found.origin)).is_file() else []


def _found(name: str, here: bool) -> ModuleSpec | None:
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    places: Sequence[str] | None = [str(Path.cwd()), *sys.path] if here else sys.path
    found = None
    for number in range(len(parts)):
        found = PathFinder.find_spec(".".join(parts[: number + 1]), places)
        if found is None and number == 0:
            with suppress(ValueError, ImportError):  # what pip has installed for editing is not on Python's path
                found = importlib.util.find_spec(parts[0])
        if found is None:
            return None
        places = found.submodule_search_locations or []
    return found


@contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """Let imports find modules in a folder first, as Python does for the folder of a program."""
    here = str(folder)
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)
