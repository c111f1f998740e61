"""What policies do with moves: go through them, count them, draw one, and add noise to their scores.

A policy finds the legal moves in `state.legal`: bit m stands for move m, in board order from the lowest bit.  In a game
with decisions of more than 64 moves this is an array of words; `simcore.kernel.decisions` handles both.
"""

from __future__ import annotations

import math

import numpy as np

from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import count_legal, nth_legal
from simcore.kernel.intrinsics import lowest_bit, nth_bit, popcount
from simcore.kernel.lineup import UNIT
from simcore.kernel.streams import NOISE, block, bounded, decide

ONE = np.uint64(1)
NONE = np.uint64(0)
_ATTEMPT = np.int64(0)
_CHANCE, _BLUNDER = np.int64(8), np.int64(9)  # blocks of a decision's noise; 0..7 are for its moves, 64 an attempt
_16, _4 = np.uint64(16), np.uint64(4)
_TABLE_BITS = 12
_INDEX = np.uint64((1 << _TABLE_BITS) - 1)


def gumbel_quantiles(size: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the standard Gumbel distribution's quantiles at (i + 1/2) / size, in 1/1024.

    size: The number of quantiles.
    Returns numpy.ndarray: Shape (size,), ascending.  With 4096, none lies within 1e-5 of a rounding boundary, so any C
        library gives the same integers.
    """
    points = ((number + 0.5) / size for number in range(size))
    return np.array([round(-math.log(-math.log(point)) * UNIT) for point in points], np.int32)


GUMBEL = gumbel_quantiles(1 << _TABLE_BITS)
NO_NOISE = (np.int64(-1), (NONE, NONE, NONE, NONE))
"""Number of a block of noise, and its words."""


@inlined
def first_move(legal):
    """Return the first of some moves."""
    return lowest_bit(legal)


@inlined
def later_moves(legal):
    """Return the moves without the first."""
    return legal & (legal - ONE)


@inlined
def count_moves(legal):
    """Return the number of moves."""
    return popcount(legal)


@inlined
def nth_move(legal, n):
    """Return the n-th legal move, counted from 0."""
    return nth_bit(legal, n)


@inlined
def random_move(state, seat):
    """Return a random legal move, all equally likely; the draw is specific to this decision of this seat."""
    return nth_legal(state, decide(state.rng, seat, state.slot, state.lane, count_legal(state)))


@kernel
def uniform(rules, lineup, state, seat):
    """A policy: a random legal move, all equally likely."""
    return random_move(state, seat)


@inlined
def noise_slot(state, seat):
    """Address of a decision's noise: its seat, block (the part below 128) and lane (below 64), and no history."""
    return np.int64(((state.slot & 127) << 9) | (state.lane << 3) | seat)


@inlined
def noise_block(state, number):
    """Number of a block (below 16) of a decision's noise, set apart from those of other decisions' blocks by 128."""
    return np.int64((state.slot >> 7) * 16 + number)


@inlined
def noise_of(state, seat, move):
    """Return the block of noise that holds a move's."""
    number = noise_block(state, (move >> 3) & 7)
    return block(state.rng, NOISE, noise_slot(state, seat), np.int64(move >> 6), number)


@inlined
def gumbel(words, move):
    """Return the standard Gumbel noise of a move, in 1/1024, from the block of its noise."""
    part = (move >> 1) & 3
    word = words[0] if part == 0 else words[1] if part == 1 else words[2] if part == 2 else words[3]
    if move & 1:
        word >>= _16
    return np.int64(GUMBEL[np.int64((word >> _4) & _INDEX)])


@inlined
def weight(lineup, seat, number):
    """Return the weight with a number of the seat's player, in 1/1024: a policy's own weights, counted from 0."""
    return lineup.members[lineup.seated[seat]].weights[number]


@kernel
def blunders(lineup, state, seat):
    """Return whether this decision is a blunder."""
    chance = lineup.members[lineup.seated[seat]].blunder
    if chance == NONE:
        return False
    return block(state.rng, NOISE, noise_slot(state, seat), _ATTEMPT, noise_block(state, _CHANCE))[0] < chance


@kernel
def blunder_move(state, seat):
    """Return the move of a blunder: any legal one."""
    number = bounded(state.rng, NOISE, noise_slot(state, seat), noise_block(state, _BLUNDER), count_legal(state))
    return nth_legal(state, number)


@inlined
def heated(lineup, state, seat, move, score):
    """Return a score in 1/1024 with the noise of its seat's temperature."""
    return heated_in_turn(lineup, state, seat, move, score, NO_NOISE)[0]


@inlined
def heated_in_turn(lineup, state, seat, move, score, known):
    """Return `heated`, and the block of noise that it used, which serves eight moves: at first NO_NOISE is known."""
    temperature = lineup.members[lineup.seated[seat]].temperature
    if temperature != 0:
        if move >> 3 != known[0]:
            known = (np.int64(move >> 3), noise_of(state, seat, move))
        score += (temperature * gumbel(known[1], move)) >> 10
    return score, known
