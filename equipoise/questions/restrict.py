"""What a strong player loses if one thing at a time is forbidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Following, following, keeping
from equipoise.parameters import (
    GameCount,
    GameName,
    Level,
    Player,
    Players,
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
from simcore.errors import UsageError
from simcore.homes import GAMES


def names_of(given: Mapping[str, Any]) -> list[str]:
    """Return the names of everything that can be forbidden."""
    from equipoise.api.tournament import restrictions

    return restrictions(given["game"], given["rules"], given["settings"])


QUESTION = Question(
    (
        "equipoise restrict",
        "equipoise restrict --forbid scout,robbery,foresight --games 1e6",
        "equipoise restrict --strategy mine.toml --against greedy --players 3",
        "equipoise restrict --skill family",
        "equipoise restrict --list",
    ),
    lists=names_of,
)


def restrict(
    game: GameName = GAMES[0],
    *,
    strategy: Player = None,
    against: Annotated[
        str | Path | Sequence[str | Path], Typed(takes="NAME,...", read=comma_list, complete=strategy_names)
    ] = (),
    skill: Skill = None,
    forbid: Annotated[Sequence[str] | None, Typed(takes="NAME,...", read=comma_list)] = None,
    players: Players = None,
    games: GameCount = 100_000,
    rules: RuleSet = "base",
    settings: RuleChanges = None,
    seed: Seed = 1,
    level: Level = 0.95,
    threads: Threads = None,
    progress: Following = None,
) -> Experiment:
    """Forbid a strategy one thing at a time, and measure what it loses.

    Parameters
    ----------
    game, players, skill, rules, settings, seed, threads
        As for `eq.simulate`; with `skill`, leave out `against`.
    strategy
        The strategy to restrict: a shipped name, a `.toml` file or `module:attribute`; or `role=strategy`.  If None,
        the game's strongest, or the player of the skill.
    against
        The strategy of all other seats; or `role=strategy` for each role, separated by commas.  If empty, the same.
    forbid
        What to forbid, one thing at a time, separated by commas; `eq.restrictions` lists the names.  If None,
        everything that can be forbidden.
    games
        Games without a restriction; as many are played with each restriction.
    level
        Confidence level of the intervals, for all restrictions together.
    progress
        How to show progress; see `equipoise.output.progress.Following`.

    Returns
    -------
    Experiment
        Its only result is an `analysis.restricted_play.Restricted`.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.

    References
    ----------
    * docs/reference/restrict.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.restrict(players=2, strategy="greedy", forbid=["scout"], games=1000)
    >>> found.table.height
    1
    """
    from analysis.restricted_play import restricted
    from analysis.stats.intervals import check_level
    from equipoise.api.arguments import listed
    from equipoise.api.tournament import forbidden, seated, tables_at
    from reports.pages.restrict import compose_restricted
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from strategies.spec import whole_games

    check_level(level)
    played, count = load_game(game), whole_games(games)
    resolved = load_rules(played, rules, settings)
    seats = tables_at(played, players)[0]
    player, role, others = seated(played, strategy, listed(against), skill)
    turns = len(role.at(seats))
    if count < turns:
        raise UsageError(f"{count} games are fewer than one deal, which takes {turns}; give more", "games")
    one_by_one = forbidden(game, resolved, forbid)
    deals = count // turns
    with keeping(), following(progress, "games", deals * turns * (len(one_by_one) + 1)) as tick:
        result = restricted(
            played, player, others, resolved, one_by_one, seats, deals, seed, level, threads, tick, role.name
        )
    return Experiment("restrict", (result,), resolved, partial(compose_restricted, result, resolved))
