"""Kuhn poker: a policy that bets and calls with a probability for each card."""

import numpy as np

from kuhn.kernel import ACTIVE, ANSWER, CARDS, PASSIVE, RULES, STATE
from simcore.kernel.compilation import kernel
from simcore.kernel.lineup import LINEUP, UNIT
from simcore.kernel.pointers import Policy
from simcore.kernel.streams import decide
from strategies.kit import Feature, Kit
from strategies.moves import uniform

RECORDS = (RULES, LINEUP, STATE)
WHERE = ("open", "after_check", "answer_first", "answer_second")


@kernel
def mixed(rules, lineup, state, seat):
    """Bet or call with the probability of this card in this place; below 0 never, above 1 always."""
    where = np.int64(state.decision)
    if where == ANSWER:
        where += seat
    weight = lineup.members[lineup.seated[seat]].weights[len(CARDS) * where + state.cards[seat]]
    return ACTIVE if decide(state.rng, seat, state.slot, state.lane, UNIT) < weight else PASSIVE


KIT = Kit(
    policies={"random": Policy(uniform, RECORDS, cached=True), "mixed": Policy(mixed, RECORDS, cached=True)},
    features=tuple(
        Feature(f"{where}_{card}", f"probability of a bet or a call with the {card}: {where.replace('_', ' ')}")
        for where in WHERE
        for card in CARDS
    ),
    weighing=frozenset({"mixed"}),
    default="equilibrium",
    records=RECORDS,
)
