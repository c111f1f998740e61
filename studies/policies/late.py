"""late.py: saves cards, and otherwise plays like the gatherer."""

import equipoise as eq
from simcore.kernel.decisions import is_legal
from strategies.moves import weight
from strategies.seigneurial import PASS, PLAY, SPRING, gatherer


@eq.policy("seigneurial", role="tenant", weights={"saved": 2})
def late(rules, lineup, state, seat):
    """Plays no card in spring while it has only a few."""
    few = 1024 * state.players[seat].cards <= weight(lineup, seat, 0)
    if few and state.decision == PLAY and state.quarter == SPRING and is_legal(state, PASS):
        return PASS
    return gatherer(rules, lineup, state, seat)
