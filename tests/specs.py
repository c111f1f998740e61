"""Runs for tests, put together from names."""

from __future__ import annotations

from collections.abc import Sequence

from simcore.batch import Spec
from simcore.game import load_game
from simcore.rules import load_rules
from strategies.library import lineup, load_strategy, seat_strategies


def make_spec(
    players: int = 4,
    strategies: Sequence[str] = ("random",),
    settings: Sequence[str] = (),
    *,
    game: str = "middle-ages",
    rules: str = "base",
    design: str = "fixed",
    seed: int = 1,
    games: int = 1000,
) -> Spec:
    """Return a run; the names as on the command line."""
    played = load_game(game)
    resolved = load_rules(played, rules, settings)
    seated = seat_strategies([load_strategy(played, name) for name in strategies], players)
    names = tuple(strategy.name for strategy in seated)
    record = played.pack(resolved.values, players)
    return Spec(played, players, resolved, names, design, seed, games, record, lineup(played, seated, players, design))
