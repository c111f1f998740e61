"""Siege: the game.

Every season each burgher draws a card, the warlord pays for a demand of some units of each kind, and the burghers in
turn give cards of one kind towards it.  What is missing breaks the walls.
"""

import numpy as np

from siege.state import DEMAND, GIVE, MOST, NOTHING, TYPES, UNIT, WARLORD
from simcore.decisions import allow, choose_legal, clear_legal
from simcore.jit import kernel
from simcore.streams import DICE, bounded
from simcore.trace import has_room, put


@kernel
def units_of(move, kind):
    """Units of a kind in a demand."""
    return (move >> (2 * kind)) & (MOST - 1)


@kernel
def size_of(move):
    """Units of all kinds in a demand."""
    return units_of(move, 0) + units_of(move, 1) + units_of(move, 2)


@kernel
def answer(rules, lineup, state, seat, decision, trace):
    """Let a seat choose one of the legal moves; a seat decides once a season."""
    move = choose_legal(rules, lineup, state, seat, decision, state.season >> 3, state.season & 7)
    if trace.on:
        put(trace, move)
    return move


@kernel
def draw(rules, state, number, trace):
    """Give every burgher its next card."""
    for seat in range(1, rules.players):
        kind = bounded(state.rng, DICE, np.int64(seat), np.int64(number), TYPES)
        state.hands[seat, kind] += 1
        if trace.on:
            put(trace, kind)


@kernel
def demand(rules, lineup, state, trace):
    """Let the warlord demand one unit or more, two for each burgher at most, and pay for them."""
    clear_legal(state)
    for move in range(1, MOST**TYPES):
        if size_of(move) <= min(2 * (rules.players - 1), state.supplies):
            allow(state, move)
    move = answer(rules, lineup, state, WARLORD, DEMAND, trace)
    for kind in range(TYPES):
        state.open[kind] = units_of(move, kind)
        state.last[kind], state.now[kind] = state.now[kind], 0
    state.supplies -= size_of(move) + rules.upkeep
    state.rows[WARLORD].demanded += size_of(move)


@kernel
def give(rules, lineup, state, seat, trace):
    """Let a burgher give cards of one kind as far as they are wanted, or nothing."""
    clear_legal(state)
    allow(state, NOTHING)
    for kind in range(TYPES):
        if min(state.open[kind], state.hands[seat, kind]) > 0:
            allow(state, kind)
    kind = answer(rules, lineup, state, seat, GIVE, trace)
    if kind < TYPES:
        cards = min(state.open[kind], state.hands[seat, kind])
        state.open[kind] -= cards
        state.hands[seat, kind] -= cards
        state.now[kind] += cards
        state.rows[seat].given += cards


@kernel
def start(rules, lineup, state, trace):
    """Set up the walls and deal the hands."""
    state.season = 0
    state.walls, state.supplies = rules.walls, rules.supplies
    state.hands[:] = 0
    state.now[:] = 0
    for seat in range(rules.players):
        row = state.rows[seat]
        row.demanded = row.given = 0
    for number in range(rules.hand):
        draw(rules, state, number, trace)


@kernel
def step(rules, lineup, state, trace):
    """Play one season; return whether the siege goes on."""
    state.season += 1
    draw(rules, state, rules.hand + state.season, trace)
    demand(rules, lineup, state, trace)
    for seat in range(1, rules.players):
        give(rules, lineup, state, seat, trace)
    for kind in range(TYPES):
        state.walls -= state.open[kind]
    has_room(trace)
    return state.walls > 0 and state.supplies > 0


@kernel
def settle(rules, lineup, state, trace):
    """Let the warlord win if the walls are down, else the town: half of it may go to those who gave most."""
    burghers, most, best = rules.players - 1, 0, 0
    for seat in range(1, rules.players):
        most = max(most, state.rows[seat].given)
    for seat in range(1, rules.players):
        best += np.int64(state.rows[seat].given == most or rules.honours == 0)
    fallen = state.walls <= 0
    for seat in range(rules.players):
        row = state.rows[seat]
        row.seasons, row.walls = state.season, max(state.walls, 0)
        if seat == WARLORD:
            row.place, row.share840 = 1 if fallen else rules.players, UNIT if fallen else 0
        elif fallen:
            row.place, row.share840 = 2, 0
        else:
            first = rules.honours == 0 or row.given == most
            row.place = 1 if first else 1 + best
            row.share840 = UNIT // 2 // burghers + (UNIT // 2 // best if first else 0)
        row.held = state.hands[seat, 0] + state.hands[seat, 1] + state.hands[seat, 2]
