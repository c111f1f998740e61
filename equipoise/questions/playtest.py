"""Do real games agree with the simulation, and what could a planned number of games show?"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Unpack

from analysis.playtest import PLANNED
from equipoise.api.experiment import Experiment
from equipoise.parameters import DecimalMark, GameName, LineUps, Players, Skill, Teams, Typed, table_of
from equipoise.questions.asked import Judged, asked, listed, question
from simcore.errors import UsageError
from simcore.homes import GAMES


@question(
    "equipoise playtest --plan 30 --groups 3",
    "equipoise playtest games.csv",
    "equipoise playtest games.csv --skill experts",
    "equipoise playtest games.csv --game seigneurial --log evening.jsonl",
    games=40_000,
)
def playtest(
    results: Annotated[str | Path | None, Typed(takes="FILE", read=table_of, argument=True)] = None,
    game: GameName = GAMES[0],
    logs: Annotated[Sequence[str | Path], Typed(takes="FILE", each=True, option="log")] = (),
    teams: Teams = "",
    decimal: DecimalMark = "",
    plan: Annotated[int | None, Typed(span=PLANNED)] = None,
    groups: int = 1,
    players: Players = None,
    strategies: LineUps = (),
    skill: Skill = None,
    **given: Unpack[Judged],
) -> Experiment:
    """Compare the results of real games with the simulation at each level of skill, or say what a plan could show.

    Parameters
    ----------
    results
        Results of real games: a table or an imported run; docs/your-results.md lists the columns.
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
    from analysis.playtest.result import judge_games, plan_games
    from analysis.playtest.sheet import Sheet
    from equipoise.api.importing import play_ladder, read_games, specs_of
    from reports.pages.playtest import compose_plan, compose_playtest
    from reports.portable import portable_command

    it = asked(game, given if plan is None else {**given, "players": players})
    sheet, unchecked = Sheet(()), list[str]()
    if plan is not None:
        if results is not None or logs or teams or decimal:
            raise UsageError("a plan is made before there are results; leave out one of the two", "plan")
        if not 1 <= groups <= plan:
            raise UsageError(f"{groups} is out of range; give 1 to {plan}, the number of games", "groups")
        counts = it.players
    else:
        if results is None and not logs:
            raise UsageError("no results; name a table of them", way_out=(", or plan some games with", "plan"))
        if players is not None:
            raise UsageError("the file says how many play; leave out the option", "players")
        sheet, unchecked = read_games(results, listed(logs), it.game, it.rules, decimal, teams)
        counts = tuple(sorted({match.players for match in sheet.matches}))
    specs = specs_of(it, counts, strategies, skill)
    grid = play_ladder(it, counts, specs, sheet)
    flat = [spec for rung in specs for spec in rung.values()]
    if plan is not None:
        return it.answer("playtest", plan_games(grid, plan, groups, flat, it.level), compose_plan)
    texts = {"log": listed(logs), "teams": listed(teams or None), "decimal": listed(decimal or None)}
    options = [f"--{name}={value}" for name, values in texts.items() for value in values]
    files = portable_command(["playtest", *map(str, listed(results)), *options])
    compose = partial(compose_playtest, question=shlex.join(files))
    return it.answer("playtest", judge_games(grid, sheet, flat, unchecked, it.level), compose)
