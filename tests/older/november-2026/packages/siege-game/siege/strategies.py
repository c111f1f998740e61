"""Siege: policies by role, and what their weights mean."""

import numpy as np

from siege.kernel import size_of, units_of
from siege.rules import KINDS as NAMES
from siege.rules import RULES
from siege.state import DEMAND, GIVE, NOTHING, STATE, TYPES
from simcore.kernel.compilation import kernel
from simcore.kernel.decisions import first_legal, next_legal
from simcore.kernel.lineup import LINEUP
from simcore.kernel.pointers import Policy
from strategies.kit import Feature, Kit
from strategies.moves import blunder_move, blunders, heated, uniform
from strategies.restrained import decide_avoiding
from strategies.restrictions import AVOIDS, Restriction

RECORDS = (RULES, LINEUP, STATE)
UNITS, KINDS, SPENT, CARDS, LEFT, KEPT = range(6)
FEATURES = (
    Feature("units", "units demanded"),
    Feature("kinds", "kinds demanded"),
    Feature("spent", "units demanded, each times the cards of its kind that were given in the season before"),
    Feature("cards", "cards that the burgher gives"),
    Feature("left", "cards of the same kind that stay in the burgher's hand"),
    Feature("kept", "1 if the burgher gives nothing"),
)


@kernel
def worth_demanding(rules, state, weights, move):
    """How good a demand is, in 1/1024."""
    kinds = spent = 0
    for kind in range(TYPES):
        kinds += np.int64(units_of(move, kind) > 0)
        spent += units_of(move, kind) * state.given[kind]
    return weights[UNITS] * size_of(move) + weights[KINDS] * kinds + weights[SPENT] * spent


@kernel
def worth_giving(rules, state, weights, seat, move):
    """How good it is to give cards of a kind, in 1/1024."""
    if move == NOTHING:
        return weights[KEPT]
    held = np.int64(state.hands[seat].of[move])
    cards = min(np.int64(state.open[move]), held)
    return weights[CARDS] * cards + weights[LEFT] * (held - cards)


@kernel
def weigh(rules, lineup, state, seat):
    """The best move by weights, with blunders and the noise of a temperature."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    weights = lineup.members[lineup.seated[seat]].weights
    move = best = first_legal(state)
    most = np.int64(-(1 << 62))
    while move >= 0:
        if state.decision == DEMAND:
            worth = worth_demanding(rules, state, weights, move)
        else:
            worth = worth_giving(rules, state, weights, seat, move)
        worth = heated(lineup, state, seat, move, worth)
        if worth > most:
            best, most = move, worth
        move = next_legal(state, move)
    return best


@kernel
def bully(rules, lineup, state, seat):
    """Demand as much as can be, of few kinds: the last legal demand."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    last = first_legal(state)
    while next_legal(state, last) >= 0:
        last = next_legal(state, last)
    return last


@kernel
def giver(rules, lineup, state, seat):
    """Give of the first kind that is wanted."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    return first_legal(state)


@kernel
def avoided(rules, lineup, state, seat, move):
    """Whether a move demands or gives cards of a kind that its player avoids."""
    avoids = lineup.members[lineup.seated[seat]].avoids
    found = False
    for kind in range(TYPES):
        uses = move == kind if state.decision == GIVE else units_of(move, kind) > 0
        found |= uses and (avoids >> np.uint64(kind)) & np.uint64(1) != np.uint64(0)
    return found


@kernel
def restrained(rules, lineup, state, seat):
    """The move of the policy proper, which sees only what it may do."""
    return decide_avoiding(avoided, rules, lineup, state, seat)


def restrictions(rules):
    """Yield each kind of cards, which are then neither demanded nor given."""
    for number, name in enumerate(NAMES):
        yield Restriction(name, AVOIDS, name, 1 << number)


POLICIES = {
    "random": Policy(uniform, RECORDS, cached=True),
    "bully": Policy(bully, RECORDS, cached=True),
    "demand": Policy(weigh, RECORDS, cached=True),
    "giver": Policy(giver, RECORDS, cached=True),
}
POLICIES["give"] = POLICIES["demand"]  # one function weighs for both roles

KIT = Kit(
    policies=POLICIES,
    features=FEATURES,
    weighing=frozenset({"demand", "give"}),
    default={"warlord": "schemer", "burgher": "steward"},
    records=RECORDS,
    restrictions=restrictions,
    restrained=Policy(restrained, RECORDS, cached=True),
    roles={"bully": "warlord", "demand": "warlord", "giver": "burgher", "give": "burgher"},
)
