"""Which part of who wins is luck, and where the luck comes from."""

from __future__ import annotations

from typing import Unpack

from equipoise.api.experiment import Experiment
from equipoise.parameters import GameName
from equipoise.questions.asked import Played, asked, question
from simcore.homes import GAMES


@question(
    "equipoise luck",
    "equipoise luck --strategies champion,greedy,champion,greedy",
    "equipoise luck --game fief-2 --players 3,5 --games 1e4",
    games=50_000,
)
def luck(game: GameName = GAMES[0], **given: Unpack[Played]) -> Experiment:
    """Say which part of who wins is decided by the seat, by each deck and the dice, and by the players.

    Parameters
    ----------
    games
        Games for each number of players.  Every deal takes several: chance is drawn again piece by piece.
    level
        Confidence level of the intervals, for all parts together.

    Returns
    -------
    Experiment
        Its results are `analysis.luck.Luck`, one for each number of players.

    References
    ----------
    * docs/reference/luck.md
    * Owen, A. B. (2014). Sobol' indices and Shapley value. SIAM/ASA Journal on Uncertainty Quantification 2.

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.luck(players=2, strategies=["greedy", "random"], games=1000)
    >>> found.table.columns[:4]
    ['source', 'kind', 'deals', 'part']
    """
    from analysis.luck import luck_ledger
    from reports.pages.luck import compose_luck

    it = asked(game, given)
    with it.playing(it.games * len(it.specs)) as tick:
        parts = [
            luck_ledger(spec, it.level, it.threads, tick.after(number * it.games))
            for number, spec in enumerate(it.specs)
        ]
    return it.answer("luck", tuple(parts), compose_luck)
