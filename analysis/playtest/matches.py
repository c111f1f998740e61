"""Games that people played."""

from __future__ import annotations

from dataclasses import dataclass

from simcore.game import Game


@dataclass(frozen=True)
class Match:
    """A game that people played."""

    group: str  # the group of people who played; games of one group are not independent
    players: int  # number of players at the table
    won: tuple[float, ...]  # each place's part of the win; see `places`
    score: float | None = None  # mean score of the table; None if nobody recorded it


@dataclass(frozen=True)
class Sheet:
    """All games of a file."""

    matches: tuple[Match, ...]  # the games
    by_role: bool = False  # whether the file names roles instead of seats
    grouped: bool = False  # whether the file says which group played
    dates: tuple[str, ...] = ()  # the first and the last date, as written in the file, if there are any
    unused: tuple[str, ...] = ()  # columns that were not used
    wins: str = ""  # "highest" or "lowest" if nothing but the scores says who won


def places(game: Game, players: int, by_role: bool = False) -> dict[str, tuple[int, ...]]:
    """Return the places that may win: the seats or the roles, each with its seats counted from 0."""
    if by_role:
        return {role.name: tuple(role.at(players)) for role in game.roles if role.at(players)}
    return {f"seat-{seat + 1}": (seat,) for seat in range(players)}
