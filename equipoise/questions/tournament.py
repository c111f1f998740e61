"""Which strategies are strong, which beat which, and the mix that nobody improves on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Following
from equipoise.parameters import (
    GameCount,
    GameName,
    Level,
    PlayerCounts,
    Question,
    RuleChanges,
    RuleSet,
    Seed,
    Skill,
    Threads,
    Typed,
    comma_list,
    strategy_names,
)
from simcore.homes import GAMES

QUESTION = Question(
    (
        "equipoise tournament",
        "equipoise tournament --strategies planner,warlord,mine.toml --players 3,4",
        "equipoise tournament --strategies mine.toml --skill club",
        "equipoise tournament --strategies planner,warlord,scout --tables all --games 1e7 --out runs/cup",
    ),
)


def tournament(
    game: GameName = GAMES[0],
    *,
    strategies: Annotated[Sequence[str | Path], Typed(takes="NAME,...", read=comma_list, complete=strategy_names)] = (),
    skill: Skill = None,
    players: PlayerCounts = None,
    games: GameCount = 1_000_000,
    tables: Literal["auto", "all", "one-vs-rest"] = "auto",
    rules: RuleSet = "base",
    settings: RuleChanges = None,
    seed: Seed = 1,
    level: Level = 0.95,
    threads: Threads = None,
    progress: Following = None,
) -> Experiment:
    """Let strategies play each other: rank them, show the matchups, and find an equilibrium mix.

    Parameters
    ----------
    game, rules, settings, seed, level, threads
        As for `eq.simulate`.
    strategies
        Two or more strategies, or `role=strategy`, separated by commas; each is a shipped name, a `.toml` file or
        `module:attribute`.  If empty, all quick strategies of the game, or those of the skill.
    skill
        The game's players up to this skill play, beside the strategies that are named: `family`, `club`, `experts` or
        `search` (players who look ahead, and are slow; give fewer games).  If None, only those that are named.
    players
        Players at the table; several numbers, separated by commas, have a result each.  If None, the game's usual
        number.
    games
        Games for each number of players, over all tables; every table plays the same complete deals.
    tables
        Line-ups to play.  `all`: every combination of two or more strategies, in all seatings; `one-vs-rest`: every
        strategy alone against copies of every other one, in every seat; `auto`: `all` if each table then gets 250
        deals.
    progress
        How to show progress; see `equipoise.output.progress.Following`.

    Returns
    -------
    Experiment
        Its results are `analysis.tournament.Tournament`, one for each number of players.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.

    References
    ----------
    * docs/reference/tournament.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.tournament(strategies=["greedy", "random"], players=2, games=1000)
    >>> found.table.columns[:4]
    ['strategy', 'strength', 'strength_se', 'strength_low']
    """
    from analysis.stats.intervals import check_level
    from equipoise.api.tournament import enter, judge_tables, play_tables, tables_at
    from reports.pages.tournament import compose_tournament
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from strategies.spec import whole_games

    check_level(level)
    played = load_game(game)
    resolved = load_rules(played, rules, settings)
    entered = enter(played, strategies, skill)
    scores = play_tables(
        played, entered, resolved, tables_at(played, players), whole_games(games), tables, seed, threads, progress
    )
    results = judge_tables(scores, level, progress)
    return Experiment("tournament", tuple(results), resolved, partial(compose_tournament, results, resolved))
