"""Does the referee find anything in 1,000 games of Seigneurial of every line-up at every table?  Is `random` random?

Run by name: `pytest tests/verification/test_seigneurial_logs.py -s` prints how many logs it followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.referee.seigneurial.rulebook import SWITCHES
from tests.simcore.games.test_seigneurial_referee import GAME, LINES, OTHER_LINES, SETTINGS, follow
from tests.verification.even import check_even

GAMES, FEW = 1_000, 100


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("line", [*LINES, *OTHER_LINES], ids=" ".join)
def test_a_thousand_games(players: int, line: tuple[str, ...]) -> None:
    assert follow(players, line, GAMES) == []
    print(f"\n{players} players, {' '.join(line)}: {GAMES:,} logs followed")


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("name", SWITCHES)
def test_every_value_of_every_switch(players: int, name: str) -> None:
    for value in SWITCHES[name]:
        for line in LINES:
            written = str(value).lower() if type(value) is bool else value
            assert follow(players, line, FEW, [f"{name}={written}"]) == []


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("settings", SETTINGS[1:], ids=" ".join)
def test_other_rules(players: int, settings: tuple[str, ...]) -> None:
    for line in LINES:
        assert follow(players, line, FEW, settings) == []


def test_random_takes_every_option_equally_often() -> None:
    """Half of the time it passes where it may."""
    taken: dict[tuple[str, int, bool], Counter[int]] = {}

    def observe(action: str, options: Sequence[Any], made: Any) -> None:
        cards = [option for option in options if option is not None]
        if len(cards) < len(options) and cards:
            taken.setdefault((action, 2, True), Counter())[made is None] += 1
        if made is not None and len(cards) > 1:
            taken.setdefault((action, len(cards), False), Counter())[cards.index(made)] += 1

    for players in GAME.players:
        assert follow(players, ("random", "random"), 300, observer=observe) == []
    check_even(taken)
