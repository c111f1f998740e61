"""The fewest tiles that `pack` accepts are the fewest that the kernel can play."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simcore.games.middle_ages import GAME as MIDDLE_AGES
from simcore.games.middle_ages.kernel import OUT_OF_TILES
from simcore.games.middle_ages.rules import MiddleAgesRules, pack, tiles_needed
from simcore.games.middle_ages.state import ROW, STATE
from simcore.kernel.driver import Memory
from simcore.kernel.lineup import LINEUP
from simcore.kernel.records import blank
from simcore.rules.files import load_rules
from strategies.middle_ages import RANDOM

GAME: Any = SimpleNamespace(name="middle-ages", rules=MiddleAgesRules)
GAMES = 200


def play(rules: Any) -> tuple[int, int]:
    """Play games among uniform random players; return how many came through, and the fault that ended them."""
    lineup: Any = blank(LINEUP)
    for member in lineup.members:
        member["policy"] = RANDOM.address
    state: Any = blank(STATE)
    rows = np.zeros(GAMES * int(rules.players), ROW)
    memory, facts = Memory(MIDDLE_AGES), np.zeros(GAMES, np.int32)
    seated, arguments = memory.seated(lineup, int(rules.players)), (memory.trace, np.uint64(1), np.arange(GAMES))
    return MIDDLE_AGES.play_batch(rules, seated, state, rows, facts, *arguments), int(state.fault)


@pytest.mark.parametrize("blue", [0, 1, 20, None])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fewest_tiles_fill_every_row(players: int, blue: int | None) -> None:
    """Whatever the split of the stacks; and with one tile less no game can be finished."""
    fewest = tiles_needed(players)
    blue = fewest if blue is None else blue
    settings = [f"tiles.faces.{name}.{stack}=0" for name in _faces() for stack in ("blue", "orange")]
    settings += [
        f"tiles.faces.mill_plain.blue={blue}",
        f"tiles.faces.palace_chest.orange={fewest - blue}",
        "stacks.orange_from_players=2",
    ]
    rules: Any = pack(load_rules(GAME, "base", settings).values, players)
    assert play(rules) == (GAMES, 0)
    rules["orange" if blue < fewest else "blue"] -= 1
    assert play(rules) == (0, OUT_OF_TILES)


def _faces() -> list[str]:
    rules: Any = load_rules(GAME).values
    return list(rules.tiles.faces)
