"""bold.py: attacks whoever is weaker, and otherwise plays like the steward."""

import equipoise as eq
from simcore.kernel.decisions import count_legal, nth_legal
from strategies.fief_2 import ATTACK, points_of, steward
from strategies.moves import weight


@eq.policy("fief-2", weights={"odds": 2})
def bold(rules, lineup, state, seat):
    """Attacks the weakest family in the village if its own points are a multiple of theirs."""
    if state.decision != ATTACK:
        return steward(rules, lineup, state, seat)
    own = points_of(state, state.village, seat)
    best, fewest = 0, own
    for n in range(count_legal(state)):
        move = nth_legal(state, n)
        if move > 1:
            theirs = points_of(state, state.village, move - 2)
            if theirs <= fewest and 1024 * own >= weight(lineup, seat, 0) * theirs:
                best, fewest = move, theirs
    return best
