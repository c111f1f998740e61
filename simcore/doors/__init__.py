"""Doors for games from elsewhere, one module each; a door is imported only when a user names such a game.

Only what a user types or passes comes here.  What a file names, such as a manifest or a baseline, does not, so that
data never runs code.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simcore.imports import is_file

if TYPE_CHECKING:
    from simcore.plain.game import PlainGame

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


def enter(reference: str, sha256: str = "") -> str:
    """Return the name by which the toolkit knows the game behind a door from now on; its code is run.

    reference: Path of a Python file, `openspiel:GAME`, `pettingzoo:MODULE.ENV`, or the name of an installed game.
    sha256: SHA-256 that the code must have; empty if it may be any.
    """
    from simcore.doors.opening import introduced

    return introduced(kind_of(reference, sha256), reference, digest_of(reference))


def kind_of(reference: str, sha256: str = "") -> type[PlainGame]:
    """Return the class of the game behind a door; see `enter`."""
    found: type[PlainGame] = _door(reference).kind_of(reference, sha256)
    return found


def digest_of(reference: str) -> str:
    """Return the digest of what a reference names: of a file, its SHA-256."""
    return str(_door(reference).digest_of(reference))


def _door(reference: str) -> Any:
    library = reference.partition(":")[0]
    if is_of_library(reference):
        return import_module(DOORS[library])
    return import_module("simcore.plain.loading" if is_file(reference) else "simcore.doors.installed")
