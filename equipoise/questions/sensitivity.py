"""Which verdicts depend on what the rulebook leaves open."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Following, Stages, keeping
from equipoise.parameters import (
    Distance,
    GameCount,
    GameName,
    GoAhead,
    Level,
    LineUp,
    PlayerCounts,
    Question,
    RuleChanges,
    RuleParts,
    RuleSet,
    Seed,
    Skill,
    Threads,
    Typed,
)
from simcore.homes import GAMES

QUESTION = Question(
    (
        "equipoise sensitivity",
        "equipoise sensitivity --players 2,4 --strategies greedy",
        "equipoise sensitivity --only shortfall,tiles --shuffles 10",
    )
)


def sensitivity(
    game: GameName = GAMES[0],
    players: PlayerCounts = None,
    strategies: LineUp = (),
    skill: Skill = None,
    rules: RuleSet = "base",
    settings: RuleChanges = None,
    only: RuleParts = (),
    shuffles: Annotated[int, Typed(span=(1, 100))] = 3,
    games: GameCount = 20_000,
    seed: Seed = 1,
    margin: Distance = "12%",
    level: Level = 0.95,
    threads: Threads = None,
    yes: GoAhead = False,
    progress: Following = None,
) -> Experiment:
    """Change each switch of the rules and each assumed table, one at a time, and say which verdicts depend on it.

    Parameters
    ----------
    game, players, strategies, skill, rules, settings, seed, level, threads
        As for `eq.simulate`; `players` may be several numbers.
    only
        Switches and tables to try, separated by commas.  If empty, all switches and all assumed tables.
    shuffles
        How often each table is shuffled.
    games
        Games of each variant.
    margin
        Distance from par that counts as close enough: `12%` of par, or `3pp` (percentage points).
    yes
        Play even if it takes more than half an hour.
    progress
        How to show progress; see `equipoise.output.progress.Following`.

    Raises
    ------
    UsageError
        If there is nothing to try, or the work would take too long.

    References
    ----------
    * docs/reference/sensitivity.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.sensitivity(players=2, strategies="greedy", only=["shortfall"], games=1000)
    >>> found.table.height
    1
    """
    from analysis.sensitivity import sensitivity as find
    from analysis.stats.margin import as_margin
    from equipoise.api.arguments import listed
    from equipoise.api.simulation import cast
    from equipoise.parameters import patience
    from reports.pages.sweep import compose_sensitivity
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from strategies.spec import whole_games

    played = load_game(game)
    examined = load_rules(played, rules, settings)
    counts = tuple(listed(players)) or (played.default_players,)
    with keeping(), Stages(progress) as tick:
        result = find(
            game,
            examined,
            counts,
            cast(game, strategies, skill),
            whole_games(games),
            seed,
            only,
            shuffles,
            as_margin(margin),
            level,
            threads,
            partial(tick, "games"),
            partial(patience, yes),
        )
    return Experiment("sensitivity", (result,), examined, partial(compose_sensitivity, result, examined))
