"""What it takes to answer every question about a game, for somebody who has no run yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from analysis.data.declarations import load_declarations
from analysis.data.source import Source
from simcore.game import load_game
from simcore.rules.files import Rules
from simcore.rules.settings import Settings
from simcore.running.batch import MAX_SEED, Spec
from strategies.kit import load_kit
from strategies.library import load_strategy, quick_strategies, shipped_strategies
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


Company = tuple[str, ...] | dict[str, tuple[str, ...]]
"""Who sits at a table: a strategy for each seat, or in a game with roles by role."""


@cache
def ladder(game: str, role: str = "") -> tuple[str, ...]:
    """Return strategies of a role of growing skill: those that the game declares, or weak ones and its default player.

    Parameters
    ----------
    game
        Registry name.
    role
        Name of the role; the game's first if empty.
    """
    found = load_game(game)
    name = role or found.role_names[0]
    declared = load_declarations(game).ladder
    own = declared.get(name, ()) if isinstance(declared, Mapping) else declared
    names = own or dict.fromkeys((*WEAK, load_kit(game).default_of(name)))
    shipped = shipped_strategies(found)
    return tuple(one for one in names if one in shipped and load_strategy(found, one).role in ("", name))


@cache
def rungs(game: str) -> tuple[dict[str, str], ...]:
    """Return the levels of skill, the weakest first: a strategy for each role, its strongest where it has no more."""
    ladders = {role: ladder(game, role) for role in load_game(game).role_names}
    height = max(len(names) for names in ladders.values())
    return tuple({role: names[min(at, len(names) - 1)] for role, names in ladders.items()} for at in range(height))


def place(source: Source) -> int:
    """Return where on the ladder a run is, from 0: where its best placed role is; the ladder's height if off it."""
    game, height = source.spec.game, len(rungs(source.spec.game.name))
    found = []
    for role, name in source.spec.cast:
        names = ladder(game.name, role.name)
        found.append(names.index(name) if name in names else height)
    return max(found)


def weak(game: str) -> tuple[str, ...]:
    """Return the strategies that are too weak for verdicts."""
    declared = load_declarations(game).ladder
    if not isinstance(declared, Mapping):
        return declared[: len(WEAK)] or WEAK
    return tuple(dict.fromkeys(name for names in declared.values() for name in names[: min(len(WEAK), len(names) - 1)]))


def companies(game: str, players: int) -> list[Company]:
    """Return tables of different strategies that between them bring most pairs together, weak or slow ones left out.

    In a game with roles each table mixes one role; the default players have the others.
    """
    found = load_game(game)
    names = sorted(set(quick_strategies(found)) - {weak(game)[0]})
    if not found.asymmetric:
        if len(names) <= players:
            return []
        steps = list(dict.fromkeys(step % len(names) for step in (*OFFSETS, *range(len(names)))))[:players]
        return [tuple(names[(first + step) % len(names)] for step in steps) for first in range(len(names))]
    kit, tables = load_kit(game), []
    usual = {role: (kit.default_of(role),) for role in found.role_names}
    for role in found.roles:
        own = [name for name in names if load_strategy(found, name).role in ("", role.name)]
        seats = len(role.at(players))
        if min(len(own), seats) < 2:
            continue
        for first in range(len(own) if len(own) > seats else 1):
            mixed = tuple(own[(first + seat) % len(own)] for seat in range(seats))
            tables.append(usual | {role.name: mixed})
    return list(tables)


def plan(
    game: str, games: int, rules: str | Path | Rules = "base", settings: Settings = None, seed: int = 1,
    quick: bool = False,
) -> list[Planned]:  # fmt: skip
    """Return the runs: the ladder of skill at every player count, and companies of strategies at the usual one.

    The ladder has all its rungs at the usual count only; elsewhere the weak ones and the default player.  Each company
    has a seed of its own, so that no two of them meet the same deals.

    Parameters
    ----------
    game
        Registry name.
    games
        Games of each run; companies share as many.
    rules, settings, seed
        As for `strategies.spec.make_spec`.
    quick
        Whether to play no more than the ladder at the usual player count, without players who look ahead.
    """
    found = load_game(game)
    runs = []
    tables = [] if quick else companies(game, found.default_players)
    for number, company in enumerate(tables, 1):
        each = max(games // len(tables), found.default_players)
        own = (seed + number) % (MAX_SEED + 1)  # strengths take the companies' deals for independent
        spec = make_spec(game, found.default_players, company, rules, settings, own, "rotate", each)
        runs.append(Planned(f"company-{number:02d}", spec, "standard"))
    for players in (found.default_players,) if quick else found.players:
        usual = players == found.default_players
        for rung in rungs(game):
            top = all(name == load_kit(game).default_of(role) for role, name in rung.items())
            if not (usual or top or set(rung.values()) <= set(weak(game))):
                continue
            seated = rung if found.asymmetric else list(rung.values())
            spec = make_spec(game, players, seated, rules, settings, seed, "rotate", games)
            if spec.searches and quick:
                continue
            if spec.searches:
                spec = replace(spec, games=min(games, max(games // SEARCHED, FEWEST)))
            deep = usual or top  # these are asked for every column, so that their games are not played again
            label = "-".join(dict.fromkeys(rung.values()))
            runs.append(Planned(f"{players}p-{label}", spec, DETAIL if deep else "standard"))
    return runs
