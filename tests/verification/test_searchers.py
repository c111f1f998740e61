"""No player of the skill `search` loses to the base that it imagines, or to itself with fewer imagined tables.

Each plays 2,000 games from the first seat of its role.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from simcore.game import GAMES, load_game
from tests.searchers import gains, searcher_of

DEALS = 2_000
ROLES = [(game, role) for game in GAMES for role in load_game(game).role_names]


@pytest.mark.parametrize(("game", "role"), ROLES)
def test_no_searcher_loses_to_its_base(game: str, role: str) -> None:
    """The mean gain over the base on the same deals (seed 32) is not below 0 by more than two standard errors."""
    check_gain(f"{game}, {role}: looking ahead", gains(game, role, DEALS, 32))


@pytest.mark.parametrize(("game", "role"), ROLES)
def test_more_imagined_tables_make_no_searcher_weaker(game: str, role: str) -> None:
    """As above, against the same searcher with a quarter of the tables (seed 33)."""
    searcher = searcher_of(game, role)
    assert searcher.search is not None
    fewer = {where: replace(one, tables=-(-one.tables // 4)) for where, one in searcher.search.foresights.items()}
    rollouts = -(-searcher.search.rollouts // 4)
    hasty = replace(searcher, search=replace(searcher.search, foresights=fewer, rollouts=rollouts))
    check_gain(f"{game}, {role}: four times as many tables", gains(game, role, DEALS, 33, hasty))


def check_gain(what: str, found: NDArray[np.float64]) -> None:
    """The mean gain is not below 0 by more than two standard errors."""
    error = found.std(ddof=1) / math.sqrt(len(found))
    print(f"{what}: {100 * found.mean():+.1f} points of the wins (standard error {100 * error:.1f})")
    assert found.mean() >= -2 * error
