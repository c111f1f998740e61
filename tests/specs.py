"""Runs for tests, in few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simcore.running.batch import Spec
from strategies import spec


def make_spec(
    players: int = 4,
    strategies: Sequence[str] | Mapping[str, Sequence[str]] = ("random",),
    settings: Sequence[str] = (),
    *,
    game: str = "middle-ages",
    rules: str = "base",
    design: str = "fixed",
    seed: int = 1,
    games: int = 1000,
) -> Spec:
    """Return a run; the names as on the command line."""
    return spec.make_spec(game, players, strategies, rules, settings, seed, design, games)
