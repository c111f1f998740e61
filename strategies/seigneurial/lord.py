"""Seigneurial: how a lord weighs moves, by the features in `features.py`."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.cards import rent_split, shift_types
from simcore.games.seigneurial.effects import card_of, choices_of
from simcore.games.seigneurial.cards import is_short
from simcore.games.seigneurial.state import (
    CHURCH,
    LORD,
    MILL,
    NEXT,
    PASS,
    PICK,
    PLAY,
    SET_RENT,
    SHIFT_POINTS,
    SPLIT,
    TARGET,
    TYPES,
    VALUES,
    WHAT,
)
from simcore.games.seigneurial.state import OP_NAMES
from simcore.kernel.compilation import inlined, kernel
from strategies.kit import places_of
from strategies.seigneurial.bailiff import ledger_of, unmet
from strategies.seigneurial.features import INDEX

(
    LATE, ASK_LEDGER, ASK_LARGEST, ASK_CROWDED, ASK_KINDS, ASK_REVEALED, AIM_CARDS, AIM_HAND, AIM_LEDGER, AIM_SHORT,
    CHOOSE_LEDGER, CHOOSE_CHURCH, CHOOSE_MILL, SPLIT_CARDS, SPLIT_CARD, NEXT_CARDS, NEXT_SHORT, PICK_UNMET, PICK_VALUE,
    SHIFT_LEDGER,
) = places_of(
    INDEX,
    "lord_late ask_ledger ask_largest ask_crowded ask_kinds ask_revealed aim_cards aim_hand aim_ledger aim_short "
    "choose_ledger choose_church choose_mill split_cards split_card next_cards next_short pick_unmet pick_value "
    "shift_ledger",
)  # fmt: skip

CARD_OF = np.array([INDEX.get(f"lord_{OP_NAMES[code]}", -1) for code in range(len(OP_NAMES))], np.int64)
"""Position of the weight of a lord's card by the operation of its first effect; -1 if it has none."""

NO_LEDGERS = ((np.int64(0),) * 3,) * TYPES


@inlined
def card_score(rules, state, weights, kind):
    """Score of playing a card; a pass has the score 0."""
    place = CARD_OF[card_of(rules, LORD, kind).effect[0].op]
    gone = np.int64(state.square) - rules.start_square
    return (weights[place] if place >= 0 else np.int64(0)) + weights[LATE] * gone


@inlined
def rent_score(state, weights, ledgers, move):
    """Score of a split of the rent."""
    wood, fish = rent_split(np.int64(state.rent), move)
    score = np.int64(0)
    for kind in range(TYPES):
        points = wood if kind == 0 else fish if kind == 1 else np.int64(state.rent) - wood - fish
        if points > 0:
            ledger, most, wanted = ledgers[kind]
            score += weights[ASK_LEDGER] * min(points, ledger) + weights[ASK_KINDS]
            score += weights[ASK_CROWDED] * points * points // (1 + ledger)
            score += (weights[ASK_LARGEST] * most + weights[ASK_REVEALED] * wanted) * points
    return score


@inlined
def ledgers_of(rules, state):
    """What is known of each type when the rent is split, as `ledgers_in` returns it; otherwise zeros."""
    if state.decision != SET_RENT:
        return NO_LEDGERS
    return ledgers_in(rules, state, 0), ledgers_in(rules, state, 1), ledgers_in(rules, state, 2)


@inlined
def ledgers_in(rules, state, kind):
    """The points in all ledgers of a type, those in the largest one, and the public Objectives that ask for it."""
    return ledger_of(rules, state, 0, kind), largest(rules, state, kind), revealed_need(rules, state, kind)


@inlined
def largest(rules, state, kind):
    """The largest ledger of one tenant in a type."""
    found = np.int64(0)
    for seat in range(1, rules.players):
        found = max(found, np.int64(state.players[seat].ledger[kind]))
    return found


@inlined
def revealed_need(rules, state, kind):
    """The number of public Objectives that ask for a type."""
    found = np.int64(0)
    for seat in range(1, rules.players):
        player = state.players[seat]
        if player.revealed:
            found += np.int64(rules.goal[player.objective, kind] > 0)
    return found


@inlined
def short_ledger(state, player):
    """The cards of the short types in a tenant's ledger."""
    found = np.int64(0)
    for kind in range(TYPES):
        if is_short(state, kind):
            found += player.ledger[kind]
    return found


@inlined
def target_score(state, weights, seat):
    """Score of aiming at a tenant."""
    player = state.players[seat]
    most = max(player.ledger[0], player.ledger[1], player.ledger[2])
    score = weights[AIM_CARDS] * player.resources + weights[AIM_HAND] * player.cards
    return score + weights[AIM_LEDGER] * most + weights[AIM_SHORT] * short_ledger(state, player)


@inlined
def zeros_of(rules, state, seat):
    """The zeros in front of a tenant, or of all tenants if nobody is aimed at."""
    found = np.int64(0)
    for tenant in range(1, rules.players):
        if seat <= 0 or tenant == seat:
            front = state.players[tenant].front
            found += front[0] + front[1] + front[2]
    return found


@inlined
def square_score(rules, state, weights, square):
    """Score of choosing a type or square for an effect."""
    if choices_of(state.op) == TYPES or square < CHURCH:
        return weights[CHOOSE_LEDGER] * ledger_of(rules, state, max(state.target, 0), square)
    if square == MILL:
        return weights[CHOOSE_MILL] * zeros_of(rules, state, state.target)
    return weights[CHOOSE_CHURCH]


@inlined
def split_score(rules, state, weights, seat):
    """Score of giving a point of favour to a tenant."""
    player = state.players[seat]
    points = player.given[0] + player.given[1] + player.given[2] + player.favour + 1
    return weights[SPLIT_CARDS] * player.resources + weights[SPLIT_CARD] * np.int64(points % rules.favour_price == 0)


@inlined
def next_score(state, weights, seat):
    """Score of drawing from a tenant next."""
    player = state.players[seat]
    ledger = max(np.int64(player.ledger[0]) + player.ledger[1] + player.ledger[2], 1)
    share = 100 * short_ledger(state, player) // ledger
    return weights[NEXT_CARDS] * player.resources + weights[NEXT_SHORT] * share


@inlined
def pick_score(state, weights, face):
    """Score of picking a card."""
    value = face % VALUES
    return weights[PICK_UNMET] * min(unmet(state, face), value) + weights[PICK_VALUE] * value


@inlined
def shift_score(rules, state, weights, move):
    """Score of shifting points."""
    giver, taker = shift_types(move)
    gain = ledger_of(rules, state, 0, taker) - ledger_of(rules, state, 0, giver)
    return weights[SHIFT_LEDGER] * gain * (move // 6 + 1)


@kernel
def lord_score(rules, state, weights, ledgers, move):
    """Score of a move of the lord, who knows the ledgers of `ledgers_of`."""
    decision = state.decision
    if decision == PLAY:
        return np.int64(0) if move == PASS else card_score(rules, state, weights, move)
    if decision == SET_RENT:
        return rent_score(state, weights, ledgers, move)
    if decision == TARGET:
        return target_score(state, weights, move)
    if decision == WHAT:
        return square_score(rules, state, weights, move)
    if decision == SPLIT:
        return split_score(rules, state, weights, move)
    if decision == NEXT:
        return next_score(state, weights, move)
    if decision == PICK:
        return pick_score(state, weights, move)
    if decision == SHIFT_POINTS:
        return shift_score(rules, state, weights, move)
    return np.int64(0)
