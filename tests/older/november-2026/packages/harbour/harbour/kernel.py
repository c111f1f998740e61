"""Harbour: the rules that a designer may change, the records of a game in progress, and the game.

In turn, each player takes a free cell of the board, and gets a point for each neighbouring cell that it already has.
Some random cells have stones; nobody can take them.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from simcore.components.board import NOBODY, board, clear_board, owned_around
from simcore.kernel.decisions import Decision, allow, asking, choose_legal, clear_legal
from simcore.kernel.compilation import kernel
from simcore.kernel.records import layout, row_of
from simcore.rules.files import RuleSet, numbers_of
from simcore.kernel.streams import DICE, bounded
from simcore.kernel.trace import has_room, put

PLAYERS = 4
CELLS = 64  # largest number of cells of a board
STONE = np.int64(-2)  # owner of a cell that nobody can take
TAKE = np.int64(0)  # the only kind of decision
DECISIONS = (Decision("take", "number of the cell, row by row", CELLS),)


class HarbourRules(RuleSet):
    """A rules file."""

    game: Literal["harbour"]
    width: Annotated[int, Field(ge=5, le=8)]
    height: Annotated[int, Field(ge=5, le=8)]
    stones: Annotated[int, Field(ge=0, le=20)]


RULES = numbers_of(HarbourRules)
ROW = row_of("points", "turns", share="share60")
STATE = layout(
    *asking(CELLS),
    ("turn", np.int32),  # turns taken by all players
    ("board", board(CELLS)),
    ("free", np.int32),  # cells that nobody has taken
    ("rows", ROW, PLAYERS),
)


@kernel
def points_of(state, seat, move):
    """Return the points that a move brings."""
    return owned_around(state.board, move, seat)


@kernel
def start(rules, lineup, state, trace):
    """Set up the board."""
    state.turn = 0
    clear_board(state.board, rules.width, rules.height)
    state.free = state.board.cells
    for number in range(rules.stones):
        cell = bounded(state.rng, DICE, 0, np.int64(number), state.board.cells)
        state.free -= np.int64(state.board.owner[cell] == NOBODY)
        state.board.owner[cell] = STONE
    for seat in range(rules.players):
        row = state.rows[seat]
        row.points, row.turns = 0, 0


@kernel
def step(rules, lineup, state, trace):
    """Take one turn; return whether the game goes on."""
    seat = np.int64(state.turn % rules.players)
    row = state.rows[seat]
    clear_legal(state)
    for cell in range(state.board.cells):
        if state.board.owner[cell] == NOBODY:
            allow(state, cell)
    move = choose_legal(rules, lineup, state, seat, TAKE, row.turns >> 3, row.turns & 7)
    points = points_of(state, seat, move)
    state.board.owner[move] = seat
    state.free -= 1
    if trace.on:
        put(trace, move)
        put(trace, points)
        has_room(trace)
    row.points += points
    row.turns += 1
    state.turn += 1
    return state.free > 0 and state.fault == 0
