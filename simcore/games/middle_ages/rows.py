"""Middle-Ages: stacks, the four rows, and the Lords on them."""

from __future__ import annotations

import numpy as np

from simcore.kernel.decisions import choose
from simcore.games.middle_ages import log
from simcore.games.middle_ages.fief import ONE, OUT_OF_TILES
from simcore.games.middle_ages.log import log2, log3, log4
from simcore.games.middle_ages.state import LORD
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.streams import shuffle
from simcore.kernel.trace import put

BLUE, EVENT_DECK, ORANGE, RESHUFFLE = map(np.int64, range(4))  # shuffle slots


@kernel
def next_stack(rules, state, trace):
    """Replace a stack that ran out: once by the orange stack, afterwards by the discards."""
    state.drawn = 0
    first = rules.blue if state.stacks == 1 and rules.orange > 0 else -1
    if first >= 0:
        state.stack = rules.orange
        for i in range(rules.orange):
            state.deck[i] = np.uint8(first + i)
    else:
        state.stack = state.discarded
        for i in range(state.discarded):
            state.deck[i] = state.discards[i]
        state.discarded = 0
    size = state.stack
    if size == 0:
        state.fault = OUT_OF_TILES
        state.deck[0] = 0
        state.stack = 1
    if trace.on:
        log3(trace, log.STACK, state.round, first >= 0, size)
        for i in range(size):
            put(trace, state.deck[i])
    shuffle(state.rng, ORANGE if first >= 0 else RESHUFFLE + state.stacks, state.deck, size, size)
    state.stacks += 1


@kernel
def fill_row(rules, state, row, trace):
    """Draw a row and sort it by number, with equal numbers in the order in which they were drawn."""
    columns = rules.players + 1
    tiles = state.tiles[row]
    if state.drawn + columns > state.stack:
        draw_across(rules, state, tiles, columns, trace)
    else:
        for i in range(columns):
            tiles[i] = state.deck[state.drawn + i]
        state.drawn += columns
    if trace.on:
        log2(trace, log.DEAL, state.round, row)
        for i in range(columns):
            put(trace, tiles[i])
    sort_row(rules, state, row)
    if trace.on:
        for i in range(columns):
            put(trace, tiles[i])
    state.occupied[row] = 0
    state.reserved[row] = 0


@inlined
def sort_row(rules, state, row):
    """Sort a row by number, with equal numbers in draw order: each tile goes behind those that are not higher."""
    columns = rules.players + 1
    packed = np.uint64(0)
    for i in range(columns):
        tile = state.tiles[row, i]
        number = rules.tiles[tile].number
        left = 0
        for j in range(i):
            left += np.int64(state.numbers[j] <= number)
        state.numbers[i] = number
        below = (ONE << np.uint64(8 * left)) - ONE
        packed = (packed & below) | ((packed & ~below) << np.uint64(8)) | (np.uint64(tile) << np.uint64(8 * left))
    for i in range(columns):
        state.tiles[row, i] = np.uint8((packed >> np.uint64(8 * i)) & np.uint64(255))


@kernel
def draw_across(rules, state, tiles, columns, trace):
    """Draw a row while the stack runs out."""
    for i in range(columns):
        if state.drawn == state.stack:
            next_stack(rules, state, trace)
        tiles[i] = state.deck[state.drawn]
        state.drawn += 1


@kernel
def place_lord(rules, lineup, state, seat, row, trace):
    """Let a seat put its Lord on a free tile of a row."""
    taken = state.occupied[row] | (state.reserved[row] & ~reservation(state, seat, row))
    legal = np.uint64(((1 << (rules.players + 1)) - 1) & ~taken)
    column = choose(rules, lineup, state, seat, LORD, legal, state.round >> 2, state.round & 3)
    stand_lord(state, seat, row, column, trace)


@inlined
def reservation(state, seat, row):
    """The tile of a row that a seat's Scout reserves, as a set of columns."""
    scout = state.players[seat].scout
    return np.int64(scout >> 3 == row) << (scout & 7)


@inlined
def stand_lord(state, seat, row, column, trace):
    """Put a seat's Lord on a column of a row; if its Scout is in that row, it comes home."""
    player = state.players[seat]
    own = reservation(state, seat, row)
    state.reserved[row] &= ~own
    player.scout = -1 if own else player.scout
    player.row.scouts_honoured += (own >> column) & 1
    state.occupied[row] |= 1 << column
    state.lords[row, column] = seat
    log4(trace, log.LORD, state.round, seat, row, column)
