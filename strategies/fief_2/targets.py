"""Fief 2: what the steward plays cards on, and in which order."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.pieces import up_to
from simcore.games.fief_2.state import (
    ASSASSIN_CARD,
    BISHOP_CARD,
    DARC_CARD,
    ESCAPE_CARD,
    FAMINE_CARD,
    FIRST_OWN,
    HARVEST_CARD,
    JUSTICE_CARD,
    LORD_CARD,
    NOBODY,
    OWN_CARDS,
    PLAGUE_CARD,
    REVOLT_CARD,
    SUN_CARD,
    TAILLE_CARD,
    TITHE_CARD,
    WEATHER_CARD,
    ZERO,
)
from simcore.games.fief_2.pieces import first_of, forts, lord_worth, pawns_of, size_of
from simcore.games.fief_2.cards import is_playable, money_moved, targets
from simcore.kernel.compilation import kernel
from strategies.fief_2.outlook import all_held, industry, leader, points_in

ORDER = np.full(int(FIRST_OWN) + OWN_CARDS, int(FIRST_OWN), np.int64)
ORDER[
    [
        int(kind)
        for kind in (
            LORD_CARD, BISHOP_CARD, DARC_CARD, TITHE_CARD, TAILLE_CARD, ESCAPE_CARD, SUN_CARD, HARVEST_CARD,
            FAMINE_CARD, WEATHER_CARD, REVOLT_CARD, PLAGUE_CARD, ASSASSIN_CARD, JUSTICE_CARD,
        )
    ]
] = range(14)  # fmt: skip
"""Position of each kind of card in the order in which the steward plays them; a designer's own come last."""

GREAT, CROWD = np.int64(30), np.int64(6)


@kernel
def choice_of_card(rules, state, seat, places):
    """The first card, in the order of kinds, that has a target."""
    while places:
        place = first_of(places)
        others = places & (places - 1)
        while others:
            other = first_of(others)
            others &= others - 1
            if ORDER[rules.kind[state.hand[seat, other]]] < ORDER[rules.kind[state.hand[seat, place]]]:
                place = other
        card = state.hand[seat, place]
        kind = rules.kind[card]
        if kind == LORD_CARD or steward_target(rules, state, seat, kind, targets(rules, state, seat, card)) >= 0:
            return place + 1
        places &= ~(1 << place)
    return ZERO


@kernel
def to_discard(rules, state, seat):
    """With a full hand, the position of the first card except justice that cannot be played now; otherwise NOBODY."""
    if state.cards[seat] == rules.hand:
        for place in range(rules.hand):
            card = state.hand[seat, place]
            if rules.kind[card] != JUSTICE_CARD and not is_playable(rules, state, seat, card):
                return np.int64(place)
    return NOBODY


@kernel
def gain_of_own(rules, state, seat, kind, hit):
    """Écus that a family gains on all others together, times their number, if an own card hits these families."""
    gain = ZERO
    for other in range(rules.players):
        if hit >> other & 1:
            money = money_moved(rules, state, np.int64(other), kind)
            gain += money * (rules.players - 1) if other == seat else -money
    return gain


@kernel
def steward_target(rules, state, seat, kind, items):
    """The target on which the steward plays a card; NOBODY if he does not play it."""
    if items == 0:
        return NOBODY
    if kind >= FIRST_OWN:
        return ZERO if gain_of_own(rules, state, seat, kind, items) > 0 else NOBODY
    if kind == DARC_CARD:
        return first_of(items)
    if kind == BISHOP_CARD:
        return untitled(rules, state, seat, items)
    if kind == ASSASSIN_CARD:
        return victim(rules, state, seat, items)
    best, most = NOBODY, ZERO
    if (kind == ESCAPE_CARD) | (kind == TAILLE_CARD):
        most = NOBODY
    own = pawns_of(state, seat)
    held = all_held(rules, state)
    enemy = NOBODY
    if (kind == WEATHER_CARD) | (kind == REVOLT_CARD):
        enemy = leader(rules, state, seat)
    if kind == REVOLT_CARD:
        items &= state.held[enemy] & ~forts(state)
        most = NOBODY
    while items:
        item = first_of(items)
        items &= items - 1
        value = NOBODY
        if kind == TITHE_CARD:
            value = industry(state, rules.diocese[item] & held)
        elif kind == TAILLE_CARD:
            value = rules.size[item]
        elif kind == ESCAPE_CARD:
            value = worth_there(rules, state, state.captive_at[item] & state.lords[seat])
        elif kind == SUN_CARD:
            value = size_of(rules.area[item] & state.held[seat])
        elif kind == HARVEST_CARD:
            value = industry(state, rules.area[item] & state.held[seat])
        elif kind == REVOLT_CARD:
            value = industry(state, 1 << item)
        elif kind == FAMINE_CARD:
            if industry(state, rules.area[item] & state.held[seat]) == 0:
                value = industry(state, rules.area[item] & held)
        elif rules.area[item] & own == 0:
            if kind == WEATHER_CARD:
                value = points_in(state, rules.area[item], enemy)
            else:
                value = crowd(rules, state, item)
        if value > most:
            best, most = item, value
    return best


@kernel
def crowd(rules, state, region):
    """Points of all families in a region, if they are six or more."""
    points = np.int64(0)
    for seat in range(rules.players):
        points += points_in(state, rules.area[region], np.int64(seat))
    return points if points >= CROWD else ZERO


@kernel
def untitled(rules, state, seat, items):
    """The first man without a title, if the family has two men or more."""
    if size_of(state.lords[seat] & up_to(rules.men)) >= 2:
        while items:
            lord = first_of(items)
            items &= items - 1
            if state.crowns[lord] == 0:
                return lord
    return NOBODY


@kernel
def victim(rules, state, seat, items):
    """The leader's lord who scores the most, if that is at least 30 points."""
    items &= state.lords[leader(rules, state, seat)]
    best, most = NOBODY, GREAT - 1
    while items:
        lord = first_of(items)
        items &= items - 1
        worth = lord_worth(rules, state, lord)
        if worth > most:
            best, most = lord, worth
    return best


@kernel
def worth_there(rules, state, lords):
    """The points that some lords score."""
    worth = np.int64(0)
    while lords:
        worth += lord_worth(rules, state, first_of(lords))
        lords &= lords - 1
    return worth
