"""Pig: the rules that a designer may change, the records of a game in progress, and the game."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from simcore.kernel.compilation import kernel
from simcore.kernel.decisions import Decision, asking, choose
from simcore.kernel.records import layout, row_of
from simcore.kernel.streams import DICE, bounded
from simcore.kernel.trace import has_room, put
from simcore.rules.files import RuleSet, numbers_of

PLAYERS, MOST_TURNS, ENDLESS = 4, 10_000, 2  # the last is a fault
HOLD, ROLL = map(np.int64, range(2))  # moves
TURN, BOTH = np.int64(0), np.uint64(3)  # the only kind of decision, and both moves as a set of bits
DECISIONS = (Decision("turn", "0 holds, 1 rolls", 2),)


class PigRules(RuleSet):
    """A rules file."""

    game: Literal["pig"]
    target: Annotated[int, Field(ge=1, le=1000)]
    faces: Annotated[int, Field(ge=2, le=100)]


RULES = numbers_of(PigRules)
ROW = row_of("points", "rolls", "busts")
STATE = layout(
    *asking(2),
    ("turn", np.int32),  # turns taken by all
    ("total", np.int32),  # points of the turn so far
    ("rows", ROW, PLAYERS),
)


@kernel
def start(rules, lineup, state, trace):
    """Begin with no points."""
    state.turn = state.total = 0
    for seat in range(rules.players):
        row = state.rows[seat]
        row.points = row.rolls = row.busts = 0


@kernel
def step(rules, lineup, state, trace):
    """Let the seat whose turn it is roll once, or hold."""
    seat = np.int64(state.turn % rules.players)
    row = state.rows[seat]
    move, face = ROLL, np.int64(0)
    if state.total > 0:  # a seat's decisions are numbered by its rolls
        move = choose(rules, lineup, state, seat, TURN, BOTH, row.rolls >> 3, row.rolls & 7)
    if move == ROLL:
        face = 1 + bounded(state.rng, DICE, seat, np.int64(row.rolls), rules.faces)
        row.rolls += 1
        row.busts += face == 1
        state.total = 0 if face == 1 else state.total + face
    if trace.on:
        put(trace, face)
        has_room(trace)
    won = row.points + state.total >= rules.target
    if won or face < 2:
        row.points += state.total
        state.turn, state.total = state.turn + 1, 0
    if state.turn == MOST_TURNS:
        state.fault = ENDLESS
    return not won and state.fault == 0
