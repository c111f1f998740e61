"""Seigneurial: the wrapper for restricted members of a line-up."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.state import CHURCH, LAY, MILL, PASS, PAY_DUE, PLACE, PLAY, STOP
from simcore.kernel.compilation import inlined, kernel
from strategies.moves import NONE, ONE
from strategies.restrained import decide_avoiding

PLAYING, REFUSING, LAYING, TO_CHURCH, TO_MILL = map(np.uint64, range(5))


@inlined
def has(avoids, bit):
    """Whether a kind of move is forbidden."""
    return (avoids >> bit) & ONE != NONE


@kernel
def avoided(rules, lineup, state, seat, move):
    """Whether a move is forbidden to its player."""
    avoids = lineup.members[lineup.seated[seat]].avoids
    decision = state.decision
    if decision == PLAY:
        return move != PASS and has(avoids, PLAYING)
    if decision == PAY_DUE:
        return move == 0 and has(avoids, REFUSING)
    if decision == LAY:
        return move != STOP and has(avoids, LAYING)
    if decision == PLACE:
        return (move == CHURCH and has(avoids, TO_CHURCH)) or (move == MILL and has(avoids, TO_MILL))
    return False


@kernel
def restrained(rules, lineup, state, seat):
    """Return the move of the wrapped policy, which sees only the moves that it may make."""
    return decide_avoiding(avoided, rules, lineup, state, seat)
