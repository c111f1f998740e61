"""Who plays: the strategies that are named, or the game's players at a level of skill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcore.errors import UsageError
from simcore.game import load_game
from strategies.skill import players_of

if TYPE_CHECKING:
    from strategies.spec import References


def cast(game: str, strategies: References, skill: str | None) -> References:
    """Return who plays.

    Parameters
    ----------
    game
        Name of the game.
    strategies
        The strategies that are named, if any.
    skill
        A level of skill ("family", "club", "experts" or "search").  If None, nothing is added.

    Raises
    ------
    UsageError
        If both are given, or the game has no players of that skill.
    """
    if skill is None:
        return strategies
    if strategies:
        raise UsageError("says who plays, and so do the strategies that you name; leave out one of the two", "skill")
    found = players_of(game, skill)
    return found if load_game(game).asymmetric else next(iter(found.values()))
