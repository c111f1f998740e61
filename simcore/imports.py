"""Modules that a user names: where their files are, which is found without running them, and where Python looks."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).resolve().parents[1]

_SET_ASIDE: dict[Path, dict[str, ModuleType]] = {}
"""By folder: modules in it whose names others have in `sys.modules`."""


def is_file(reference: str) -> bool:
    """Return whether a reference names a Python file rather than a module or a game."""
    return reference.endswith(".py")


def module_file(name: str, here: bool = True) -> Path | None:
    """Return the file of a module, without importing it or its parent packages; None if there is none.

    name: Name of the module, with dots.
    here: Whether to look in the current folder first.
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
    """Let imports find modules in a folder first, as Python does for the folder of a program.

    Modules of the same names that come from other folders of the user's are set aside meanwhile.
    """
    own = {path.stem for path in (*folder.glob("*.py"), *(path.parent for path in folder.glob("*/__init__.py")))}
    others = {name: module for name, module in [*sys.modules.items()] if _is_elsewhere(name, module, own, folder)}
    aside, here = _SET_ASIDE.setdefault(folder.resolve(), {}), str(folder)
    for name in others:
        del sys.modules[name]
    sys.modules.update(aside)
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)
        shared = {name.partition(".")[0] for name in others}
        aside |= {name: sys.modules.pop(name) for name in [*sys.modules] if name.partition(".")[0] in shared}
        sys.modules.update(others)


def _is_elsewhere(name: str, module: ModuleType, own: set[str], folder: Path) -> bool:
    """Return whether a module is the user's, from another folder, and has the name of one in this folder."""
    top, file = name.partition(".")[0], getattr(module, "__file__", None)
    if top not in own or top in sys.stdlib_module_names or not file:
        return False
    path = Path(file).resolve()
    installed = {"site-packages", "dist-packages"} & {*path.parts} or path.is_relative_to(_ROOT / top)
    return not installed and not path.is_relative_to(folder.resolve())


def import_file(path: Path) -> ModuleType:
    """Import a Python file, once; it finds the modules beside it, whatever others of their names were imported."""
    name = f"equipoise_policy_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with importing_from(path.resolve().parent):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
