"""`eq.sensitivity`: which verdicts depend on what the rulebook leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from analysis.sensitivity import SHUFFLES
from analysis.sensitivity import sensitivity as question
from analysis.stats.margin import FAIR, Margin, as_margin
from equipoise.api.arguments import listed
from equipoise.api.experiment import Experiment
from equipoise.api.following import Following, Stages, keeping
from equipoise.api.sweeping import patience
from reports.sensitivity import compose_sensitivity
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import Rules, load_rules
from simcore.rules.settings import Settings
from strategies.spec import DEFAULT_SEED, References, whole_games

DEFAULT_GAMES = 20_000


def sensitivity(
    game: str = GAMES[0],
    players: int | Sequence[int] | None = None,
    strategies: References = (),
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    only: Sequence[str] = (),
    shuffles: int = SHUFFLES,
    games: float = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    margin: Margin | float | str = FAIR,
    level: float = 0.95,
    threads: int | None = None,
    yes: bool = False,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Experiment:
    """Change each switch of the rules and each assumed table, one at a time, and say which verdicts depend on it.

    Parameters
    ----------
    game, strategies, rules, settings, seed
        As for `eq.simulate`.
    players
        Players at the table, or several numbers.  If None, the game's usual number.
    only
        Switches and tables to try.  If empty, all switches and all assumed tables.
    shuffles
        How often each table is shuffled.
    games
        Games of each variant.
    margin
        Distance from par that counts as fair: "12%" of par, or "3pp" (percentage points).
    level
        Confidence level.
    threads
        Number of threads.  If None, one for each processor.
    yes
        Whether to start even if the work takes more than half an hour.
    progress
        How to show progress; see `equipoise.api.following.Following`.
    command
        Command line to show in the documents.

    Raises
    ------
    UsageError
        If there is nothing to try, or the work would take too long.
    """
    found = load_game(game)
    own = load_rules(found, rules, settings)
    counts = tuple(listed(players)) or (found.default_players,)
    with keeping(), Stages(progress) as tick:
        result = question(
            game, own, counts, strategies, whole_games(games), seed, only, shuffles, as_margin(margin), level,
            threads, partial(tick, "games"), partial(patience, yes),
        )  # fmt: skip
    compose = partial(compose_sensitivity, result, own)
    return Experiment("sensitivity", (result,), own, compose, tuple(command))
