"""Each game in plain Python at every number of players, which takes a minute; the guard plays it at one table."""

from __future__ import annotations

import pytest

from equipoise.conformance import checks
from simcore.game import GAMES
from tests.toy import TOY

check = checks.check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden


@pytest.mark.parametrize("game", (*GAMES, TOY))
def test_redrawing_leaves_nothing_hidden_at_any_table(game: str) -> None:
    check(game)
