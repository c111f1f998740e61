"""No tenant's seat of Seigneurial is better than another: strategies that weigh moves favour none among equals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy, quick_strategies
from strategies.model import Strategy
from strategies.spec import assemble_spec

GAME = load_game("seigneurial")
LORDS = [name for name in quick_strategies(GAME) if load_strategy(GAME, name).role == "lord"]
CHANCE = 1e-4
"""Chance with which a test fails though the seats are equal; the seeds are fixed, so that it always or never fails."""


def wins(lord: Strategy, tenant: str, players: int, seed: int, games: int) -> np.ndarray:
    """Return how many games each tenant's seat wins against a lord."""
    seated = [lord, *[load_strategy(GAME, tenant)] * (players - 1)]
    spec = assemble_spec(GAME, players, seated, load_rules(GAME), seed, "fixed", games)
    won: np.ndarray = run_chunk(spec, 0, games)["share60"].reshape(games, players)[:, 1:] == 60
    return won.sum(axis=0)


@pytest.mark.parametrize("players", GAME.players)
def test_a_lord_to_whom_all_moves_are_equal_favours_no_tenant(players: int) -> None:
    careless = replace(load_strategy(GAME, "overlord"), weights={})
    found = wins(careless, "gatherer", players, 11, 2000)
    assert chisquare(found).pvalue > CHANCE, found


def test_tenants_win_equally_often_at_every_seat_under_the_shipped_lords() -> None:
    found = sum(wins(load_strategy(GAME, name), "freeholder", 4, seed, 1200) for seed, name in enumerate(LORDS))
    assert len(LORDS) >= 7
    assert chisquare(found).pvalue > CHANCE, found
