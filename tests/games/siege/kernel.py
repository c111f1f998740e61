"""Siege: the game.

Every season each burgher draws a card, the warlord pays for a demand of some units of each kind, and the burghers in
turn give cards of one kind towards it.  What is missing breaks the walls.
"""

import numpy as np

from siege.state import DEMAND, GIVE, MOST, NOTHING, TYPES, UNIT, WARLORD
from simcore.components.deck import NO_CARD, add_cards, clear_deck, discard_card, draw_card, redraw_deck, shuffle_deck
from simcore.components.hand import add_card, clear_hand, draw_hand, hand_to_deck, remove_card
from simcore.kernel.compilation import kernel
from simcore.kernel.decisions import allow, choose_legal, clear_legal
from simcore.kernel.trace import has_room, tell


@kernel
def units_of(move, kind):
    """Units of a kind in a demand."""
    return (move if kind == 0 else move // MOST if kind == 1 else move // (MOST * MOST)) % MOST


@kernel
def size_of(move):
    """Units of all kinds in a demand."""
    return units_of(move, 0) + units_of(move, 1) + units_of(move, 2)


@kernel
def ask(rules, lineup, state, seat, decision, trace):
    """Let a seat choose; it does so once a season."""
    move = choose_legal(rules, lineup, state, seat, decision, state.season >> 3, state.season & 7)
    tell(trace, move)
    return move


@kernel
def draw(rules, state, trace):
    """Let every burgher draw a card, if there is one."""
    for seat in range(1, rules.players):
        kind = draw_card(state.rng, state.deck, 0)
        if kind != NO_CARD:
            add_card(state.hands[seat], kind)
        tell(trace, kind)


@kernel
def demand(rules, lineup, state, trace):
    """Let the warlord demand one unit or more, two for each burgher at most, and pay for them."""
    clear_legal(state)
    for move in range(1, MOST**TYPES):
        if size_of(move) <= min(2 * (rules.players - 1), state.supplies):
            allow(state, move)
    move = ask(rules, lineup, state, WARLORD, DEMAND, trace)
    for kind in range(TYPES):
        state.open[kind] = units_of(move, kind)
        state.given[kind] = 0
    state.supplies -= size_of(move) + rules.upkeep
    state.rows[WARLORD].demanded += size_of(move)


@kernel
def give(rules, lineup, state, seat, trace):
    """Let a burgher give cards of one kind as far as they are wanted, or nothing."""
    clear_legal(state)
    for kind in range(TYPES):
        if min(state.open[kind], state.hands[seat].of[kind]) > 0:
            allow(state, kind)
    allow(state, NOTHING)
    kind = ask(rules, lineup, state, seat, GIVE, trace)
    while kind != NOTHING and min(state.open[kind], state.hands[seat].of[kind]) > 0:
        remove_card(state.hands[seat], kind)
        discard_card(state.deck, kind)
        state.open[kind] -= 1
        state.given[kind] += 1
        state.rows[seat].given += 1


@kernel
def start(rules, lineup, state, trace):
    """Shuffle the deck and deal the first hands."""
    state.season = 0
    state.walls, state.supplies = rules.walls, rules.supplies
    state.given[:] = 0
    clear_deck(state.deck)
    for kind in range(TYPES):
        add_cards(state.deck, kind, rules.copies)
    shuffle_deck(state.rng, state.deck, 0)
    for seat in range(rules.players):
        clear_hand(state.hands[seat])
        state.rows[seat].demanded = state.rows[seat].given = 0
    for _ in range(rules.hand):
        draw(rules, state, trace)


@kernel
def step(rules, lineup, state, trace):
    """Play one season; the game goes on until the walls are down or the supplies are spent."""
    state.season += 1
    draw(rules, state, trace)
    demand(rules, lineup, state, trace)
    for seat in range(1, rules.players):
        give(rules, lineup, state, seat, trace)
    for kind in range(TYPES):
        state.walls -= state.open[kind]
    has_room(trace)
    return state.walls > 0 and state.supplies > 0 and state.fault == 0


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
        row.seasons, row.walls, row.held = state.season, max(state.walls, 0), state.hands[seat].cards
        if seat == WARLORD:
            row.place, row.share840 = 1 if fallen else rules.players, UNIT if fallen else 0
        elif fallen:
            row.place, row.share840 = 2, 0
        else:
            first = rules.honours == 0 or row.given == most
            row.place = 1 if first else 1 + best
            row.share840 = UNIT // 2 // burghers + (UNIT // 2 // best if first else 0)


@kernel
def redraw(rules, state, seat):
    """Deal the hands of all others and the rest of the deck anew."""
    for other in range(1, rules.players):
        if other != seat:
            state.rows[other].held = hand_to_deck(state.hands[other], state.deck)
    redraw_deck(state.rng, state.deck)
    for other in range(1, rules.players):
        if other != seat:
            draw_hand(state.rng, state.hands[other], state.deck, 0, state.rows[other].held)
