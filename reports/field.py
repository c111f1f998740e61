"""What it takes to answer every question about a game, for somebody who has no run yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.data.declarations import load_declarations
from simcore.batch import Spec
from simcore.game import load_game
from strategies.kit import load_kit
from strategies.library import quick_strategies, shipped_strategies
from strategies.spec import make_spec

WEAK = ("random", "greedy")
"""The weak rungs of the ladder where a game declares none; its default player is then the top."""

SEARCHED, FEWEST = 200, 200
"""Of players who look ahead so many times fewer games are played, but so many at least."""

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
    """Return strategies of growing skill: those that the game declares, or weak ones and its default player."""
    declared = load_declarations(game).ladder or (*WEAK, load_kit(game).default)
    shipped = shipped_strategies(load_game(game))
    return tuple(name for name in declared if name in shipped)


def weak(game: str) -> tuple[str, ...]:
    """Return the rungs that are too weak for verdicts."""
    return load_declarations(game).ladder[: len(WEAK)] or WEAK


def companies(game: str, players: int) -> list[tuple[str, ...]]:
    """Return tables of different strategies that between them bring most pairs together, weak or slow ones left out."""
    names = sorted(set(quick_strategies(load_game(game))) - {weak(game)[0]})
    if len(names) <= players:
        return []
    steps = list(dict.fromkeys(step % len(names) for step in (*OFFSETS, *range(len(names)))))[:players]
    return [tuple(names[(first + step) % len(names)] for step in steps) for first in range(len(names))]


def plan(game: str, games: int, rules: str = "base", settings: Sequence[str] = (), seed: int = 1) -> list[Planned]:
    """Return the runs: the ladder of skill at every player count, and companies of strategies at the usual one.

    The ladder has all its rungs at the usual count only; elsewhere the weak ones and the default player.

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
        usual = players == found.default_players
        for skill in ladder(game):
            if not (usual or skill in (*weak(game), load_kit(game).default)):
                continue
            spec = make_spec(game, players, [skill], rules, settings, seed, "rotate", games)
            if spec.searches:
                spec = replace(spec, games=min(games, max(games // SEARCHED, FEWEST)))
            deep = usual and (spec.searches or skill == load_kit(game).default)
            runs.append(Planned(f"{players}p-{skill}", spec, DETAIL if deep else "standard"))
    return runs
