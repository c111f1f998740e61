"""Find policies that users write in Python: in a module, in a file, and with a SHA-256 that does not change."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

from numba.core.errors import NumbaError

from simcore.errors import UsageError, nearest
from simcore.game import load_game
from simcore.imports import import_file, importing_from, module_file
from simcore.toml_tables import shown
from strategies.custom import MAX_REASON, CustomPolicy, policy
from strategies.own_files import digest_of


def load_custom(game: str, reference: str, origin: str = "strategies") -> CustomPolicy:
    """Return the policy that "module:attribute" or "path/to/file.py:attribute" refers to.

    game: The game it must play.
    reference: What the user wrote.
    origin: Name in messages of the place where it was written.
    Raises UsageError if there is no such module or attribute, it fails on import, or it plays another game.
    """
    label = f"'{shown(reference, 120)}'"
    place, _, attribute = reference.rpartition(":")
    if not place or not attribute:
        raise UsageError(f"{label}: write module:attribute or path/to/file.py:attribute", origin)
    module = _import(place, label, origin)
    found = getattr(module, attribute, None)
    if found is None:
        marked = [key for key, value in vars(module).items() if isinstance(value, CustomPolicy)]
        raise UsageError(f"{label}: no '{attribute}' in {place}{nearest(attribute, marked) if marked else ''}", origin)
    return check_custom(game, found, label, origin)


def check_source(reference: str, source: str, name: str) -> None:
    """Raise `UsageError` unless the file that a reference names has the given SHA-256; nothing is imported.

    reference: "module:attribute" or "path/to/file.py:attribute".
    source: The SHA-256, in hex.
    name: Name of the strategy in messages.
    """
    place = reference.rpartition(":")[0]
    path = Path(place) if place and _is_path(place) else module_file(place)
    if path is None or not path.is_file():
        raise UsageError(f"strategy '{shown(name)}': the file of {shown(reference, 120)} was not found")
    if digest_of(path) != source:
        raise UsageError(
            f"strategy '{shown(name)}': {shown(str(path), 120)} is not the file that the run was made with "
            "(its SHA-256 differs), so it was not run; it, or a module beside it that it imports, has changed since, "
            "or it is another file"
        )


def _is_path(place: str) -> bool:
    """Return whether a reference's first part is a file rather than a module."""
    return Path(place).suffix == ".py" or len(Path(place).parts) > 1


def check_custom(game: str, found: Any, label: str, origin: str) -> CustomPolicy:
    """Return the object if it is a policy of the game; otherwise raise `UsageError`.

    A game in plain Python takes functions as they are.
    """
    if inspect.isfunction(found) and not load_game(game).compiled:
        return policy(game)(found)
    if not isinstance(found, CustomPolicy):
        raise UsageError(f'{label}: not a policy; put @equipoise.policy("{game}") above the function', origin)
    if found.game != game:
        raise UsageError(f"{label}: plays {found.game}, not {game}", origin)
    return found


def _reason(error: Exception) -> str:
    """Return why something failed, in one line."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = " ".join(line for line in lines if line and not line.startswith("Failed in nopython mode"))
    known = isinstance(error, NumbaError)
    return shown(told if known else f"{type(error).__name__}: {told}", MAX_REASON)


def _import(place: str, label: str, origin: str) -> ModuleType:
    """Import a module by name, also from the current folder, or from a file."""
    path = Path(place)
    try:
        if _is_path(place):
            if not path.is_file():
                raise UsageError(f"{label}: no file {shown(place, 120)}", origin)
            return import_file(path)
        with importing_from(Path.cwd()):
            return importlib.import_module(place)
    except UsageError:
        raise
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{label}: no module '{error.name}'; check the name and where Python looks for it", origin
        ) from None
    except Exception as error:
        raise UsageError(f"{label}: {place} fails on import: {_reason(error)}", origin) from None
