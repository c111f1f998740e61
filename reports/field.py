"""What it takes to answer every question about a game, for somebody who has no run yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simcore.batch import Spec
from simcore.game import load_game
from strategies.kit import load_kit
from strategies.library import quick_strategies, shipped_strategies
from strategies.spec import make_spec

WEAK = ("random", "greedy")
"""The lower rungs of the ladder, where a game has them; the game's default player is the top."""

OFFSETS = (0, 1, 3, 7, 12, 20)
"""Places of a company in the list of strategies; their differences reach all others, so that most pairs meet."""

DETAIL = "full"


@dataclass(frozen=True)
class Planned:
    """One run that is to be played.

    Parameters
    ----------
    name
        Folder.
    spec
        What is played.
    detail
        Columns of its table.
    """

    name: str
    spec: Spec
    detail: str


def ladder(game: str) -> tuple[str, ...]:
    """Return strategies of growing skill: weak ones that the game ships, then its default player."""
    shipped = shipped_strategies(load_game(game))
    return tuple(dict.fromkeys([*(name for name in WEAK if name in shipped), load_kit(game).default]))


def companies(game: str, players: int) -> list[tuple[str, ...]]:
    """Return tables of different strategies that between them bring most pairs together, weak or slow ones left out."""
    names = sorted(set(quick_strategies(load_game(game))) - {WEAK[0]})
    found = (
        tuple(dict.fromkeys(names[(first + step) % len(names)] for step in OFFSETS[:players]))
        for first in range(len(names))
    )
    return [company for company in found if len(company) == players] if len(names) > players else []


def plan(game: str, games: int, rules: str = "base", settings: Sequence[str] = (), seed: int = 1) -> list[Planned]:
    """Return the runs: every player count under every skill, and companies of strategies at the usual count.

    Parameters
    ----------
    game
        Registry name.
    games
        Games of each run; companies share as many.
    rules, settings, seed
        As for `strategies.spec.make_spec`.
    """
    found = load_game(game)
    runs = []
    tables = companies(game, found.default_players)
    for number, company in enumerate(tables, 1):
        each = max(games // len(tables), found.default_players)
        spec = make_spec(game, found.default_players, company, rules, settings, seed, "rotate", each)
        runs.append(Planned(f"company-{number:02d}", spec, "standard"))
    for players in found.players:
        for skill in ladder(game):
            spec = make_spec(game, players, [skill], rules, settings, seed, "rotate", games)
            deep = players == found.default_players and skill == ladder(game)[-1]
            runs.append(Planned(f"{players}p-{skill}", spec, DETAIL if deep else "standard"))
    return runs
