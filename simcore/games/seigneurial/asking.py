"""Seigneurial: how a seat is asked, and the moves that encode more than one number."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.log import log_action
from simcore.games.seigneurial.state import SET_RENT
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import allow, choose, choose_legal, clear_legal

NONE, ONE = np.uint64(0), np.uint64(1)


@inlined
def ask(rules, lineup, state, seat, decision, legal):
    """Let a seat choose one of some moves, given as bits; its decisions are numbered within the season."""
    number = np.int64(state.asked[seat])
    state.asked[seat] += 1
    slot = np.int64(state.season) << 6 | number >> 2
    return choose(rules, lineup, state, np.int64(seat), decision, legal, slot, (number & 3) << 1)


@inlined
def tell(rules, lineup, state, seat, decision, legal, trace):
    """Do the same, and log it as a decision with one value."""
    move = ask(rules, lineup, state, seat, decision, legal)
    log_action(trace, seat, decision, move, 0, 0)
    return move


@inlined
def several(legal):
    """Whether there is a choice."""
    return legal & (legal - ONE) != NONE


@kernel
def ask_rent(rules, lineup, state):
    """Let the lord choose among all splits of the rent."""
    clear_legal(state)
    for move in range((state.rent + 1) * (state.rent + 2) // 2):
        allow(state, np.int64(move))
    number = np.int64(state.asked[0])
    state.asked[0] += 1
    slot = np.int64(state.season) << 6 | number >> 2
    return choose_legal(rules, lineup, state, np.int64(0), SET_RENT, slot, (number & 3) << 1)


@inlined
def rent_move(rent, wood, fish):
    """The move that asks for some wood and fish, and the rest in grain: splits are numbered by wood, then fish."""
    return np.int64(wood * (rent + 1) - wood * (wood - 1) // 2 + fish)


@inlined
def rent_split(rent, move):
    """The wood and the fish of a split of the rent."""
    wood = np.int64(0)
    while move > rent - wood:
        move -= rent - wood + 1
        wood += 1
    return wood, np.int64(move)


@inlined
def shift_move(giver, taker, points):
    """The move that shifts points of one type to another."""
    return np.int64(6 * (points - 1) + 2 * giver + (taker if taker < giver else taker - 1))


@inlined
def shift_types(move):
    """The two types of a shift: the one that is short, and the other one."""
    pair = move % 6
    giver = pair >> 1
    taker = pair & 1
    return np.int64(giver), np.int64(taker if taker < giver else taker + 1)
