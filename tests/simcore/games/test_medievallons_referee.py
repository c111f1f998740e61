"""The independent referee follows the simulator's logs of Médiévallons: every table, switch, number and strategy.

`tests/verification/test_medievallons_logs.py` has it follow 10,000 games at every number of players.
"""

from __future__ import annotations

import pytest

from simcore.game import load_game
from strategies.library import quick_strategies
from tests.referee.medievallons import Session
from tests.refereed import violations
from tests.specs import make_spec

GAME = load_game("medievallons")
GAMES = 3
SETTINGS = (
    (),
    ("deck_end=last_card",),
    ("match=false",),
    ("copies_per_type=4", "hand_size=1"),
    ("copies_per_type=4", "hand_size=1", "deck_end=last_card"),
    ("guild_size=2", "guilds_to_win=5", "match=false"),
    ("merchant_cards=3", "noble_givers=4", "magician_draws=5", "guilds_to_win=8", "deck_end=last_card"),
    ("merchant_cards=1", "noble_givers=1", "magician_draws=1", "monk_draws=4", "pass_draws=1", "hand_size=2"),
)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: " ".join(settings) or "base")
def test_referee_finds_nothing(players: int, settings: tuple[str, ...]) -> None:
    names = [("collector", "random")[seat % 2] for seat in range(players)]
    spec = make_spec(players, names, settings, game="medievallons", seed=20, design="shuffle")
    assert violations(spec, GAMES, Session().check) == []


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("strategy", quick_strategies(GAME))
def test_referee_finds_nothing_where_all_play_alike(players: int, strategy: str) -> None:
    assert violations(make_spec(players, [strategy], game="medievallons", seed=21), GAMES, Session().check) == []
