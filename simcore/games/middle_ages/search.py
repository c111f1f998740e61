"""Middle-Ages: what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.game import Search
from simcore.games.middle_ages.effects import lay_extra_coin, lay_plot, post_scout
from simcore.games.middle_ages.fief import EVENT_SLOT, ONE, dig_up
from simcore.games.middle_ages.kernel import collect_income, end_round, play_round, settle, take_tile, take_turns
from simcore.games.middle_ages.rows import BLUE, place_lord, stand_lord
from simcore.games.middle_ages.state import CEMETERY, EXTRA, LORD, PLOT, REFILLS, ROUNDS, SCOUT
from simcore.jit import inlined, kernel, lowest_bit, popcount
from simcore.streams import shuffle

NONE = np.uint64(0)


@kernel
def resumable(state):
    """Every decision of a turn; not those that an Event asks for."""
    return state.slot < EVENT_SLOT


@kernel
def redraw(rules, state, seat):
    """Shuffle what is left of the stack; everything else lies open, and the order of later stacks is chance to come."""
    left = state.stack - state.drawn
    put_in_order(state.deck, state.drawn, state.stack)
    state.stack = left
    state.drawn = 0
    refills = min(REFILLS, REFILLS + 1 - state.round)
    shuffle(state.rng, BLUE, state.deck, left, min(left, max(refills, 0) * (rules.players + 1)))


@inlined
def put_in_order(items, first, end):
    """Bring different numbers below 256 to the front, in ascending order; leave nothing behind them."""
    held = (NONE, NONE, NONE, NONE)
    for i in range(first, end):
        bit = ONE << np.uint64(items[i] & 63)
        part = items[i] >> 6
        held = (
            held[0] | (bit if part == 0 else NONE),
            held[1] | (bit if part == 1 else NONE),
            held[2] | (bit if part == 2 else NONE),
            held[3] | (bit if part == 3 else NONE),
        )
    done = 0
    for part in range(4):
        some = held[part]
        while some != NONE:
            items[done] = np.uint8(64 * part + lowest_bit(some))
            some &= some - ONE
            done += 1
    for i in range(done, end):
        items[i] = 0


@kernel
def resume(rules, lineup, state, seat, move, rounds, trace):
    """Play on from a decision within a turn, with `move` as its answer, for some rounds more, and rank the seats."""
    last = min(state.round + rounds, ROUNDS)
    if state.round == 0:
        stand_lord(state, seat, np.int64(0), move, trace)
        for other in range(seat + 1, rules.players):
            place_lord(rules, lineup, state, other, np.int64(0), trace)
    else:
        finish_round(rules, lineup, state, seat, move, trace)
    for rnd in range(state.round + 1, last + 1):
        state.round = rnd
        play_round(rules, lineup, state, trace)
    settle(rules, state, trace)


@inlined
def finish_round(rules, lineup, state, seat, move, trace):
    """The rest of the round in which a seat was asked."""
    row = (state.round - 1) & 3
    column = np.int64(0)
    for number in range(rules.players + 1):
        if state.occupied[row] >> number & 1 and state.lords[row, number] == seat:
            column = np.int64(number)
    lords = np.uint64(state.occupied[row])
    before = (ONE << np.uint64(column)) - ONE
    position = 1 + popcount(lords & before)
    if state.decision == LORD:
        stand_lord(state, seat, state.round & 3, move, trace)
        take_tile(rules, lineup, state, seat, column, position, trace)
    else:
        if state.decision == SCOUT:
            post_scout(state, seat, move, trace)
        elif state.decision == EXTRA:
            lay_extra_coin(rules, state, seat, move, trace)
        elif state.decision == PLOT:
            lay_plot(rules, state, seat, move, trace)
        elif state.decision == CEMETERY:
            dig_up(rules, state, seat, move)
        collect_income(state, seat, np.int64(rules.tiles[state.tiles[row, column]].domain), trace)
    take_turns(rules, lineup, state, lords & ~(before | ONE << np.uint64(column)), position + 1, trace)
    end_round(rules, lineup, state, trace)


@kernel
def judge(rules, state, seat):
    """The win share of a seat and its lead in coins."""
    best = -(1 << 30)
    for other in range(rules.players):
        if other != seat:
            best = max(best, np.int64(state.players[other].coins))
    player = state.players[seat]
    return np.int64(player.row.share60), player.coins - best


SEARCH = Search(resumable=resumable, redraw=redraw, resume=resume, judge=judge)
