"""The runs that are needed to answer every question about a game, for users who have no run yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from analysis.data.declarations import load_declarations
from analysis.data.source import Source
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import Rules
from simcore.rules.settings import Settings
from simcore.running.batch import MAX_SEED, Spec
from strategies.kit import load_kit
from strategies.library import load_strategy, quick_strategies, shipped_strategies
from strategies.spec import make_spec

WEAK = ("random", "greedy")
"""The weak rungs of the ladder of a game that declares none; its default strategy is then the top."""

SEARCHED, FEWEST = 200, 200
"""Factor by which fewer games are played with players who look ahead, and the smallest number of such games."""

OFFSETS = (0, 1, 3, 7, 12, 20)
"""Places of a company in the list of strategies; their differences are all distinct, so that most pairs meet."""

DETAIL = "full"


@dataclass(frozen=True)
class Planned:
    """One run that is to be played.

    Parameters
    ----------
    name
        Name of its folder.
    spec
        What is played.
    detail
        Level of detail of its table.
    """

    name: str
    spec: Spec
    detail: str


Company = tuple[str, ...] | dict[str, tuple[str, ...]]
"""Who sits at a table: a strategy for each seat or, in a game with roles, strategies by role."""


@cache
def ladder(game: str, role: str = "") -> tuple[str, ...]:
    """Return a role's strategies in order of skill: those that the game declares, or weak ones and its default.

    Parameters
    ----------
    game
        Name of the game.
    role
        Name of the role.  If empty, the game's first role.
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
    """Return the levels of skill, weakest first: a strategy for each role, and its strongest if it has no more."""
    ladders = {role: ladder(game, role) for role in load_game(game).role_names}
    height = max(len(names) for names in ladders.values())
    return tuple({role: names[min(at, len(names) - 1)] for role, names in ladders.items()} for at in range(height))


def place(source: Source) -> int:
    """Return a run's place on the ladder, from 0 (that of its best role); the ladder's height if it is not on it."""
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
    """Return tables of different strategies so that most pairs meet, without weak and slow strategies.

    In a game with roles, each table mixes the strategies of one role, and default strategies play the others.
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
    quick: bool = False, players: Sequence[int] = (),
) -> list[Planned]:  # fmt: skip
    """Return the runs: the ladder of skill at every number of players, and companies of strategies at the usual number.

    The ladder has all its rungs at the usual number only; elsewhere it has the weak rungs and the default strategy.
    If the usual number is not among those that are wanted, the largest of these takes its place.
    Each company has a seed of its own, so that no two of them play the same deals.

    Parameters
    ----------
    game
        Name of the game.
    games
        Number of games of each run; companies share this number.
    rules, settings, seed
        As for `strategies.spec.make_spec`.
    quick
        Whether to play only the ladder, without players who look ahead; at the usual number of players if `players` is
        empty.
    players
        Numbers of players.  If empty, all numbers that the game allows.

    Raises
    ------
    UsageError
        If the game is not for one of the numbers of players, or something else cannot be used.
    """
    found = load_game(game)
    for number in players:
        if number not in found.players:
            raise UsageError(f"{found.title} is for {found.span}, not {number}", "players")
    counts = sorted(set(players)) or ([found.default_players] if quick else found.players)
    usual = found.default_players if found.default_players in counts else counts[-1]
    runs = []
    tables = [] if quick else companies(game, usual)
    for number, company in enumerate(tables, 1):
        each = max(games // len(tables), usual)
        own = (seed + number) % (MAX_SEED + 1)  # strengths take the companies' deals for independent
        spec = make_spec(game, usual, company, rules, settings, own, "rotate", each)
        runs.append(Planned(f"company-{number:02d}", spec, "standard"))
    for count in counts:
        for rung in rungs(game):
            top = all(name == load_kit(game).default_of(role) for role, name in rung.items())
            if not (count == usual or top or set(rung.values()) <= set(weak(game))):
                continue
            seated = rung if found.asymmetric else list(rung.values())
            spec = make_spec(game, count, seated, rules, settings, seed, "rotate", games)
            if spec.searches and quick:
                continue
            if spec.searches:
                spec = replace(spec, games=min(games, max(games // SEARCHED, FEWEST)))
            deep = count == usual or top  # these are asked for every column, so that their games are not played again
            label = "-".join(dict.fromkeys(rung.values()))
            runs.append(Planned(f"{count}p-{label}", spec, DETAIL if deep else "standard"))
    return runs
