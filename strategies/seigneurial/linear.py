"""Seigneurial: the policies `lord`, `tenant` and `both`: weighted sums of the features in `features.py`."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.state import CROWN, LORD, NEXT, SPLIT, TARGET
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import first_legal, next_legal
from strategies.moves import NO_NOISE, blunder_move, blunders, heated_in_turn
from strategies.seigneurial.lord import ledgers_of, lord_score
from strategies.seigneurial.tenant import tenant_score

LOWEST = np.int64(-(1 << 62))


@inlined
def is_of_seats(decision):
    """Whether the moves of a decision name tenants."""
    return (decision == TARGET) | (decision == SPLIT) | (decision == NEXT) | (decision == CROWN)


@inlined
def comes_before(rules, state, seat, other):
    """Whether a tenant comes before another in the order of the season, which favours no seat."""
    tenants = rules.players - 1
    return (seat - state.first + tenants) % tenants < (other - state.first + tenants) % tenants


@kernel
def linear(rules, lineup, state, seat):
    """Return the move with the highest score, with blunders and the noise of a temperature.

    Among tenants with equal scores, it takes the first in the order of the season; among other equal moves, the first.
    """
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    weights = lineup.members[lineup.seated[seat]].weights
    of_seats, ledgers = is_of_seats(state.decision), ledgers_of(rules, state)
    move = best = first_legal(state)
    highest = LOWEST
    noise = NO_NOISE
    while move >= 0:
        if seat == LORD:
            score = lord_score(rules, state, weights, ledgers, move)
        else:
            score = tenant_score(rules, state, weights, seat, move)
        score, noise = heated_in_turn(lineup, state, seat, move, score, noise)
        if score > highest or (score == highest and of_seats and comes_before(rules, state, move, best)):
            best, highest = move, score
        move = next_legal(state, move)
    return best
