"""How the seats' shares change with the strength of the players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Unpack

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Stages
from equipoise.parameters import Distance, GameName, MaybeGames, Player, Typed, shares
from equipoise.questions.asked import Tables, asked, question
from simcore.errors import UsageError
from simcore.homes import GAMES


@question(
    "equipoise skill",
    "equipoise skill --game medievallons --players 3,4",
    "equipoise skill --blunders 50%,20%,10% --searched 2000",
    "equipoise skill --attack champion",
    "equipoise skill --secrets thinker",
    games=20_000,
    here=True,
)
def skill(
    game: GameName = GAMES[0],
    blunders: Annotated[Sequence[float], Typed(takes="SHARE,...", read=shares)] = (),
    attack: Player = None,
    secrets: Player = None,
    searched: MaybeGames = None,
    margin: Distance = None,
    **given: Unpack[Tables],
) -> Experiment:
    """Let players of all strengths play, and say how the seats' shares change with what one of them wins among experts.

    Parameters
    ----------
    blunders
        Parts of their moves that experts make at random, separated by commas; each is a level of its own.  If empty,
        0.2 and 0.05.
    attack
        Player to attack instead: how much does one player win who looks ahead at a table where all others are this one?
        A name or a file; in a game with roles, also `lord=NAME,tenant=NAME`.
    secrets
        Player who looks ahead: how much more does one such player win who sees everything that is hidden, among copies
        who do not?  A name or a file, as for `attack`.
    games
        Games of each level among themselves, and of one of them among experts.
    searched
        The same for players who look ahead.  If None, what a full report plays.

    Returns
    -------
    Experiment
        Its results are `analysis.strength.Curve`, `analysis.attacks.Attacks` or `analysis.attacks.Secrets`, one for
        each number of players.

    References
    ----------
    * docs/whom-to-believe.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.skill(players=2, blunders=[0.2], games=300, searched=4)
    >>> found.table.columns[:4]
    ['skill', 'role', 'player', 'games']
    """
    from analysis.attacks import attack as attack_player
    from analysis.attacks import defenders_of, value_of_secrets
    from analysis.data.threads import on_threads
    from analysis.seats.levels import searched_games
    from analysis.stats.margin import as_margin
    from analysis.strength import BLUNDERS, levels_of, strength_curve
    from reports.pages.skill import compose_attacks, compose_secrets, compose_skill
    from strategies.kit import load_kit
    from strategies.spec import whole_games

    it = asked(game, given)
    levels = levels_of(it.game, blunders or BLUNDERS)
    few = min(it.games, whole_games(searched) if searched else searched_games(it.game.name))
    most = 0 if searched else min(it.games, load_kit(it.game.name).most)
    fair, how = as_margin(margin), (few, it.seed, it.level)
    if None not in (secrets, attack):
        raise UsageError("is another question; ask one at a time", "secrets")
    with on_threads(it.threads), Stages(it.progress) as stages:
        tick = partial(stages, "games")
        if secrets is not None:
            ahead = defenders_of(it.game, secrets, "secrets")
            worth = (value_of_secrets(it.rules, it.game, count, ahead, *how, tick) for count in it.players)
            return it.answer("skill", tuple(worth), compose_secrets)
        if attack is not None:
            attacked = defenders_of(it.game, attack)
            won = (attack_player(it.rules, it.game, count, attacked, *how, tick=tick) for count in it.players)
            return it.answer("skill", tuple(won), compose_attacks)
        curves = (
            strength_curve(it.rules, it.game, count, levels, it.games, few, it.seed, fair, it.level, tick, most)
            for count in it.players
        )
        return it.answer("skill", tuple(curves), compose_skill)
