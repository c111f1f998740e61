"""Seigneurial: the policies `lord`, `tenant` and `both`, weighted sums of the features in `features.py`."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.state import LORD
from simcore.kernel.compilation import kernel
from simcore.kernel.decisions import first_legal, next_legal
from strategies.moves import blunder_move, blunders, heated
from strategies.seigneurial.lord import lord_score
from strategies.seigneurial.tenant import tenant_score

LOWEST = np.int64(-(1 << 62))


@kernel
def linear(rules, lineup, state, seat):
    """The move of the highest score, with blunders and the noise of a temperature; the first of equals."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    weights = lineup.members[lineup.seated[seat]].weights
    move = best = first_legal(state)
    highest = LOWEST
    while move >= 0:
        if seat == LORD:
            score = lord_score(rules, state, weights, move)
        else:
            score = tenant_score(rules, state, weights, seat, move)
        score = heated(lineup, state, seat, move, score)
        if score > highest:
            best, highest = move, score
        move = next_legal(state, move)
    return best
