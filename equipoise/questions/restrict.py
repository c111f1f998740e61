"""What a strong player loses if one thing at a time is forbidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Unpack

from equipoise.api.experiment import Experiment
from equipoise.parameters import GameName, Player, Players, Skill, Typed, check_strategies, comma_list, strategy_names
from equipoise.questions.asked import Judged, asked, listed, question
from simcore.errors import UsageError
from simcore.homes import GAMES


def names_of(given: Mapping[str, Any]) -> list[str]:
    """Return the names of everything that can be forbidden."""
    from equipoise.api.tournament import restrictions

    return restrictions(given["game"], given["rules"], given["settings"])


@question(
    "equipoise restrict",
    "equipoise restrict --forbid scout,robbery,foresight --games 1e6",
    "equipoise restrict --strategy mine.toml --against greedy --players 3",
    "equipoise restrict --skill family",
    "equipoise restrict --list",
    games=100_000,
    lists=names_of,
)
def restrict(
    game: GameName = GAMES[0],
    *,
    players: Players = None,
    strategy: Player = None,
    against: Annotated[
        str | Path | Sequence[str | Path],
        Typed(takes="NAME,...", read=comma_list, complete=strategy_names, check=check_strategies),
    ] = (),
    skill: Skill = None,
    forbid: Annotated[Sequence[str] | None, Typed(takes="NAME,...", read=comma_list)] = None,
    **given: Unpack[Judged],
) -> Experiment:
    """Forbid a strategy one thing at a time, and measure what it loses.

    Parameters
    ----------
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

    Returns
    -------
    Experiment
        Its only result is an `analysis.restricted_play.Restricted`.

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
    from equipoise.api.tournament import forbidden, seated
    from reports.pages.restrict import compose_restricted

    it = asked(game, {**given, "players": players})
    player, role, others = seated(it.game, strategy, listed(against), skill)
    turns = len(role.at(it.players[0]))
    if it.games < turns:
        raise UsageError(f"{it.games} games are fewer than one deal, which takes {turns}; give more", "games")
    one_by_one = forbidden(it.game.name, it.rules, forbid)
    deals = it.games // turns
    with it.playing(deals * turns * (len(one_by_one) + 1)) as tick:
        how = (it.players[0], deals, it.seed, it.level, it.threads, tick, role.name)
        result = restricted(it.game, player, others, it.rules, one_by_one, *how)
    return it.answer("restrict", result, compose_restricted)
