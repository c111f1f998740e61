"""Which part of who wins is luck, and where the luck comes from."""

from __future__ import annotations

from functools import partial

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Following, Tick, following, keeping
from equipoise.parameters import (
    GameCount,
    GameName,
    Level,
    LineUp,
    PlayerCounts,
    Question,
    RuleChanges,
    RuleSet,
    Seed,
    Skill,
    Threads,
)
from simcore.homes import GAMES

QUESTION = Question(
    (
        "equipoise luck",
        "equipoise luck --strategies champion,greedy,champion,greedy",
        "equipoise luck --game fief-2 --players 3,5 --games 1e4",
    ),
)


def luck(
    game: GameName = GAMES[0],
    *,
    players: PlayerCounts = None,
    strategies: LineUp = (),
    skill: Skill = None,
    rules: RuleSet = "base",
    settings: RuleChanges = None,
    games: GameCount = 50_000,
    seed: Seed = 1,
    level: Level = 0.95,
    threads: Threads = None,
    progress: Following = None,
) -> Experiment:
    """Say which part of who wins is decided by the seat, by each deck and the dice, and by the players.

    Parameters
    ----------
    game, strategies, skill, rules, settings, seed, threads
        As for `eq.simulate`.
    players
        Players at the table; several numbers, separated by commas, have a result each.  If None, the game's usual
        number.
    games
        Games for each number of players.  Every deal takes several: chance is drawn again piece by piece.
    level
        Confidence level of the intervals, for all parts together.
    progress
        How to show progress; see `equipoise.output.progress.Following`.

    Returns
    -------
    Experiment
        Its results are `analysis.luck.Luck`, one for each number of players.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.

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
    from analysis.luck import Luck, luck_ledger
    from analysis.stats.intervals import check_level
    from equipoise.api.simulation import cast
    from equipoise.api.tournament import tables_at
    from reports.pages.luck import compose_luck
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from strategies.spec import make_spec, whole_games

    check_level(level)
    played, each = load_game(game), whole_games(games)
    resolved, seated = load_rules(played, rules, settings), cast(game, strategies, skill)
    specs = [make_spec(game, count, seated, resolved, (), seed, "rotate", each) for count in tables_at(played, players)]
    results: list[Luck] = []
    with keeping(), following(progress, "games", each * len(specs)) as tick:
        for spec in specs:
            results.append(luck_ledger(spec, level, threads, partial(_further, tick, each * len(results))))
    return Experiment("luck", tuple(results), resolved, partial(compose_luck, tuple(results), resolved))


def _further(tick: Tick, before: int, games: int) -> None:
    """Show how many games are played, beside those of the tables before."""
    tick(before + games)
