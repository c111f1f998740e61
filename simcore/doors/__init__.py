"""Doors for games from elsewhere, one module each; a door is imported only when a user names such a game.

Only what a user types or passes comes here.  What a file names, such as a manifest or a baseline, does not, so that
data never runs code.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from simcore.imports import is_file

if TYPE_CHECKING:
    from simcore.plain.playing import Opened

DOORS = {"openspiel": "simcore.doors.openspiel", "pettingzoo": "simcore.doors.pettingzoo"}
"""The modules of libraries with games, by what stands before the colon in the name of a game."""


def named(game: str) -> str:
    """Return the name of the game that a user names, which may be behind a door.

    Raises UsageError if the game behind the door cannot be used.
    """
    return enter(game) if is_file(game) or is_of_library(game) else game


def is_of_library(reference: str) -> bool:
    """Return whether a reference names a game of a library rather than a file."""
    library, colon, _ = reference.partition(":")
    return bool(colon) and library in DOORS


def enter(reference: str, sha256: str = "", modules: Mapping[str, str] | None = None) -> str:
    """Return the name by which the toolkit knows the game behind a door from now on; its code is run.

    reference: Path of a Python file, `openspiel:GAME`, `pettingzoo:MODULE.ENV`, or the name of an installed game.
    sha256, modules: Digest that the code must have, and modules that it may import from its folder, as in a manifest;
        empty and None if they may be any.
    """
    from simcore.doors.opening import introduced

    return introduced(opened(reference, sha256, modules), reference)


def opened(reference: str, sha256: str = "", modules: Mapping[str, str] | None = None) -> Opened:
    """Return the game behind a door; see `enter`."""
    library = reference.partition(":")[0]
    if is_of_library(reference):
        door = DOORS[library]
    else:
        door = "simcore.plain.playing" if is_file(reference) else "simcore.doors.installed"
    found: Opened = import_module(door).opened(reference, sha256, modules)
    return found
