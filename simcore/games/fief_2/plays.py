"""Fief 2: what can be played on what, and the playing of cards."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import agrees, pick, pick_or_none, up_to
from simcore.games.fief_2.cards import murder, release, spread_plague, stir_revolt
from simcore.games.fief_2.deck import join_family
from simcore.games.fief_2.log import PLAY_ZONE, PRINCE, log_red
from simcore.games.fief_2.names import (
    AS_PRINCE, ASSASSIN_CARD, BISHOP_CARD, CONSENT, CROWN_NEW, DARC_CARD, ESCAPE_CARD, FAMINE_CARD, FROM_CARDS,
    HARVEST_CARD, LORD_CARD, NOBODY, PLACE_LORD, PLAGUE_CARD, PLAY, REVOLT_CARD, SUN_CARD, TAILLE_CARD, TARGET_OF,
    TITHE_CARD, WEATHER_CARD, ZERO, set_of,
)  # fmt: skip
from simcore.games.fief_2.pieces import (
    add_soldiers,
    first_of,
    give_title,
    has,
    leave_hand,
    pawns_of,
    rebel_points,
    seat_at,
    size_of,
    throw_away,
    titles_of,
)
from simcore.kernel.compilation import apart, inlined, kernel

ATTACHED = set_of((DARC_CARD, BISHOP_CARD, TITHE_CARD, TAILLE_CARD))
SKIES = set_of((FAMINE_CARD, WEATHER_CARD, SUN_CARD, HARVEST_CARD))
"""Kinds of cards that stay with a lord, bishopric or region, and that begin or end bad weather or a famine."""

# --- what is legal ---


@kernel
def spots(rules, state, seat):
    """Set of the villages where a family may place a new lord."""
    if size_of(state.lords[seat]) >= rules.lord_limit:
        return ZERO
    if state.held[seat]:
        return state.held[seat]
    found = up_to(rules.villages) & ~state.revolts
    for other in range(rules.players):
        found &= ~pawns_of(state, other)
    return found


@kernel
def may_be_prince(rules, state, seat, lord):
    """Whether a family may propose to play a lord as Prince."""
    king, queen = state.king, state.queen
    if (lord >= rules.men) | (king < 0) | (queen < 0) | (state.prince >= 0) | (state.regency > 0):
        return False
    if (state.spouse[king] != queen) | (state.tried_prince != 0) | (size_of(state.free & (1 << king | 1 << queen)) < 2):
        return False
    near = (state.family[king] == seat) | (state.family[queen] == seat)
    return near & (size_of(state.lords[state.family[king]]) < rules.lord_limit)


@kernel
def own_targets(rules, state, seat, kind):
    """The targets among a family's own lords, bishoprics and titles."""
    found = np.int64(0)
    if kind == TAILLE_CARD:
        regions = titles_of(rules, state, seat)
        for region in range(rules.regions):
            if state.taille[region] >= 0:
                regions &= ~(1 << region)
        return regions
    lords = state.lords[seat]
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        unwed = state.spouse[lord] < 0
        if kind == ESCAPE_CARD:
            if has(state.captive, lord):
                found |= 1 << state.where[lord]
        elif kind == TITHE_CARD:
            see = state.see[lord]
            if see >= 0 and state.tithe[see] < 0:
                found |= 1 << see
        elif kind == DARC_CARD:
            if unwed & (lord >= rules.men) & (state.crowns[lord] == 0) & (lord != state.queen):
                found |= 1 << lord
        elif unwed & (lord < rules.men) & (state.see[lord] < 0) & (lord != state.king) & (lord != state.prince):
            found |= 1 << lord
    return found


@kernel
def targets(rules, state, seat, card):
    """Set of what a card can be played on: villages, regions, bishoprics or lords; for a lord, where he may start."""
    kind = rules.kind[card]
    if kind == LORD_CARD:
        return spots(rules, state, seat)
    if kind == ASSASSIN_CARD:
        return state.free | state.captive
    if kind == PLAGUE_CARD:
        return up_to(rules.regions)
    if kind == REVOLT_CARD:
        if rebel_points(state) >= rules.rebels:
            return ZERO
        found = np.int64(0)
        for other in range(rules.players):
            found |= state.held[other]
        return found & ~state.revolts
    if has(SKIES, kind):
        found = np.int64(0)
        for region in range(rules.regions):
            under = state.famine[region] if (kind == FAMINE_CARD) | (kind == HARVEST_CARD) else state.weather[region]
            if (under >= 0) == ((kind == HARVEST_CARD) | (kind == SUN_CARD)):
                found |= 1 << region
        return found
    if has(ATTACHED, kind) or kind == ESCAPE_CARD:
        return own_targets(rules, state, seat, kind)
    return ZERO


@kernel
def is_playable(rules, state, seat, card):
    """Whether a card can be played now."""
    if targets(rules, state, seat, card):
        return True
    return rules.kind[card] == LORD_CARD and may_be_prince(rules, state, seat, card)


# --- playing ---


@kernel
def play_hands(rules, lineup, state, trace):
    """Let every family play its cards, in turn order."""
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        left = rules.plays
        while left > 0:
            places = np.int64(0)
            for place in range(state.cards[seat]):
                if is_playable(rules, state, seat, state.hand[seat, place]):
                    places |= 1 << place
            place = pick_or_none(rules, lineup, state, trace, seat, PLAY, places)
            if place < 0:
                break
            left -= np.int64(play_card(rules, lineup, state, trace, seat, place))


