"""Pig: policies, and the meaning of their weights."""

import numpy as np

from pig.kernel import HOLD, ROLL, RULES, STATE
from simcore.kernel.compilation import kernel
from simcore.kernel.lineup import LINEUP, UNIT
from simcore.kernel.pointers import Policy
from strategies.kit import Feature, Kit
from strategies.moves import blunder_move, blunders, heated, uniform

RECORDS = (RULES, LINEUP, STATE)


@kernel
def hold(rules, lineup, state, seat):
    """Hold once the turn has enough points."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    wanted = lineup.members[lineup.seated[seat]].weights[0]
    held = heated(lineup, state, seat, HOLD, np.int64(state.total) * UNIT)
    return HOLD if held >= heated(lineup, state, seat, ROLL, wanted) else ROLL


KIT = Kit(
    policies={"random": Policy(uniform, RECORDS, cached=True), "hold": Policy(hold, RECORDS, cached=True)},
    features=(Feature("hold_at", "points of the turn from which on the player holds"),),
    weighing=frozenset({"hold"}),
    default="hold20",
    records=RECORDS,
)
