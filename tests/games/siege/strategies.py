"""Siege: policies by role, and what their weights mean."""

import numpy as np

from siege.kernel import size_of, units_of
from siege.rules import RULES
from siege.state import NOTHING, STATE, TYPES
from simcore.jit import Policy, kernel
from simcore.lineup import LINEUP
from strategies.kit import Feature, Kit
from strategies.moves import NONE, blunder_move, blunders, first_move, heated, later_moves, random_move

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
def uniform(rules, lineup, state, seat):
    """Any legal move, all equally likely."""
    return random_move(state, seat)


@kernel
def worth_demanding(rules, state, weights, move):
    """How good a demand is, in 1/1024."""
    kinds = spent = 0
    for kind in range(TYPES):
        kinds += np.int64(units_of(move, kind) > 0)
        spent += units_of(move, kind) * state.last[kind]
    return weights[UNITS] * size_of(move) + weights[KINDS] * kinds + weights[SPENT] * spent


@kernel
def worth_giving(rules, state, weights, seat, move):
    """How good it is to give cards of a kind, in 1/1024."""
    if move == NOTHING:
        return weights[KEPT]
    held = np.int64(state.hands[seat, move])
    cards = min(np.int64(state.open[move]), held)
    return weights[CARDS] * cards + weights[LEFT] * (held - cards)


@kernel
def weigh(rules, lineup, state, seat):
    """The best move by weights, with blunders and the noise of a temperature."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    weights = lineup.members[lineup.entry[seat]].weights
    rest = state.legal
    best = np.int64(first_move(rest))
    most = np.int64(-(1 << 62))
    while rest != NONE:
        move = np.int64(first_move(rest))
        rest = later_moves(rest)
        if seat == 0:
            worth = worth_demanding(rules, state, weights, move)
        else:
            worth = worth_giving(rules, state, weights, seat, move)
        worth = heated(lineup, state, seat, move, worth)
        if worth > most:
            best, most = move, worth
    return best


@kernel
def bully(rules, lineup, state, seat):
    """Demand as much as can be, of few kinds: the last legal demand."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    rest = state.legal
    while later_moves(rest) != NONE:
        rest = later_moves(rest)
    return np.int64(first_move(rest))


@kernel
def giver(rules, lineup, state, seat):
    """Give of the first kind that is wanted."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    return np.int64(first_move(state.legal))


POLICIES = {
    "random": Policy(uniform, RECORDS, cached=True),
    "bully": Policy(bully, RECORDS, cached=True),
    "demand": Policy(weigh, RECORDS, cached=True),
    "giver": Policy(giver, RECORDS, cached=True),
}
POLICIES["give"] = POLICIES["demand"]  # one function weighs for both roles

KIT = Kit(
    policies=POLICIES,
    noisy=POLICIES,
    features=FEATURES,
    weighing=frozenset({"demand", "give"}),
    default={"warlord": "schemer", "burgher": "steward"},
    records=RECORDS,
    roles={"bully": "warlord", "demand": "warlord", "giver": "burgher", "give": "burgher"},
)
