"""What every game's wrapper for forbidden members does: ask the policy proper, which sees only what it may do."""

from __future__ import annotations

import numpy as np

from simcore.jit import call_policy, inlined, lowest_bit
from strategies.moves import NONE, ONE, later_moves

ILLEGAL = np.int64(-1)


@inlined
def decide_without(rules, lineup, state, seat, avoided):
    """The move of a seat's policy proper without some moves; with them where all others are illegal."""
    legal = state.legal
    allowed = legal & ~avoided
    if allowed == NONE:
        allowed = legal
    if later_moves(allowed) == NONE:
        return lowest_bit(allowed)
    state.legal = allowed
    move = np.int64(call_policy(lineup.members[lineup.entry[seat]].inner, rules, lineup, state, seat))
    state.legal = legal
    return move if move >= 0 and (allowed >> np.uint64(move & 63)) & ONE else ILLEGAL
