"""patient.py: never lays its last guild, and otherwise plays like the collector."""

import equipoise as eq
from simcore.kernel.decisions import count_legal, nth_legal
from strategies.medievallons import ACTION, LAY, PLAY, collector, ready_guilds
from strategies.moves import weight


@eq.policy("medievallons", weights={"kept": 1})
def patient(rules, lineup, state, seat):
    """Keeps some guilds that are ready to be laid in its hand."""
    move = collector(rules, lineup, state, seat)
    if state.decision != ACTION or move % 4 != LAY:
        return move
    if 1024 * (ready_guilds(rules, state.players[seat].hand) - 1) >= weight(lineup, seat, 0):
        return move
    for n in range(count_legal(state)):
        other = nth_legal(state, n)
        if other % 4 == PLAY:
            return other
    return move
