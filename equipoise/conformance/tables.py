"""Runs in which a strong player of each role meets weak ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simcore.game import load_game
from simcore.running.batch import Spec
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.spec import make_spec

SEED = 17


def spec_of(game: str, players: int, **options: Any) -> Spec:
    """Return a run in which each role's default strategy sits first, and weak strategies sit in its other seats."""
    kit = load_kit(game)
    line = {
        role.name: [kit.default_of(role.name), *[weakest(game, role.name)] * (len(role.at(players)) - 1)]
        for role in load_game(game).roles
    }
    return make_spec(game, players, line, seed=SEED, **options)


def briefly(strategy: Strategy) -> Strategy:
    """Return a strategy that imagines few games if it looks ahead: they are as good as many, being made alike."""
    if strategy.search is None:
        return strategy
    foresights = {key: replace(one, tables=2) for key, one in strategy.search.foresights.items()}
    return replace(strategy, search=replace(strategy.search, rollouts=2, foresights=foresights))


def weakest(game: str, role: str) -> str:
    """Return a shipped strategy of a role that chooses at random, or otherwise one that is not the default."""
    found = load_game(game)
    names = [name for name in shipped_strategies(found) if load_strategy(found, name).role in ("", role)]
    default = load_kit(game).default_of(role)
    return "random" if "random" in names else next((name for name in names if name != default), default)
