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
        The group of people who played; games of one group are not independent.
    players
        Number of players at the table.
    won
        Each place's part of the win; see `places`.
    score
        Mean score of the table; None if nobody recorded it.
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
        Whether the file names roles instead of seats.
    grouped
        Whether the file says which group played.
    dates
        The first and the last date, as written in the file, if there are any.
    unused
        Columns that were not used.
    wins
        "highest" or "lowest" if nothing but the scores says who won.
    """

    matches: tuple[Match, ...]
    by_role: bool = False
    grouped: bool = False
    dates: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    wins: str = ""


def places(game: Game, players: int, by_role: bool = False) -> dict[str, tuple[int, ...]]:
    """Return the places that may win: the seats or the roles, each with its seats counted from 0."""
    if by_role:
        return {role.name: tuple(role.at(players)) for role in game.roles if role.at(players)}
    return {f"seat-{seat + 1}": (seat,) for seat in range(players)}
