"""Seigneurial: the tenant `gatherer`, which the rulings define exactly."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.effects import card_of
from simcore.games.seigneurial.state import (
    ACT, BAR, BARTER, CHURCH, DROP_CARD, FACES, IMPROVE, KEEP_OBJECTIVE, LAY, MILL, NOTHING, PART, PASS, PAY_DUE,
    PLACE, PLAY, SELF, SHIFT_POINTS, STOP, TARGET, TRADE, TYPES, VALUES, WHAT,
)  # fmt: skip
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import first_legal, is_legal, next_legal
from strategies.seigneurial.bailiff import by_cards, shift_all

LOWEST = np.int64(-(1 << 40))


@inlined
def beyond(rules, player, kind):
    """The points held of a type minus those of the Objective."""
    return np.int64(player.points[kind]) - np.int64(rules.goal[player.objective, kind])


@inlined
def need(rules, player, kind):
    """The points of a type that the Objective still asks for."""
    return max(-beyond(rules, player, kind), 0)


@inlined
def is_spare(rules, player, face):
    """Whether the Objective does not need a card."""
    return face % VALUES <= beyond(rules, player, face // VALUES)


@kernel
def has_spare(rules, player):
    """Whether a tenant holds a spare card."""
    found = False
    for face in range(FACES):
        found |= player.hand[face] > 0 and is_spare(rules, player, face)
    return found


# --- cards ---


@kernel
def is_worth_playing(rules, state, seat, kind):
    """Whether to play a card that can be played."""
    player = state.players[seat]
    effect = card_of(rules, seat, kind).effect[0]
    if effect.op == BARTER:
        return has_spare(rules, player)
    if effect.op == TRADE:
        wanted = False
        for other in range(TYPES):
            wanted |= player.front[other] == 0 and need(rules, player, other) > 0
        return wanted and has_spare(rules, player)
    if effect.op == ACT and effect.who == SELF and effect.what == MILL:
        return needs_mill(rules, player)
    return True


@inlined
def first_card(rules, state, seat):
    """The first card that is worth playing."""
    move = first_legal(state)
    while move != PASS and not is_worth_playing(rules, state, seat, move):
        move = next_legal(state, move)
    return move


@inlined
def last_card(state):
    """The last move."""
    last = move = first_legal(state)
    while move >= 0:
        last = move
        move = next_legal(state, move)
    return last


@inlined
def nearest_objective(rules, state, player):
    """The Objective with the smallest total need; the old one among equals."""
    best, least = np.int64(player.objective), total_need(rules, player, np.int64(player.objective))
    goal = first_legal(state)
    while goal >= 0:
        found = total_need(rules, player, goal)
        if found < least:
            best, least = goal, found
        goal = next_legal(state, goal)
    return best


@inlined
def total_need(rules, player, goal):
    """The points that an Objective would still ask for."""
    found = np.int64(0)
    for kind in range(TYPES):
        found += max(rules.goal[goal, kind] - player.points[kind], 0)
    return found


# --- squares and types ---


@inlined
def needs_mill(rules, player):
    """Whether a zero of a needed type lies in front of the tenant."""
    found = False
    for kind in range(TYPES):
        found |= player.front[kind] > 0 and need(rules, player, kind) > 0
    return found


@inlined
def is_open(player, land):
    """Whether a land can give cards: there is no zero, or a pawn is already on the Mill."""
    return player.front[land] == 0 or (player.there >> MILL) & 1 != 0


@kernel
def best_square(rules, state, player):
    """The Mill for a needed zero, the most needed land, Church, the land that the hand has least of, or the first."""
    if is_legal(state, MILL) and needs_mill(rules, player):
        return MILL
    wanted, poorest = NOTHING, NOTHING
    for land in range(TYPES):
        if is_legal(state, land) and is_open(player, land):
            if need(rules, player, land) > 0 and (
                wanted == NOTHING or need(rules, player, land) > need(rules, player, wanted)
            ):
                wanted = np.int64(land)
            if poorest == NOTHING or player.points[land] < player.points[poorest]:
                poorest = np.int64(land)
    if wanted != NOTHING:
        return wanted
    if is_legal(state, CHURCH) and player.cards < rules.hand_limit:
        return CHURCH
    return poorest if poorest != NOTHING else first_legal(state)


@inlined
def neediest_type(rules, state, player):
    """The type with the greatest need."""
    best = kind = first_legal(state)
    while kind >= 0:
        if need(rules, player, kind) > need(rules, player, best):
            best = kind
        kind = next_legal(state, kind)
    return best


# --- parting with cards ---


@inlined
def least_missed(rules, state, player, spare_only):
    """The card of the type with the largest surplus, then the lowest value, then the first; NOTHING if none is left."""
    best = NOTHING
    most = LOWEST
    face = first_legal(state)
    while face >= 0 and face != STOP:
        if not spare_only or may_lay(rules, state, player, face):
            worth = (beyond(rules, player, face // VALUES) << 8) - (face % VALUES)
            if worth > most:
                best, most = face, worth
        face = next_legal(state, face)
    return best


@inlined
def may_lay(rules, state, player, face):
    """Whether a card is spare, and the visible points do not cover its type."""
    kind = face // VALUES
    laid = player.laid[kind] if rules.payment else state.got[kind]
    return is_spare(rules, player, face) and laid < state.demand[kind]


@kernel
def part(rules, state, player):
    """The card to give up; none if a trade may stop and no card is spare."""
    if is_legal(state, STOP) and not has_spare(rules, player):
        return STOP
    return least_missed(rules, state, player, False)


@kernel
def lay(rules, state, player):
    """The spare card to lay, or none."""
    face = least_missed(rules, state, player, True)
    return STOP if face == NOTHING else face


# --- all decisions ---


@kernel
def gatherer(rules, lineup, state, seat):
    """Gather what the Objective asks for, and pay with spare cards."""
    decision = state.decision
    player = state.players[seat]
    if decision == LAY:
        return lay(rules, state, player)
    if decision == PLACE:
        return best_square(rules, state, player)
    if decision == PLAY:
        return first_card(rules, state, seat)
    if decision == PART:
        return part(rules, state, player)
    if decision == PAY_DUE:
        return np.int64(1)
    if decision == WHAT:
        if (state.op == ACT) | (state.op == BAR):
            return best_square(rules, state, player)
        return neediest_type(rules, state, player)
    if decision == IMPROVE:
        return neediest_type(rules, state, player)
    if decision == TARGET:
        return by_cards(rules, state, True)
    if decision == SHIFT_POINTS:
        return shift_all(rules, state)
    if decision == KEEP_OBJECTIVE:
        return nearest_objective(rules, state, player)
    if decision == DROP_CARD:
        return last_card(state)
    return first_legal(state)
