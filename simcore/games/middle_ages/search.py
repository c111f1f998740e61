"""Middle-Ages: what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.game import Search
from simcore.games.middle_ages.kernel import settle
from simcore.games.middle_ages.rows import BLUE
from simcore.games.middle_ages.sight import LOOK
from simcore.games.middle_ages.state import REFILLS
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from simcore.kernel.streams import shuffle

NONE, ONE = np.uint64(0), np.uint64(1)


@kernel
def redraw(rules, state, seat):
    """Shuffle the rest of the stack; everything else is open, and the order of later stacks is still undecided."""
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
def clock(state):
    """The number of finished rounds."""
    return np.int64(state.round)


@kernel
def ended(state):
    """No game ends before its last step."""
    return False


@kernel
def judge(rules, lineup, state, seat, trace):
    """The win share of a seat and its lead in coins."""
    settle(rules, lineup, state, trace)
    best = -(1 << 30)
    for other in range(rules.players):
        if other != seat:
            best = max(best, np.int64(state.players[other].coins))
    return np.int64(state.rows[seat].share60), state.players[seat].coins - best


SEARCH = Search(clock=clock, ended=ended, judge=judge, look=LOOK)
