"""The runs that are needed to answer every question about a game, for users who have no run yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.data.source import Source
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import Rules
from simcore.rules.settings import Settings
from simcore.running.batch import MAX_SEED, Spec
from strategies.kit import EXPERTS, SKILLS, load_kit
from strategies.library import load_strategy, quick_strategies
from strategies.skill import SIMPLE, ladder, players_of, quick_searchers, rungs, skills_of, weak
from strategies.spec import make_spec

OFFSETS = (0, 1, 3, 7, 12, 20)
"""Places of a company in the list of strategies; their differences are all distinct, so that most pairs meet."""

DETAIL = "full"


@dataclass(frozen=True)
class Planned:
    """One run that is to be played."""

    name: str  # name of its folder
    spec: Spec  # what is played
    detail: str  # level of detail of its table


Company = tuple[str, ...] | dict[str, tuple[str, ...]]
"""Who sits at a table: a strategy for each seat or, in a game with roles, strategies by role."""


def place(source: Source) -> int:
    """Return a run's place on the ladder, from 0 (that of its best role); the ladder's height if it is not on it."""
    game, height = source.spec.game, len(rungs(source.spec.game.name))
    found = []
    for role, name in source.spec.cast:
        names = ladder(game.name, role.name)
        hasty = name not in names and name == quick_searchers(game.name).get(role.name)
        found.append(len(names) - 1 if hasty else names.index(name) if name in names else height)
    return max(found)


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
    game: str,
    games: int,
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = 1,
    quick: bool = False,
    players: Sequence[int] = (),
    asking: bool = False,
) -> list[Planned]:
    """Return the runs: the ladder of skill at every number of players, and companies of strategies at the usual number.

    The ladder has all its rungs at the usual number only; elsewhere it has the lowest two, the experts, and the players
    who look ahead, who play as many games as the game declares.
    If the usual number is not among those that are wanted, the largest of these takes its place.
    Each company has a seed of its own, so that no two of them play the same deals.

    game: Name of the game.
    games: Number of games of each run; companies share this number.
    rules, settings, seed: As for `strategies.spec.make_spec`.
    quick: Whether to play only the ladder, with fewer games of players who look ahead; at the usual number of players
        if `players` is empty.
    players: Numbers of players.  If empty, all numbers that the game allows.
    asking: Whether players who look ahead play as many games in a quick report as in a full one.
    Raises UsageError if the game is not for one of the numbers of players, or something else cannot be used.
    """
    found = load_game(game)
    for number in players:
        if number not in found.players:
            raise UsageError(f"{found.title} is for {found.span}, not {number}", "players")
    counts = sorted(set(players)) or ([found.default_players] if quick else found.players)
    usual = found.default_players if found.default_players in counts else counts[-1]
    searched, runs = load_kit(game).searched, []
    strongest = players_of(game, SKILLS[-1]) if SKILLS[-1] in skills_of(game) else None
    tables = [] if quick else companies(game, usual)
    for number, company in enumerate(tables, 1):
        each = max(games // len(tables), usual)
        own = (seed + number) % (MAX_SEED + 1)  # strengths take the companies' deals for independent
        spec = make_spec(game, usual, company, rules, settings, own, "rotate", each)
        runs.append(Planned(f"company-{number:02d}", spec, "standard"))
    for count in counts:
        for rung in rungs(game):
            top = rung == players_of(game, EXPERTS)
            seated = rung if found.asymmetric else list(rung.values())
            spec = make_spec(game, count, seated, rules, settings, seed, "rotate", games)
            if spec.searches:
                hasty = quick and not asking
                if hasty and rung == strongest:
                    rung = quick_searchers(game)
                    seated = rung if found.asymmetric else list(rung.values())
                    spec = make_spec(game, count, seated, rules, settings, seed, "rotate", games)
                spec = replace(spec, games=min(games, searched[hasty]))
            elif not (count == usual or top or rung in rungs(game)[:SIMPLE]):
                continue
            if not spec.games:
                continue
            deep = count == usual or top  # these are asked for every column, so that their games are not played again
            label = "-".join(dict.fromkeys(rung.values()))
            runs.append(Planned(f"{count}p-{label}", spec, DETAIL if deep else "standard"))
    return runs
