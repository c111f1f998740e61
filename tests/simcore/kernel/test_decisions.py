"""Sets of legal moves, of one word and of several; asking, and what a wrong answer comes to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.kernel.decisions import (
    TOO_MANY_OPTIONS,
    Decision,
    allow,
    asking,
    clear_legal,
    count_legal,
    first_legal,
    is_legal,
    next_legal,
    nth_legal,
)
from simcore.kernel.records import blank, layout
from tests.toy import TOY

pytestmark = pytest.mark.plain

SETS = [[0], [63], [5, 9, 60], [64], [0, 63, 64, 127, 128, 255], [200], list(range(0, 256, 3))]


def state_of(moves: list[int], options: int) -> Any:
    state: Any = blank(layout(*asking(options)))
    clear_legal(state)
    for move in moves:
        allow(state, move)
    return state


@pytest.mark.parametrize("options", [64, 65, 128, 256])
@pytest.mark.parametrize("moves", SETS)
def test_a_set_is_walked_counted_and_picked_from(moves: list[int], options: int) -> None:
    room = -(-options // 64) * 64
    inside = [move for move in moves if move < room]
    state = state_of(inside, options)
    if not inside:
        assert first_legal(state) == -1
        return
    walked = [int(first_legal(state))]
    while (move := int(next_legal(state, walked[-1]))) >= 0:
        walked.append(move)
    assert walked == inside
    assert int(count_legal(state)) == len(inside)
    assert [int(nth_legal(state, n)) for n in range(len(inside))] == inside
    assert [move for move in range(-3, room + 70) if is_legal(state, move)] == inside


@pytest.mark.parametrize("options", [0, 257, 300])
def test_a_decision_of_too_many_options_is_refused_in_one_line(options: int) -> None:
    with pytest.raises(UsageError, match=rf"^asking: {options} options; a decision may have 1 to 256: split it into"):
        asking(options)


def test_a_game_declares_no_more_options_than_its_state_has_room_for() -> None:
    game = load_game(TOY)
    with pytest.raises(UsageError) as caught:
        replace(game, decisions=(Decision("demand", "anything", 300),))
    told = "game 'siege': decision 'demand': 300 options, but the state has room for 128; lay it out with asking(300)"
    assert str(caught.value) == told


@pytest.mark.parametrize("move", [-1, 64, 256])
def test_a_move_beyond_the_room_is_a_fault_and_touches_nothing(move: int) -> None:
    state = state_of([3], 64)
    allow(state, move)
    assert state.fault == TOO_MANY_OPTIONS
    assert int(state.legal) == 1 << 3
