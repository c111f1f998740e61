"""builder.py: coins at once, with a liking for one Domain that fades."""

import equipoise as eq
from simcore.kernel.decisions import count_legal, nth_legal
from strategies.middle_ages import LORD, RAMPART, ROUNDS, SCOUT, option_tile, worth
from strategies.moves import random_move, weight


@eq.policy("middle-ages", weights={"ramparts": 1, "fading": 0.1})
def builder(rules, lineup, state, seat):
    """Takes the tile that brings the most coins, and Ramparts early."""
    if state.decision not in (LORD, SCOUT):
        return random_move(state, seat)
    liking = weight(lineup, seat, 0) * (ROUNDS - state.round) - weight(lineup, seat, 1) * state.round
    best, most = nth_legal(state, 0), -(1 << 40)
    for n in range(count_legal(state)):
        move = nth_legal(state, n)
        tile = option_tile(state, seat, move)
        score = 1024 * worth(rules, state, seat, tile)
        if rules.tiles[tile].domain == RAMPART:
            score += liking
        if score > most:
            best, most = move, score
    return best
