"""Does the referee find anything in 2,000 games of Fief 2 at every number of players?

Among them are all line-ups, every value of every switch, and games of 10, 15, 20 and 25 turns. Run by name:
`pytest tests/verification/test_fief_2_logs.py -s` prints how many logs it followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import Any

import pytest

from tests.referee.fief_2.rulebook import SWITCHES
from tests.simcore.games.test_fief_2_referee import GAME, LINES, OTHER, follow
from tests.verification.even import check_even

SEED = 15
LOGS = 2000  # at every number of players, at least
LENGTHS = [f"turns={turns}" for turns in (10, 20, 25)]
VARIANTS = [(), *((each,) for each in (*OTHER, *LENGTHS)), OTHER, (*OTHER, LENGTHS[-1])]
ALL_LINES = [*LINES, ("champion", "banker", "random")]


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("settings", VARIANTS, ids=lambda settings: " ".join(settings) or "base")
def test_two_thousand_logs(players: int, settings: tuple[str, ...]) -> None:
    assert len(OTHER) == len(SWITCHES)
    games = ceil(LOGS / len(VARIANTS) / len(ALL_LINES))
    for line in ALL_LINES:
        assert follow(players, line, games, settings, seed=SEED) == []
    print(f"\n{players} players, {' '.join(settings) or 'base'}: {games * len(ALL_LINES)} logs followed")


def test_random_takes_every_option_equally_often() -> None:
    """By decision and number of options; the same seed would give the same choices for each number of players."""
    taken: dict[tuple[str, int], Counter[int]] = {}

    def observe(name: str, options: Sequence[Any], made: Any) -> None:
        place = next(index for index, option in enumerate(options) if option is made or option == made)
        taken.setdefault((name, len(options)), Counter())[place] += 1

    for players in GAME.players:
        assert follow(players, ("random",), 300, observer=observe, seed=SEED + players) == []
    check_even(taken)
