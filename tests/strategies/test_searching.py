"""Players of the skill `search` decide for themselves: they do not merely play like the base that they imagine."""

from __future__ import annotations

import pytest

from simcore.game import GAMES, load_game
from tests.searchers import gains

ROLES = [(game, role) for game in GAMES for role in load_game(game).role_names]
GAMES_PLAYED = 12
"""Games with well over 200 decisions of the searcher in all: every shipped game has at least 20 for each seat."""


@pytest.mark.parametrize(("game", "role"), ROLES)
def test_a_searcher_differs_from_its_base(game: str, role: str) -> None:
    """Seed 31: with other moves of one seat, another player wins at least one of the games."""
    assert gains(game, role, GAMES_PLAYED, 31).any()
