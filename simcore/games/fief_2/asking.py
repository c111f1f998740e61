"""Fief 2: how a family is asked."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.log import log_decision
from simcore.games.fief_2.names import NOBODY
from simcore.games.fief_2.pieces import first_of
from simcore.kernel.compilation import apart, inlined
from simcore.kernel.decisions import choose

YES_OR_NO = np.int64(3)
"""Moves 0 and 1, as a set."""


@apart
def decide(rules, lineup, state, trace, seat, kind, moves):
    """Let a family choose one of a set of moves; a single move is played without asking.

    The address of the random numbers is the turn and the number of the family's decisions in it.
    """
    if moves & (moves - 1) == 0:
        return first_of(moves)
    number = state.turn << 10 | (state.asked[seat] & 1023)
    state.asked[seat] += 1
    move = choose(rules, lineup, state, seat, kind, np.uint64(moves), number >> 3, number & 7)
    if trace.on:
        log_decision(state, trace, seat, kind, move)
    return move


@inlined
def agrees(rules, lineup, state, trace, seat, kind):
    """Whether a family says yes."""
    return decide(rules, lineup, state, trace, seat, kind, YES_OR_NO) == 1


@inlined
def pick(rules, lineup, state, trace, seat, kind, items):
    """Let a family choose one item of a set that is not empty."""
    return decide(rules, lineup, state, trace, seat, kind, items << 1) - 1


@inlined
def pick_or_none(rules, lineup, state, trace, seat, kind, items):
    """Let a family choose one item of a set, or none, which is NOBODY."""
    if items == 0:
        return NOBODY
    return decide(rules, lineup, state, trace, seat, kind, items << 1 | 1) - 1


@inlined
def up_to(count):
    """The first `count` items as a set."""
    return (np.int64(1) << count) - 1
