"""How the seats' shares change with the strength of the players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Following, Stages
from equipoise.parameters import (
    Distance,
    GameCount,
    GameName,
    Level,
    MaybeGames,
    Player,
    PlayerCounts,
    Question,
    RuleChanges,
    RuleSet,
    Seed,
    Threads,
    Typed,
    shares,
)
from simcore.homes import GAMES

QUESTION = Question(
    (
        "equipoise skill",
        "equipoise skill --game medievallons --players 3,4",
        "equipoise skill --blunders 50%,20%,10% --searched 2000",
        "equipoise skill --attack champion",
        "equipoise skill --secrets thinker",
    ),
    here=True,
)


def skill(
    game: GameName = GAMES[0],
    players: PlayerCounts = None,
    rules: RuleSet = "base",
    settings: RuleChanges = None,
    blunders: Annotated[Sequence[float], Typed(takes="SHARE,...", read=shares)] = (),
    attack: Player = None,
    secrets: Player = None,
    games: GameCount = 20_000,
    searched: MaybeGames = None,
    seed: Seed = 1,
    margin: Distance = "12%",
    level: Level = 0.95,
    threads: Threads = None,
    progress: Following = None,
) -> Experiment:
    """Let players of all strengths play, and say how the seats' shares change with what one of them wins among experts.

    Parameters
    ----------
    game, rules, settings, seed, level, threads
        As for `eq.simulate`.
    players
        Players at the table; several numbers, separated by commas, have a result each.  If None, the game's usual
        number.
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
    margin
        Distance from par that counts as close enough: `12%` of par, or `3pp` (percentage points).
    progress
        How to show progress; see `equipoise.output.progress.Following`.

    Returns
    -------
    Experiment
        Its results are `analysis.strength.Curve`, `analysis.attacks.Attacks` or `analysis.secrets.Secrets`, one for
        each number of players.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.

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
    from analysis.attacks import defenders_of
    from analysis.data.threads import on_threads
    from analysis.secrets import value_of_secrets
    from analysis.stats.margin import as_margin
    from analysis.strength import BLUNDERS, levels_of, strength_curve
    from equipoise.api.tournament import tables_at
    from reports.pages.skill import compose_attacks, compose_secrets, compose_skill
    from simcore.errors import UsageError
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from strategies.kit import load_kit
    from strategies.spec import whole_games

    played = load_game(game)
    resolved = load_rules(played, rules, settings)
    levels = levels_of(played, blunders or BLUNDERS)
    counts = tables_at(played, players)
    each = whole_games(games)
    few = min(each, whole_games(searched) if searched else load_kit(played.name).searched[0])
    if secrets is not None:
        if attack is not None:
            raise UsageError("is another question; ask one at a time", "secrets")
        ahead = defenders_of(played, secrets, "secrets")
        with on_threads(threads), Stages(progress) as tick:
            worth = tuple(
                value_of_secrets(resolved, played, count, ahead, few, seed, level, partial(tick, "games"))
                for count in counts
            )
        return Experiment("skill", worth, resolved, partial(compose_secrets, worth, resolved))
    if attack is not None:
        attacked = defenders_of(played, attack)
        with on_threads(threads), Stages(progress) as tick:
            known = tuple(
                attack_player(resolved, played, count, attacked, few, seed, level, tick=partial(tick, "games"))
                for count in counts
            )
        return Experiment("skill", known, resolved, partial(compose_attacks, known, resolved))
    fair = as_margin(margin)
    with on_threads(threads), Stages(progress) as tick:
        results = tuple(
            strength_curve(resolved, played, count, levels, each, few, seed, fair, level, partial(tick, "games"))
            for count in counts
        )
    return Experiment("skill", results, resolved, partial(compose_skill, results, resolved))
