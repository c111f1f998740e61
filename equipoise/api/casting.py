"""Who plays: the strategies that are named, or the game's players at a level of skill or up to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcore.errors import UsageError
from simcore.game import load_game
from strategies.skill import ladder, players_of, rungs

if TYPE_CHECKING:
    from strategies.spec import References


def cast(game: str, strategies: References, skill: str | None) -> References:
    """Return who plays.

    game: Name of the game.
    strategies: The strategies that are named, if any.
    skill: A level of skill ("family", "club", "experts" or "search").  If None, nothing is added.
    Raises UsageError if both are given, or the game has no players of that skill.
    """
    if skill is None:
        return strategies
    refuse_both(skill, strategies)
    found = players_of(game, skill)
    return found if load_game(game).asymmetric else next(iter(found.values()))


def refuse_both(skill: str | None, named: object, who: str = "do the strategies that you name") -> None:
    """Raise `UsageError` if a level of skill is given, and so are strategies."""
    if skill is not None and named:
        raise UsageError(f"says who plays, and so {who}; leave out one of the two", "skill")


def climbed(game: str, skill: str) -> tuple[dict[str, str], ...]:
    """Return the rungs of a game's ladder up to a level of skill, weakest first, each a strategy for each role.

    Raises UsageError if the game has no players of that skill.
    """
    heights = [ladder(game, role).index(name) for role, name in players_of(game, skill).items()]
    return rungs(game)[: max(heights) + 1]
