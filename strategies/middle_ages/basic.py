"""Middle-Ages: the two policies that the rulings define exactly."""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages.kernel import slot_rate
from simcore.games.middle_ages.state import CEMETERY, DOMAINS, EXTRA, LORD, LOSS, PLOT, SCOUT
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from simcore.kernel.lineup import UNIT
from simcore.games.middle_ages.search import counted_tiles, option_tile, raids, worth_given
from strategies.moves import NONE, ONE, blunder_move, blunders, heated, random_move

LAST = np.int64(-(1 << 62))
LAST_MOVE = np.int64(63)


@kernel
def uniform(rules, lineup, state, seat):
    """Return a random legal move, all equally likely."""
    return random_move(state, seat)


@inlined
def ranked(score, move, legal):
    """The rank of a move as a number: by score, then the lower move first; a move that is not legal comes last."""
    key = (score << 6) + (LAST_MOVE - move)
    return key if (legal >> np.uint64(move)) & ONE else LAST


@inlined
def best_in_row(rules, state, seat, row, first, mills, barracks):
    """The rank of the best of the moves `first` + column in a row."""
    player = state.players[seat]
    best = LAST
    for column in range(rules.players + 1):
        score = worth_given(rules, player, state.tiles[row, column], mills, barracks)
        best = max(best, ranked(score, first + column, state.legal))
    return best


@kernel
def best_tile(rules, state, seat):
    """The rank of the best tile to reserve or to take back."""
    player = state.players[seat]
    mills, barracks = raids(rules, state, seat)
    if state.decision == SCOUT:
        near = (state.round + 1) & 3
        best = best_in_row(rules, state, seat, near, 0, mills, barracks)
        return max(best, best_in_row(rules, state, seat, (near + 1) & 3, 8, mills, barracks))
    best = LAST
    for index in range(player.buried):
        score = worth_given(rules, player, player.cemetery[index], mills, barracks)
        best = max(best, ranked(score, index, state.legal))
    return best


@kernel
def best_token(rules, state, seat):
    """The rank of the slot whose Income counts the most tiles, or of the slot and token with the most coins."""
    player = state.players[seat]
    best = LAST
    for slot in range(DOMAINS):
        if state.decision == EXTRA:
            best = max(best, ranked(counted_tiles(player, slot), slot, state.legal))
        else:
            rate = slot_rate(rules, player, slot)
            for token in range(DOMAINS):
                best = max(best, ranked(player.tiles[token] * rate, 8 * slot + token, state.legal))
    return best


@inlined
def loss(rules, tile):
    """Score of losing a tile: the fewer symbols, the better."""
    face = rules.tiles[tile]
    return -(np.int64(face.peasants) + np.int64(face.chests))


@kernel
def least_loss(rules, state, seat):
    """The rank of the tile with the fewest symbols."""
    player = state.players[seat]
    best = LAST
    for index in range(player.tiles[state.domain]):
        score = loss(rules, player.column[state.domain, index])
        best = max(best, ranked(score, index, state.legal))
    return best


@kernel
def greedy(rules, lineup, state, seat):
    """Return the move that brings the most coins at once; the first in board order among equals.

    It also looks at moves that are not legal, because this costs less than asking which ones are legal.
    """
    if state.decision == LORD:
        mills, barracks = raids(rules, state, seat)
        best = best_in_row(rules, state, seat, state.round & 3, 0, mills, barracks)
    elif state.decision == SCOUT or state.decision == CEMETERY:
        best = best_tile(rules, state, seat)
    elif state.decision == LOSS:
        best = least_loss(rules, state, seat)
    else:
        best = best_token(rules, state, seat)
    return LAST_MOVE - (best & LAST_MOVE)


@inlined
def immediate(rules, state, seat, move, mills, barracks):
    """The score of a move for `greedy`, given the result of `raids`."""
    player = state.players[seat]
    if state.decision == EXTRA:
        return np.int64(counted_tiles(player, move))
    if state.decision == PLOT:
        return np.int64(player.tiles[move & 7] * slot_rate(rules, player, move >> 3))
    tile = option_tile(state, seat, move)
    if state.decision == LOSS:
        return loss(rules, tile)
    return np.int64(worth_given(rules, player, tile, mills, barracks))


@kernel
def noisy_greedy(rules, lineup, state, seat):
    """`greedy` with temperature and blunders."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    mills, barracks = raids(rules, state, seat)
    legal = state.legal
    best = lowest_bit(legal)
    most = LAST
    while legal != NONE:
        move = lowest_bit(legal)
        score = heated(lineup, state, seat, move, immediate(rules, state, seat, move, mills, barracks) * UNIT)
        if score > most:
            most = score
            best = move
        legal &= legal - ONE
    return best