@kernel
def play_card(rules, lineup, state, trace, seat, place):
    """Play a card; return whether that used up a play."""
    card = state.hand[seat, place]
    kind = rules.kind[card]
    state.card = card
    if kind == LORD_CARD:
        return play_lord(rules, lineup, state, trace, seat, place)
    target = pick(rules, lineup, state, trace, seat, TARGET_OF[kind], targets(rules, state, seat, card))
    leave_hand(state, trace, seat, place, PLAY_ZONE, PLAY)
    state.rows[seat].played[kind] += 1
    why = FROM_CARDS + kind
    if has(ATTACHED, kind):
        attach(rules, state, kind, card, target)
    elif has(SKIES, kind):
        change_skies(rules, state, trace, kind, card, target, why)
    elif kind == REVOLT_CARD:
        stir_revolt(rules, state, trace, card, target, why)
    else:
        if kind == PLAGUE_CARD:
            spread_plague(rules, state, trace, card, target, why)
        elif kind == ESCAPE_CARD:
            release(rules, lineup, state, trace, seat, target, why)
        throw_away(state, trace, card, why)
        if kind == ASSASSIN_CARD:
            murder(rules, lineup, state, trace, seat, target, why)
    return True


@inlined
def attach(rules, state, kind, card, target):
    """Put d'Arc, a bishop, a tithe or a taille where it belongs."""
    if kind == DARC_CARD:
        state.darc = target
    elif kind == BISHOP_CARD:
        state.bishops |= 1 << target
        state.see[target] = rules.detail[card]
    elif kind == TITHE_CARD:
        state.tithe[target] = card
        bishops = state.bishops
        while bishops:
            lord = first_of(bishops)
            bishops &= bishops - 1
            if state.see[lord] == target:
                state.tithed[target] = lord
    else:
        state.taille[target] = card


@kernel
def change_skies(rules, state, trace, kind, card, region, why):
    """Begin or end bad weather or a famine."""
    area = rules.area[region]
    if kind == WEATHER_CARD:
        state.weather[region] = card
        state.stormy |= area
    elif kind == FAMINE_CARD:
        state.famine[region] = card
        state.hungry |= area
    else:
        ended = state.weather[region] if kind == SUN_CARD else state.famine[region]
        if kind == SUN_CARD:
            state.weather[region] = NOBODY
            state.stormy &= ~area
        else:
            state.famine[region] = NOBODY
            state.hungry &= ~area
        throw_away(state, trace, ended, why)
        throw_away(state, trace, card, why)


@apart
def play_lord(rules, lineup, state, trace, seat, place):
    """Play a lord, or try to play him as Prince; return whether that used up a play."""
    card = state.hand[seat, place]
    places = spots(rules, state, seat)
    prince = may_be_prince(rules, state, seat, card)
    if prince and (places == 0 or agrees(rules, lineup, state, trace, seat, AS_PRINCE)):
        return play_prince(rules, lineup, state, trace, seat, place)
    village = pick(rules, lineup, state, trace, seat, PLACE_LORD, places)
    leave_hand(state, trace, seat, place, PLAY_ZONE, PLAY)
    state.rows[seat].played[LORD_CARD] += 1
    if (state.lords[seat] == 0) & (state.army[seat] == 0):
        add_soldiers(state, trace, village, seat, min(rules.return_soldiers, rules.soldiers), PLACE_LORD)
    join_family(rules, state, trace, card, seat, village, PLACE_LORD)
    state.lord = card
    region = pick_or_none(rules, lineup, state, trace, seat, CROWN_NEW, spare_titles(rules, state, seat, card))
    if region >= 0:
        give_title(state, trace, region, card, CROWN_NEW)
    return True


@kernel
def play_prince(rules, lineup, state, trace, seat, place):
    """Play a lord as Prince if the other of the King's and the Queen's families consents; return whether it does."""
    card = state.hand[seat, place]
    state.tried_prince = 1
    family = state.family[state.king]
    other = family if seat != family else state.family[state.queen]
    state.rival, state.shown = seat, card
    agreed = agrees(rules, lineup, state, trace, other, CONSENT)
    state.shown = NOBODY
    if not agreed:
        return False
    leave_hand(state, trace, seat, place, PLAY_ZONE, PLAY)
    state.rows[seat].played[LORD_CARD] += 1
    join_family(rules, state, trace, card, family, state.where[state.king], CONSENT)
    state.prince = card
    log_red(trace, PRINCE, card, NOBODY, CONSENT)
    return True


@kernel
def spare_titles(rules, state, seat, new):
    """Set of the regions whose titles a new lord may take from other free lords of his family."""
    found = np.int64(0)
    lords = state.lords[seat] & state.free & ~(1 << new)
    while lords:
        crowns = state.crowns[first_of(lords)]
        lords &= lords - 1
        if crowns & (crowns - 1):
            found |= lesser(rules, crowns)
    return found


@kernel
def lesser(rules, crowns):
    """Set of a lord's titles that do not rank above the best one that he would keep."""
    best, second, at = ZERO, ZERO, NOBODY
    rest = crowns
    while rest:
        region = first_of(rest)
        rest &= rest - 1
        points = rules.title_points[region]
        if points > best:
            best, second, at = points, best, region
        else:
            second = max(second, points)
    return crowns if second == best else crowns & ~(1 << at)
