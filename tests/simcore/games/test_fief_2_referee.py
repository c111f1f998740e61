"""The independent referee follows the simulator's logs of Fief 2: every table, line-up and switch.

`tests/verification/test_fief_2_logs.py` has it follow thousands of games at every number of players.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Any

import pytest

from simcore.game import load_game
from tests.referee.fief_2 import check
from tests.referee.fief_2.rulebook import SWITCHES
from tests.refereed import violations
from tests.specs import make_spec

GAME = load_game("fief-2")
LINES = [
    ("random",),
    ("steward",),
    ("random", "steward"),
    ("warlord", "dynast"),
    ("dynast", "random", "warlord", "bishop_maker", "steward", "turtle"),
]
OTHER = tuple(f"{name}={values[1]}" for name, values in SWITCHES.items())


def follow(
    players: int,
    line: Sequence[str],
    games: int,
    settings: Sequence[str] = (),
    observer: Callable[[str, Sequence[Any], Any], None] | None = None,
    seed: int = 7,
) -> list[str]:
    """Return what the referee finds in the first games of a line-up, which goes round the table."""
    names = [*islice(cycle(line), players)]
    spec = make_spec(players, names, settings, game="fief-2", seed=seed, games=games)
    return violations(spec, games, partial(check, observer=observer))


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_referee_finds_nothing(players: int, line: tuple[str, ...]) -> None:
    assert follow(players, line, 1) == []


@pytest.mark.parametrize("settings", [(each,) for each in OTHER] + [OTHER], ids=" ".join)
def test_referee_finds_nothing_with_other_switches(settings: tuple[str, ...]) -> None:
    assert follow(4, LINES[0], 1, settings) == []
    assert follow(5, LINES[-1], 1, settings) == []
