"""Which strategies are strong, which beat which, and the mix that nobody improves on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, Unpack

from equipoise.api.experiment import Experiment
from equipoise.parameters import GameName, Skill, Typed, check_strategies, comma_list, strategy_names
from equipoise.questions.asked import Tables, asked, question
from simcore.homes import GAMES


@question(
    "equipoise tournament",
    "equipoise tournament --strategies planner,warlord,mine.toml --players 3,4",
    "equipoise tournament --strategies mine.toml --skill club",
    "equipoise tournament --strategies planner,warlord,scout --tables all --games 1e7 --out runs/cup",
    games=1_000_000,
)
def tournament(
    game: GameName = GAMES[0],
    *,
    strategies: Annotated[
        Sequence[str | Path],
        Typed(takes="NAME,...", read=comma_list, complete=strategy_names, check=check_strategies),
    ] = (),
    skill: Skill = None,
    tables: Literal["auto", "all", "one-vs-rest"] = "auto",
    **given: Unpack[Tables],
) -> Experiment:
    """Let strategies play each other: rank them, show the matchups, and find an equilibrium mix.

    Parameters
    ----------
    strategies
        Two or more strategies, or `role=strategy`, separated by commas; each is a shipped name, a `.toml` file or
        `module:attribute`.  If empty, all quick strategies of the game, or those of the skill.
    skill
        The game's players up to this skill play, beside the strategies that are named: `family`, `club`, `experts` or
        `search` (players who look ahead, and are slow; give fewer games).  If None, only those that are named.
    games
        Games for each number of players, over all tables; every table plays the same complete deals.
    tables
        Line-ups to play.  `all`: every combination of two or more strategies, in all seatings; `one-vs-rest`: every
        strategy alone against copies of every other one, in every seat; `auto`: `all` if each table then gets 250
        deals.

    Returns
    -------
    Experiment
        Its results are `analysis.tournament.result.Tournament`, one for each number of players.

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
    from equipoise.api.tournament import enter, judge_tables, play_tables
    from reports.pages.tournament import compose_tournament

    it = asked(game, given)
    scores = play_tables(it, enter(it.game, strategies, skill), tables)
    return it.answer("tournament", tuple(judge_tables(it, scores)), compose_tournament)
