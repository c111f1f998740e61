"""Every check of each game at every number of players; the guard has the smallest and the largest table."""

from __future__ import annotations

import pytest

from equipoise.conformance import all_checks, checks, tables_of
from simcore.game import GAMES
from tests.toy import TOY

check = checks.check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden


@pytest.mark.parametrize("game", (*GAMES, TOY))
def test_redrawing_leaves_nothing_hidden_at_any_table(game: str) -> None:
    check(game)


@pytest.mark.parametrize("game", (*GAMES, TOY))
def test_checks_hold_at_any_table(game: str) -> None:
    for each in all_checks():
        for arguments in tables_of(each, game):
            if arguments[1:]:
                each(*arguments)
