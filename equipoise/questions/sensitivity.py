"""Which verdicts depend on what the rulebook leaves open."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Unpack

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Stages, keeping
from equipoise.parameters import Distance, GameName, GoAhead, RuleParts, Typed, patience
from equipoise.questions.asked import Played, asked, question
from simcore.homes import GAMES


@question(
    "equipoise sensitivity",
    "equipoise sensitivity --players 2,4 --strategies greedy",
    "equipoise sensitivity --only shortfall,tiles --shuffles 10",
    games=20_000,
)
def sensitivity(
    game: GameName = GAMES[0],
    only: RuleParts = (),
    shuffles: Annotated[int, Typed(span=(1, 100))] = 3,
    margin: Distance = None,
    yes: GoAhead = False,
    **given: Unpack[Played],
) -> Experiment:
    """Change each switch of the rules and each assumed table, one at a time, and say which verdicts depend on it.

    Parameters
    ----------
    only
        Switches and tables to try, separated by commas.  If empty, all switches and all assumed tables.
    shuffles
        How often each table is shuffled.
    games
        Games of each variant.

    Raises
    ------
    UsageError
        If there is nothing to try, the work would take too long, or the game is played for a payoff.

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
    from analysis.sensitivity import sensitivity as examine
    from analysis.stats.margin import as_margin
    from reports.pages.sweep import compose_sensitivity

    it = asked(game, given)
    what = (it.game.name, it.rules, it.players, it.strategies, it.games, it.seed, only, shuffles, as_margin(margin))
    with keeping(), Stages(it.progress) as tick:
        result = examine(*what, it.level, it.threads, partial(tick, "games"), partial(patience, yes))
    return it.answer("sensitivity", result, compose_sensitivity)
