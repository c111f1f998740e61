"""Changes of the rules, value by value, in a form that reports put into words."""

from __future__ import annotations

from typing import Any, NamedTuple


class Edit(NamedTuple):
    """One value of the rules before and after a change.

    key: Its key; the entries of a list are counted from 1.
    old, new: The value before and after.
    players: Number of players whose rules change; None for all.
    """

    key: str
    old: Any
    new: Any
    players: int | None = None


class Edits(tuple[Edit, ...]):
    """All values that a change of the rules moves; a sentence tells them in the game's own words."""

    __slots__ = ()


class Keys(tuple[str, ...]):
    """Keys of the rules; a sentence calls them by the game's own words."""

    __slots__ = ()
