"""Does the referee find anything in thousands of games of Fief 2 at every table, of every line-up and switch?

Run by name: `pytest tests/verification/test_fief_2_logs.py -s` prints how many logs it followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from scipy.stats import chi2

from tests.referee.fief_2.rulebook import SWITCHES
from tests.simcore.games.test_fief_2_referee import GAME, LINES, OTHER, follow

GAMES = 2000  # at every number of players


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_two_thousand_games(players: int, line: tuple[str, ...]) -> None:
    games = GAMES // len(LINES)
    assert follow(players, line, games) == []
    print(f"\n{players} players, {', '.join(line)}: {games:,} logs followed")


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("settings", [*((each,) for each in OTHER), OTHER], ids=" ".join)
def test_every_value_of_every_switch(players: int, settings: tuple[str, ...]) -> None:
    for line in LINES:
        assert follow(players, line, GAMES // 50, settings) == []
    assert len(OTHER) == len(SWITCHES)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("turns", [10, 20, 25])
def test_games_of_every_length(players: int, turns: int) -> None:
    for line in LINES:
        assert follow(players, line, GAMES // 50, [f"turns={turns}"]) == []


def test_random_takes_every_option_equally_often() -> None:
    """By decision and number of options; the family of all tests errs in 1 % of the cases."""
    taken: dict[tuple[str, int], Counter[int]] = {}

    def observe(name: str, options: Sequence[Any], made: Any) -> None:
        place = next(index for index, option in enumerate(options) if option is made or option == made)
        taken.setdefault((name, len(options)), Counter())[place] += 1

    for players in GAME.players:
        assert follow(players, ("random",), 300, observer=observe) == []
    values = {}
    for key, counts in taken.items():
        fair = counts.total() / key[1]
        if fair >= 10:
            distance = sum((counts[option] - fair) ** 2 / fair for option in range(key[1]))
            values[key] = float(chi2.sf(distance, key[1] - 1))
    print(f"\n{len(values)} tests; the smallest: {sorted((value, key) for key, value in values.items())[:3]}")
    assert min(values.values()) > 0.01 / len(values)
