"""Seigneurial: the lord `bailiff`, which the rulings define exactly."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.cards import rent_move, shift_move
from simcore.games.seigneurial.effects import card_of
from simcore.games.seigneurial.cards import in_order, is_short
from simcore.games.seigneurial.state import (
    LORD,
    NEXT,
    NOTHING,
    PASS,
    PICK,
    PLAY,
    SET_RENT,
    SHIFT,
    SHIFT_POINTS,
    SPLIT,
    TARGET,
    TYPES,
    VALUES,
    WHAT,
)
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import first_legal, is_legal, next_legal


@kernel
def ledger_of(rules, state, seat, kind):
    """The public ledger of a tenant, or of all tenants if nobody is aimed at."""
    if seat > 0:
        return np.int64(state.players[seat].ledger[kind])
    found = np.int64(0)
    for tenant in range(1, rules.players):
        found += state.players[tenant].ledger[kind]
    return found


@inlined
def shift_pair(rules, state):
    """The short type with the smallest ledger, the other type with the largest, and whether the first is smaller."""
    giver, taker = NOTHING, NOTHING
    most = np.int64(-1)
    for kind in range(TYPES):
        ledger = ledger_of(rules, state, 0, kind)
        most = max(most, ledger)
        if is_short(state, kind) and (giver < 0 or ledger < ledger_of(rules, state, 0, giver)):
            giver = np.int64(kind)
    for kind in range(TYPES):
        if kind != giver and (taker < 0 or ledger_of(rules, state, 0, kind) > ledger_of(rules, state, 0, taker)):
            taker = np.int64(kind)
    return giver, taker, giver >= 0 and ledger_of(rules, state, 0, giver) < most


@inlined
def first_card(rules, state, seat):
    """The first card that is worth playing; a shift is not, if no other type has a larger ledger."""
    move = first_legal(state)
    while move != PASS:
        card = card_of(rules, seat, move)
        if card.effect[0].op != SHIFT or shift_pair(rules, state)[2]:
            return move
        move = next_legal(state, move)
    return PASS


@inlined
def shift_all(rules, state):
    """Shift as many points as possible from the short type with the smallest ledger to the type with the largest."""
    giver, taker, _ = shift_pair(rules, state)
    points = min(np.int64(state.n), np.int64(state.demand[giver] - state.got[giver]))
    return shift_move(giver, taker, points)


@inlined
def split_rent(rules, state):
    """Ask, point by point, for the type with the largest ledger per demanded point."""
    wood = fish = grain = np.int64(0)
    in_wood, in_fish = ledger_of(rules, state, 0, 0), ledger_of(rules, state, 0, 1)
    in_grain = ledger_of(rules, state, 0, 2)
    for _ in range(state.rent):
        if in_wood * (fish + 1) >= in_fish * (wood + 1) and in_wood * (grain + 1) >= in_grain * (wood + 1):
            wood += 1
        elif in_fish * (grain + 1) >= in_grain * (fish + 1):
            fish += 1
        else:
            grain += 1
    return rent_move(np.int64(state.rent), wood, fish)


@inlined
def by_cards(rules, state, most):
    """The eligible tenant with the most (or fewest) resource cards; the first in the season's order among equals."""
    best = NOTHING
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        if is_legal(state, seat):
            if best == NOTHING:
                best = seat
            else:
                lead = state.players[seat].resources - state.players[best].resources
                if (lead > 0 and most) or (lead < 0 and not most):
                    best = seat
    return best


@inlined
def richest_land(rules, state):
    """The land with the largest ledger, of the tenant aimed at or of all; without a land, the first square."""
    best = NOTHING
    for land in range(TYPES):
        if is_legal(state, land):
            ledger = ledger_of(rules, state, state.target, land)
            if best == NOTHING or ledger > ledger_of(rules, state, state.target, best):
                best = np.int64(land)
    return first_legal(state) if best == NOTHING else best


@inlined
def best_pick(state):
    """The card of the type with the most missing points, then of the highest value."""
    best = face = first_legal(state)
    while face >= 0:
        more = unmet(state, face) - unmet(state, best)
        if more > 0 or (more == 0 and face % VALUES > best % VALUES):
            best = face
        face = next_legal(state, face)
    return best


@inlined
def unmet(state, face):
    """The points of a card's type that are missing from the rent."""
    return max(np.int64(state.demand[face // VALUES] - state.got[face // VALUES]), 0)


@inlined
def first_in_order(rules, state):
    """The first tenant in the season's order who can be chosen."""
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        if is_legal(state, seat):
            return seat
    return first_legal(state)


@kernel
def bailiff(rules, lineup, state, seat):
    """Ask for what the public ledger shows, and aim at the largest hands."""
    decision = state.decision
    if decision == PLAY:
        return first_card(rules, state, LORD)
    if decision == SET_RENT:
        return split_rent(rules, state)
    if (decision == TARGET) | (decision == NEXT):
        return by_cards(rules, state, True)
    if decision == SPLIT:
        return by_cards(rules, state, False)
    if decision == WHAT:
        return richest_land(rules, state)
    if decision == SHIFT_POINTS:
        return shift_all(rules, state)
    if decision == PICK:
        return best_pick(state)
    return first_in_order(rules, state)
