"""Games that people played."""

from __future__ import annotations

from dataclasses import dataclass

from simcore.game import Game


@dataclass(frozen=True)
class Match:
    """A game that people played.

    Parameters
    ----------
    group
        Who played: games of one group are not independent.
    players
        Players at the table.
    won
        Part of the win of each place; see `places`.
    score
        Mean score of the table; None where nobody kept it.
    """

    group: str
    players: int
    won: tuple[float, ...]
    score: float | None = None


@dataclass(frozen=True)
class Sheet:
    """All games of a file.

    Parameters
    ----------
    matches
        The games.
    by_role
        Whether the file says roles, not seats.
    grouped
        Whether it says which group played.
    dates
        The first and the last date as they were written, where there are any.
    unused
        Columns that were not read.
    """

    matches: tuple[Match, ...]
    by_role: bool = False
    grouped: bool = False
    dates: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


def places(game: Game, players: int, by_role: bool = False) -> dict[str, tuple[int, ...]]:
    """Return what may win at a table of some players: the seats, or the roles, each with its seats from 0."""
    if by_role:
        return {role.name: tuple(role.at(players)) for role in game.roles if role.at(players)}
    return {f"seat-{seat + 1}": (seat,) for seat in range(players)}
