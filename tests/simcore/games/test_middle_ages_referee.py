"""The independent referee follows the simulator's logs, at every player count and with every switch.

`tests/verification/test_middle_ages_logs.py` has it follow 1,000 games of each table.
"""

from __future__ import annotations

import pytest

from strategies.spec import make_spec
from tests.referee.middle_ages import check
from tests.refereed import violations

GAMES = 5
SEATS = ("greedy", "random", "greedy", "random", "random")
SWITCHES = (
    (),
    ("starting_coins=5",),
    ("starting_coins=[3, 0, 7, 1, 2]",),
    ("shortfall=debt",),
    ("final_floor=true",),
    ("plot_token_supply=unlimited",),
    ("slot_capacity=one",),
    ("event_loss=top",),
    ("shortfall=debt", "final_floor=true", "plot_token_supply=unlimited", "slot_capacity=one", "event_loss=top"),
)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("settings", SWITCHES, ids=lambda settings: " ".join(settings) or "base")
def test_referee_finds_nothing(players: int, settings: tuple[str, ...]) -> None:
    spec = make_spec(players=players, strategies=SEATS[:players], settings=settings, seed=20, design="shuffle")
    assert violations(spec, GAMES, check) == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("strategy", ["greedy", "random"])
def test_referee_finds_nothing_where_all_play_alike(players: int, strategy: str) -> None:
    assert violations(make_spec(players=players, strategies=[strategy], seed=21), GAMES, check) == []
