"""Do real games agree with the simulation, and what could a planned number of games show?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Following
from equipoise.parameters import (
    DecimalMark,
    GameCount,
    GameName,
    Level,
    LineUps,
    Players,
    RuleChanges,
    RuleSet,
    Seed,
    Skill,
    Teams,
    Threads,
    Typed,
)
from equipoise.questions.asked import listed, question
from simcore.errors import UsageError
from simcore.homes import GAMES


@question(
    "equipoise playtest --plan 30 --groups 3",
    "equipoise playtest games.csv",
    "equipoise playtest games.csv --skill experts",
    "equipoise playtest games.csv --game seigneurial --log evening.jsonl",
)
def playtest(
    results: Annotated[str | Path | None, Typed(takes="FILE", argument=True)] = None,
    game: GameName = GAMES[0],
    logs: Annotated[Sequence[str | Path], Typed(takes="FILE", each=True, option="log")] = (),
    teams: Teams = "",
    decimal: DecimalMark = "",
    plan: Annotated[int | None, Typed(span=(2, 5_000))] = None,
    groups: int = 1,
    players: Players = None,
    strategies: LineUps = (),
    skill: Skill = None,
    rules: RuleSet = "base",
    settings: RuleChanges = None,
    games: GameCount = 40_000,
    seed: Seed = 1,
    level: Level = 0.95,
    threads: Threads = None,
    progress: Following = None,
) -> Experiment:
    """Compare the results of real games with the simulation at each level of skill, or say what a plan could show.

    Parameters
    ----------
    results
        Results of real games: a table or an imported run; docs/your-results.md lists the columns.
    game, rules, settings, seed, level, threads
        As for `eq.simulate`.
    teams, decimal
        As for `eq.import_table`.
    logs
        Replay log of a further game; may be repeated.
    plan
        Number of games that somebody intends to play; given instead of results, to see what they could show.
    groups
        With a plan: number of groups of people who play.
    players
        With a plan: players at the table.  If None, the game's usual number.
    strategies
        The levels of skill, weakest first, separated by `|`; each is one strategy for all seats, or one for each role.
        If empty, the game's ladder.
    skill
        The strongest players of the ladder: `family`, `club`, `experts` or `search` (players who look ahead, and are
        slow).  If None, search.
    games
        Simulated games of each level of skill at each number of players.  For levels that look ahead, a 200th of that,
        but at least 200.
    progress
        How to show progress; see `equipoise.output.progress.Following`.

    Raises
    ------
    UsageError
        If a row of the file, a log or an argument cannot be used; the message says which one, and why.

    References
    ----------
    * docs/your-results.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.playtest(plan=30, strategies=["random", "greedy"], players=2, games=1000)
    >>> found.table.height
    1
    """
    from analysis.playtest import Sheet, judge_games, plan_games
    from analysis.stats.intervals import check_level
    from equipoise.api.importing import play_ladder, read_games, specs_of
    from reports.pages.playtest import compose_plan, compose_playtest
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from strategies.spec import whole_games

    check_level(level)
    played = load_game(game)
    resolved = load_rules(played, rules, settings)
    sheet, unchecked = Sheet(()), list[str]()
    if plan is not None:
        if results is not None or logs or teams or decimal:
            raise UsageError("a plan is made before there are results; leave out one of the two", "plan")
        if not 1 <= groups <= plan:
            raise UsageError(f"{groups} is out of range; give 1 to {plan}, the number of games", "groups")
        counts: tuple[int, ...] = (played.default_players if players is None else players,)
    else:
        if results is None and not logs:
            raise UsageError("no results; name a table of them", way_out=(", or plan some games with", "plan"))
        if players is not None:
            raise UsageError("the file says how many play; leave out the option", "players")
        sheet, unchecked = read_games(results, listed(logs), played, resolved, decimal, teams)
        counts = tuple(sorted({match.players for match in sheet.matches}))
    specs = specs_of(played, resolved, counts, strategies, skill, whole_games(games), seed)
    grid = play_ladder(played, resolved, counts, specs, sheet, threads, progress)
    flat = [spec for rung in specs for spec in rung.values()]
    if plan is not None:
        planned = plan_games(grid, plan, groups, flat, level)
        return Experiment("playtest", (planned,), resolved, partial(compose_plan, planned, resolved))
    judged = judge_games(grid, sheet, flat, unchecked, level)
    return Experiment("playtest", (judged,), resolved, partial(compose_playtest, judged, resolved))
