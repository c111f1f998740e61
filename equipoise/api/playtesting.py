"""`eq.playtest`: do real games agree with the simulation, and what could a planned number of games show?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from analysis.playtest import (
    MOST_GAMES,
    Grid,
    Rung,
    Sheet,
    judge_games,
    make_grid,
    plan_games,
    play_table,
    read_log,
    read_sheet,
)
from analysis.stats.intervals import check_level
from equipoise.api.arguments import listed
from equipoise.api.experiment import Experiment
from equipoise.api.following import Following, following, keeping
from reports.field import FEWEST, SEARCHED, rungs
from reports.playtest import compose_plan, compose_playtest
from simcore.errors import UsageError
from simcore.game import Game, load_game
from simcore.homes import GAMES
from simcore.rules.files import Rules, load_rules
from simcore.rules.settings import Settings
from simcore.running.batch import Spec
from strategies.spec import DEFAULT_SEED, References, make_spec, whole_games

DEFAULT_GAMES = 40_000


def playtest(
    results: str | Path | None = None,
    game: str = GAMES[0],
    logs: Sequence[str | Path] = (),
    plan: int | None = None,
    groups: int = 1,
    players: int | None = None,
    strategies: Sequence[References] | str = (),
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    games: float = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    threads: int | None = None,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Experiment:
    """Compare the results of real games with the simulation at each level of skill, or say what a plan could show.

    Parameters
    ----------
    results
        A CSV file with one row for each seat of each game; docs/playtest.md lists its columns.
    game, rules, settings, seed
        As for `eq.simulate`.
    logs
        Replay logs of single games that are added to the results.
    plan
        Number of games that somebody intends to play; given instead of results.
    groups, players
        With `plan`: the number of groups of people who play, and the number of players at a table (if None, the game's
        usual number).
    strategies
        The levels of skill, weakest first; each is one strategy for all seats, or one for each role.  If empty, the
        levels that the game declares.
    games
        Simulated games of each level at each number of players.  For levels that look ahead, a 200th of that, but at
        least 200.
    level
        Confidence level of the intervals.
    threads
        Number of threads.  If None, one for each processor.
    progress
        How to show progress; see `equipoise.api.following.Following`.
    command
        Command line to show in the documents.

    Raises
    ------
    UsageError
        If a row of the file, a log or an argument cannot be used; the message says which one, and why.
    """
    check_level(level)
    found = load_game(game)
    own = load_rules(found, rules, settings)
    sheet, unchecked = Sheet(()), list[str]()
    if plan is not None:
        if results is not None or logs:
            raise UsageError("a plan is made before there are results; leave out one of the two", "plan")
        if not 2 <= plan <= MOST_GAMES:
            raise UsageError(f"{plan} is out of range; give a number of games from 2 to {MOST_GAMES:,}", "plan")
        if not 1 <= groups <= plan:
            raise UsageError(f"{groups} is out of range; give 1 to {plan}, the number of games", "groups")
        counts: tuple[int, ...] = (found.default_players if players is None else players,)
    else:
        if results is None and not logs:
            raise UsageError("no results; name a CSV file", way_out=(", or plan some games with", "plan"))
        if players is not None:
            raise UsageError("the file says how many play; leave out the option", "players")
        sheet, unchecked = _read(results, listed(logs), found, own)
        counts = tuple(sorted({match.players for match in sheet.matches}))
    specs = _specs(found, own, counts, strategies, whole_games(games), seed)
    grid = _played(found, own, counts, specs, sheet.by_role, threads, progress)
    flat = [spec for rung in specs for spec in rung.values()]
    if plan is not None:
        planned = plan_games(grid, plan, groups, flat, level)
        return Experiment("playtest", (planned,), own, partial(compose_plan, planned, own), tuple(command))
    judged = judge_games(grid, sheet, flat, unchecked, level)
    return Experiment("playtest", (judged,), own, partial(compose_playtest, judged, own), tuple(command))


def _read(results: str | Path | None, logs: Sequence[str | Path], game: Game, rules: Rules) -> tuple[Sheet, list[str]]:
    """Return all games, and the logs whose moves could not be checked."""
    sheet = Sheet((), grouped=True) if results is None else read_sheet(Path(results), game)
    matches, unchecked = list(sheet.matches), []
    for path in map(Path, logs):
        match, checked = read_log(path, game, rules, sheet.by_role)
        matches.append(match)
        if not checked:
            unchecked.append(path.name)
    return replace(sheet, matches=tuple(matches)), unchecked


def _specs(
    game: Game, rules: Rules, counts: Sequence[int], strategies: Sequence[References] | str, games: int, seed: int
) -> list[dict[int, Spec]]:
    """Return what is played at each level of skill and each number of players."""
    lineups: Sequence[References] = listed(strategies) or [_seated(game, rung) for rung in rungs(game.name)]
    if len(lineups) < 2:
        raise UsageError("a ladder has at least two levels of skill; name them, weakest first", "strategies")
    found = []
    for lineup in lineups:
        own = {players: make_spec(game.name, players, lineup, rules, (), seed, "rotate", games) for players in counts}
        for players, spec in own.items():
            if spec.mixed_roles:
                raise UsageError("a level of skill is one strategy, or one for each role; name one", "strategies")
            if spec.searches:
                own[players] = replace(spec, games=min(games, max(games // SEARCHED, FEWEST)))
        found.append(own)
    return found


def _seated(game: Game, rung: Mapping[str, str]) -> References:
    return dict(rung) if game.asymmetric else next(iter(rung.values()))


def _played(
    game: Game, rules: Rules, counts: Sequence[int], specs: Sequence[Mapping[int, Spec]], by_role: bool,
    threads: int | None, progress: Following,
) -> Grid:  # fmt: skip
    """Play the ladder of skill at all numbers of players, and return the results."""
    done, ladder = 0, []
    with keeping(), following(progress, "games", sum(spec.games for rung in specs for spec in rung.values())) as tick:

        def step(games: int) -> None:
            nonlocal done
            done += games
            tick(done)

        for rung in specs:
            tables = {players: play_table(spec, threads, step) for players, spec in rung.items()}
            names = tuple(dict.fromkeys(next(iter(rung.values())).strategies))
            ladder.append(Rung(names, tables))
    return make_grid(game, rules, ladder, counts, by_role)
