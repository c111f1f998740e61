"""What every game's wrapper for restricted members does: ask the wrapped policy, and show it only allowed moves."""

from __future__ import annotations

import numpy as np

from simcore.kernel.compilation import inlined
from simcore.kernel.decisions import first_legal, is_legal, next_legal
from simcore.kernel.intrinsics import legal_word, legal_words, lowest_bit, set_legal_word
from simcore.kernel.pointers import call_policy
from strategies.moves import NONE, ONE, later_moves

ILLEGAL = np.int64(-1)


@inlined
def decide_without(rules, lineup, state, seat, avoided):
    """Return the move of a seat's wrapped policy without some of up to 64 moves, unless no other move is legal."""
    legal = state.legal
    allowed = legal & ~avoided
    if allowed == NONE:
        allowed = legal
    if later_moves(allowed) == NONE:
        return lowest_bit(allowed)
    state.legal = allowed
    move = np.int64(call_policy(lineup.members[lineup.seated[seat]].inner, rules, lineup, state, seat))
    state.legal = legal
    return move if move >= 0 and (allowed >> np.uint64(move & 63)) & ONE else ILLEGAL


@inlined
def decide_avoiding(avoids, rules, lineup, state, seat):
    """Do the same for any number of moves: without those for which `avoids(rules, lineup, state, seat, move)` holds."""
    kept = (legal_at(state, 0), legal_at(state, 1), legal_at(state, 2), legal_at(state, 3))
    left = np.int64(0)
    move = first_legal(state)
    while move >= 0:
        if avoids(rules, lineup, state, seat, move):
            word = legal_word(state, move >> 6) & ~(ONE << np.uint64(move & 63))
            set_legal_word(state, move >> 6, word)
        else:
            left += 1
        move = next_legal(state, move)
    if left == 0:
        put_back(state, kept)
    move = first_legal(state)
    if left != 1:
        move = np.int64(call_policy(lineup.members[lineup.seated[seat]].inner, rules, lineup, state, seat))
        move = move if is_legal(state, move) else ILLEGAL
    put_back(state, kept)
    return move


@inlined
def legal_at(state, number):
    """Return one word of the set of legal moves; empty beyond the last."""
    return legal_word(state, np.int64(number)) if number < legal_words(state) else NONE


@inlined
def put_back(state, kept):
    """Make the stored moves legal again."""
    for number in range(legal_words(state)):
        word = kept[0] if number == 0 else kept[1] if number == 1 else kept[2] if number == 2 else kept[3]
        set_legal_word(state, number, word)
