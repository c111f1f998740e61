"""No shipped searcher loses to the base that it imagines, in 2,000 games from the first seat of each role."""

from __future__ import annotations

import math

import pytest

from simcore.game import GAMES, load_game
from tests.searchers import gains

DEALS = 2_000
ROLES = [(game, role) for game in GAMES for role in load_game(game).role_names]


@pytest.mark.parametrize(("game", "role"), ROLES)
def test_no_searcher_loses_to_its_base(game: str, role: str) -> None:
    """The mean gain over the base on the same deals (seed 32) is not below 0 by more than two standard errors."""
    found = gains(game, role, DEALS, 32)
    assert found.mean() > -2 * found.std(ddof=1) / math.sqrt(DEALS)
