"""Does the referee find anything in 1,000 games of Middle-Ages at every table, with every switch and strategy?

Run by name: `pytest tests/verification/test_middle_ages_logs.py -s` prints how many games it followed.
"""

from __future__ import annotations

import pytest

from simcore.game import load_game
from strategies.library import quick_strategies
from tests.referee.middle_ages import check
from tests.refereed import violations
from tests.simcore.games.test_middle_ages_referee import SEATS, SWITCHES
from tests.specs import make_spec

GAME = load_game("middle-ages")
GAMES = 1_000


@pytest.mark.parametrize("players", GAME.players)
def test_a_thousand_games_of_every_table(players: int) -> None:
    tables = [(SEATS[:players], settings) for settings in SWITCHES]
    tables += [([strategy], ()) for strategy in quick_strategies(GAME)]
    for strategies, settings in tables:
        spec = make_spec(players, strategies, settings, seed=2024, design="shuffle")
        assert violations(spec, GAMES, check) == [], (strategies, settings)
    print(f"\n{players} players: {GAMES * len(tables):,} games followed")
