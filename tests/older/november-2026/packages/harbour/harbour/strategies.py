"""Harbour: policies, and the features that they weigh."""

import numpy as np

from harbour.kernel import RULES, STATE, points_of
from simcore.kernel.compilation import kernel
from simcore.kernel.decisions import first_legal, next_legal
from simcore.kernel.lineup import LINEUP
from simcore.kernel.pointers import Policy
from strategies.kit import Feature, Kit
from strategies.moves import blunder_move, blunders, heated, uniform

RECORDS = (RULES, LINEUP, STATE)
POINTS, RIVALS = range(2)
FEATURES = (
    Feature("points", "points that the move brings now"),
    Feature("rivals", "points that the move would bring to the next player"),
)


@kernel
def weigh(rules, lineup, state, seat):
    """Return the best move by weights, with blunders and the noise of a temperature."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    weights = lineup.members[lineup.seated[seat]].weights
    move = best = first_legal(state)
    most = np.int64(-(1 << 62))
    while move >= 0:
        worth = weights[POINTS] * points_of(state, seat, move)
        worth += weights[RIVALS] * points_of(state, (seat + 1) % rules.players, move)
        worth = heated(lineup, state, seat, move, worth)
        if worth > most:
            best, most = move, worth
        move = next_legal(state, move)
    return best


KIT = Kit(
    policies={"random": Policy(uniform, RECORDS, cached=True), "weigh": Policy(weigh, RECORDS, cached=True)},
    features=FEATURES,
    weighing=frozenset({"weigh"}),
    default="greedy",
    records=RECORDS,
)
