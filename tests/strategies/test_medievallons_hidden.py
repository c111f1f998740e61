"""`linear` decides by what its player may know: other hands and the deck dealt anew change no choice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simcore.games.medievallons.search import redraw
from simcore.kernel.pointers import Policy
from simcore.kernel.records import blank
from simcore.kernel.streams import fork
from simcore.running.batch import run_chunk
from strategies.medievallons import RECORDS
from strategies.medievallons.linear import linear
from tests.specs import make_spec

pytestmark = pytest.mark.plain

GAMES = 1


@pytest.mark.parametrize(
    ("players", "name"), [(2, "thief"), (4, "thief"), (4, "regent"), (3, "champion"), (6, "wrecker")]
)
def test_choices_do_not_depend_on_hidden_cards(players: int, name: str) -> None:
    spec = make_spec(players, [name], game="medievallons", settings=["match=false"], seed=7)
    other: Any = blank(spec.game.state_dtype)
    asked = [0, 0]

    def checked(rules: Any, lineup: Any, state: Any, seat: int) -> int:
        move = int(linear(rules, lineup, state, seat))
        for field in state.dtype.names:
            other[field] = state[field]
        fork(other.rng, state.rng, np.int64(asked[0] & 0xFFFF), np.int64(asked[0]))
        redraw(rules, other, seat)
        other.at = other.size - (state.size - state.at)  # a card that is being played lies in no place that is redrawn
        hidden = [other.players[rival].hand != state.players[rival].hand for rival in range(players) if rival != seat]
        asked[0] += 1
        asked[1] += any(hidden)
        assert int(linear(rules, lineup, other, seat)) == move, (state.turn, seat, state.decision)
        return move

    lineup = spec.lineup_record.copy()
    lineup["members"]["policy"][:players] = Policy(checked, RECORDS).address
    run_chunk(replace(spec, lineup_record=lineup), 0, GAMES)
    assert asked[0] > 30 * GAMES
    assert asked[1] > asked[0] / 2, "most hands were dealt anew"
