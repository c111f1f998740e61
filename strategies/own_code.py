"""Find policies that users write in Python, in a module or in a file."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simcore.errors import UsageError, nearest
from simcore.game import load_game
from simcore.imports import Sources, file_sources, module_sources
from simcore.toml_tables import shown
from strategies.custom import CustomPolicy, policy


def load_custom(
    game: str,
    reference: str,
    origin: str = "strategies",
    wanted: tuple[str, Mapping[str, str]] | None = None,
    offered: str = "",
) -> CustomPolicy:
    """Return the policy that "module:attribute" or "path/to/file.py:attribute" refers to.

    game: The game it must play.
    reference: What the user wrote.
    origin: Name in messages of the place where it was written.
    wanted: SHA-256 of its files, and modules of its folder, as in a manifest; nothing runs if they are others.
    offered: Name under which an installed package offers it, which is never in the current folder.
    Raises UsageError if there is no such module or attribute, it fails on import, or it plays another game.
    """
    label = f"'{offered}' ({reference})" if offered else f"'{shown(reference, 120)}'"
    place, _, attribute = reference.rpartition(":")
    if not place or not attribute:
        raise UsageError(f"{label}: write module:attribute or path/to/file.py:attribute", origin)
    sources = _sources(place, label, origin, not offered)
    if wanted is not None:
        sources = sources.with_modules(wanted[1], label, origin)
        if sources.sha256 != wanted[0]:
            raise UsageError(
                f"{label}: is not the file that the games were played with (its SHA-256 differs), so it was not run",
                origin,
            )
    module = sources.run(label, origin)
    found = getattr(module, attribute, None)
    if found is None:
        marked = [key for key, value in vars(module).items() if isinstance(value, CustomPolicy)]
        raise UsageError(f"{label}: no '{attribute}' in {place}{nearest(attribute, marked) if marked else ''}", origin)
    found = check_custom(game, found, label, origin)
    found.sources = found.sources or sources
    return found


def _sources(place: str, label: str, origin: str, here: bool) -> Sources:
    path = Path(place)
    if path.suffix != ".py" and len(path.parts) == 1:
        if (found := module_sources(place, here)) is None:
            raise UsageError(f"{label}: no module '{place}'; check the name and where Python looks for it", origin)
        return found
    if not path.is_file():
        raise UsageError(f"{label}: no file {shown(place, 120)}", origin)
    return file_sources(path, label, origin)


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
