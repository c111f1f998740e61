"""What a seat sees: the blocks in their order, the best rival, the mean of the others, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.game import Look, load_game
from simcore.kernel.compilation import kernel
from simcore.kernel.decisions import LOOKED, MOST_NUMBERS, look_of
from simcore.kernel.records import blank, layout

pytestmark = pytest.mark.plain

STATE = layout(("points", np.int64, 8), ("left", np.int64))
RULES = layout(("players", np.int32))


@kernel
def see_table(rules, state, seat, out):
    out[0] = state.left


@kernel
def see_player(rules, state, seat, other, out, at):
    out[at] = state.points[other]
    out[at + 1] = other


@kernel
def even_seats(rules, seat, other):
    return other != seat and other % 2 == 0


def seen(points: list[int], seat: int, **changes: Any) -> list[int]:
    """Return what a seat sees at a table where every player has some points."""
    game = load_game("middle-ages")
    assert game.search is not None
    look = Look(see_table, see_player, ("left",), ("points", "seat"), **changes)
    rules, state = blank(RULES), blank(STATE)
    rules["players"], state["left"] = len(points), 5
    state["points"][: len(points)] = points
    out = np.full(LOOKED, 77, np.int32)
    look_of(replace(game, search=replace(game.search, look=look)))(rules, state, np.int64(seat), out)
    return [int(number) for number in out[: len(look.names)]]


def test_blocks_stand_in_order_and_the_others_are_a_mean_in_twelfths() -> None:
    assert seen([10, 30, 20, 7], 0) == [5, 10, 0, 30, 1, (20 + 7) * 12 // 2, (2 + 3) * 12 // 2]
    assert seen([10, 30, 20, 7], 1) == [5, 30, 1, 20, 2, (10 + 7) * 12 // 2, (0 + 3) * 12 // 2]


def test_the_first_of_equal_rivals_counts_as_the_best_and_with_two_players_there_are_no_others() -> None:
    assert seen([10, 4, 4], 0) == [5, 10, 0, 4, 1, 4 * 12, 2 * 12]
    assert seen([10, -4], 0) == [5, 10, 0, -4, 1, 0, 0]


def test_a_game_says_who_is_a_rival() -> None:
    assert seen([10, 30, 20, 7, 9], 1, competes=even_seats) == [5, 30, 1, 20, 2, (10 + 9) * 12 // 2, (0 + 4) * 12 // 2]
    assert seen([10, 30], 0, competes=even_seats) == [5, 10, 0, 0, 0, 0, 0]


def test_all_numbers_have_names() -> None:
    look = Look(see_table, see_player, ("left",), ("points", "seat"))
    assert look.names == (
        "left",
        "own: points",
        "own: seat",
        "rival: points",
        "rival: seat",
        "others: points",
        "others: seat",
    )


def test_too_many_numbers_and_none_are_refused_in_one_line() -> None:
    many = tuple(f"n{number}" for number in range(MOST_NUMBERS // 3 + 1))
    with pytest.raises(UsageError, match=f"^look: 1 numbers about the table and three times {len(many)} about players"):
        Look(see_table, see_player, ("left",), many)
    with pytest.raises(UsageError, match=r"^look: of_table and of_player: each needs at least one number$"):
        Look(see_table, see_player, (), ("points",))


def test_a_game_without_a_look_says_so() -> None:
    game = load_game("middle-ages")
    assert game.search is not None
    with pytest.raises(ValueError, match="middle-ages does not say what a seat sees"):
        look_of(replace(game, search=replace(game.search, look=None)))


@pytest.mark.parametrize("name", ["middle-ages", "medievallons", "seigneurial", "fief-2"])
def test_every_game_of_the_repository_declares_what_its_seats_see(name: str) -> None:
    search = load_game(name).search
    assert search is not None and search.look is not None
    assert 40 < len(search.look.names) <= MOST_NUMBERS
    assert len(set(search.look.names)) == len(search.look.names)
