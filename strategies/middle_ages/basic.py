"""Middle-Ages: the two policies that the rulings fix to the letter."""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages.kernel import slot_rate
from simcore.games.middle_ages.state import EXTRA, LOSS, PLOT
from simcore.jit import inlined, kernel, lowest_bit
from simcore.lineup import UNIT
from strategies.middle_ages.worth import counted_tiles, option_tile, worth
from strategies.moves import NONE, ONE, blunder_move, blunders, heated, random_move


@kernel
def uniform(rules, lineup, state, seat):
    """Any legal move, all equally likely."""
    return random_move(state, seat)


@inlined
def immediate(rules, state, seat, move):
    """Score of a move to `greedy`: coins at once."""
    decision = state.decision
    player = state.players[seat]
    if decision == EXTRA:
        return np.int64(counted_tiles(player, move))
    if decision == PLOT:
        return np.int64(player.tiles[move & 7] * slot_rate(rules, player, move >> 3))
    tile = option_tile(state, seat, move)
    if decision == LOSS:
        return -np.int64(rules.tiles[tile].peasants + rules.tiles[tile].chests)
    return np.int64(worth(rules, state, seat, tile))


@kernel
def greedy(rules, lineup, state, seat):
    """The move worth most coins at once, the first in board order among equals."""
    legal = state.legal
    best = lowest_bit(legal)
    most = immediate(rules, state, seat, best)
    legal &= legal - ONE
    while legal != NONE:
        move = lowest_bit(legal)
        score = immediate(rules, state, seat, move)
        if score > most:
            most = score
            best = move
        legal &= legal - ONE
    return best


@kernel
def noisy_greedy(rules, lineup, state, seat):
    """`greedy` with temperature and blunders."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    legal = state.legal
    best = lowest_bit(legal)
    most = np.int64(-(1 << 62))
    while legal != NONE:
        move = lowest_bit(legal)
        score = heated(lineup, state, seat, move, immediate(rules, state, seat, move) * UNIT)
        if score > most:
            most = score
            best = move
        legal &= legal - ONE
    return best
