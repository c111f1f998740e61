"""Fief 2: the deck, what can be played on what, and what cards do."""

from __future__ import annotations

import numpy as np

from simcore.components.aims import seats_hit
from simcore.games.fief_2.court import die
from simcore.games.fief_2 import log
from simcore.games.fief_2.log import (
    BOX_ZONE, DECK_MADE, DECK_ZONE, DISCARD_ZONE, FREE, HAND_ZONE, LORDS_DEALT, PLAGUE_DIE, PLAY_ZONE, PRINCE, REBELS,
    RESHUFFLED, REVOLT_DIE, log_order,
)  # fmt: skip
from simcore.games.fief_2.pieces import (
    add_soldiers, agrees, first_of, give_kept_titles, give_title, has, leave_hand, lose_kings_guard, lose_queens_guard,
    pawns_of, pick, pick_or_none, rebel_points, seat_at, set_free, settle_village, size_of, stand, throw_away,
    titles_of, up_to,
)  # fmt: skip
from simcore.games.fief_2.state import (
    ASSASSIN_CARD, AS_PRINCE, BISHOP_CARD, CLAIM_LORD, CONSENT, CROWN_NEW, DARC_CARD, DISCARD, ESCAPE_CARD, ESCAPE_TO,
    FAMINE_CARD, FIRST_OWN, FROM_CARDS, FROM_PHASES, HARVEST_CARD, IN_TURN, JUSTICE, JUSTICE_CARD, LORDS_HELD,
    LORD_CARD, MONEY_HELD, NOBODY, PLACE_LORD, PLAGUE_CARD, PLAY, PLAYERS, PLAY_CARDS, REGIONS, REVOLT_CARD,
    SCORE_HELD, SETUP, SOLDIERS_HELD, SUN_CARD, TAILLE_CARD, TARGET_OF, TITHE_CARD, TITLES_HELD, VILLAGES_HELD,
    WEATHER_CARD, ZERO, set_of,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.streams import DICE, bounded, shuffle
from simcore.kernel.trace import tell


SIDES = np.int64(6)
PLAGUE_NUMBER, REVOLT_NUMBER, CALM_NUMBER = map(np.int64, (1 << 20, 2 << 20, 3 << 20))
"""Numbers of draws that no round of a fight reaches; the slot says what they are for."""


@kernel
def spread_plague(rules, state, trace, card, region, why):
    """Kill half of all soldiers in a region, and every lord for whom a die shows 1 to 3."""
    area = rules.area[region]
    while area:
        village = first_of(area)
        area &= area - 1
        for seat in range(rules.players):
            add_soldiers(state, trace, village, np.int64(seat), -(state.soldiers[village, seat] // 2), why)
        lords = state.free_at[village]
        if state.king >= 0 and has(lords, state.king):
            lose_kings_guard(state, trace, state.kings_guard // 2, why)
        if state.queen >= 0 and has(lords, state.queen):
            lose_queens_guard(state, trace, state.queens_guard // 2, why)
        lords |= state.captive_at[village]
        while lords:
            lord = first_of(lords)
            lords &= lords - 1
            die_cast = 1 + bounded(state.rng, DICE, state.turn << 10 | card << 4 | lord, PLAGUE_NUMBER, SIDES)
            tell(trace, log.CHANCE, PLAGUE_DIE, lord, die_cast)
            if die_cast <= 3:
                die(rules, state, trace, lord, why)
        settle_village(rules, state, trace, village, why)


@kernel
def stir_revolt(rules, state, trace, card, village, why):
    """Let rebels rise in a village."""
    number = 1 + bounded(state.rng, DICE, state.turn << 5 | village, REVOLT_NUMBER, SIDES)
    tell(trace, log.CHANCE, REVOLT_DIE, NOBODY, number)
    state.revolt[village] = card
    points = min(number, rules.rebels - rebel_points(state))
    state.revolts |= 1 << village
    state.rebels[village] = points
    tell(trace, log.PAWNS, NOBODY, village, REBELS, points, why)


@kernel
def release(rules, lineup, state, trace, seat, village, why):
    """Let all lords of a family who are prisoners in a village escape to another village."""
    state.village = village
    goal = pick(rules, lineup, state, trace, seat, ESCAPE_TO, up_to(rules.villages))
    lords = state.captive_at[village] & state.lords[seat]
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        set_free(state, trace, lord, goal, why)
    settle_village(rules, state, trace, goal, why)


@kernel
def kill(rules, state, trace, lord, why):
    """Let a single lord die, and settle the village where he was."""
    village = state.where[lord]
    die(rules, state, trace, lord, why)
    settle_village(rules, state, trace, village, why)


@kernel
def murder(rules, lineup, state, trace, seat, lord, why):
    """Murder a lord; another family may then have one of the murderer's lords condemned."""
    family = state.family[lord]
    kill(rules, state, trace, lord, why)
    for number in range(rules.players):
        other = seat_at(rules, state, number)
        place = place_of(rules, state, other, JUSTICE_CARD)
        if (other != seat) & (place >= 0):
            state.rival, state.goal, state.other = seat, family, lord
            victim = pick_or_none(rules, lineup, state, trace, other, JUSTICE, guilty(state, seat))
            if victim >= 0:
                card = leave_hand(state, trace, other, place, PLAY_ZONE, JUSTICE)
                state.rows[other].played[JUSTICE_CARD] += 1
                kill(rules, state, trace, victim, FROM_CARDS + JUSTICE_CARD)
                throw_away(state, trace, card, FROM_CARDS + JUSTICE_CARD)
                return


@kernel
def place_of(rules, state, seat, kind):
    """The position of a family's first card of a kind in its hand, or NOBODY."""
    for place in range(state.cards[seat]):
        if rules.kind[state.hand[seat, place]] == kind:
            return np.int64(place)
    return NOBODY


@kernel
def guilty(state, seat):
    """Set of the lords of a family who may be condemned: not the King, the Regent or the Prince."""
    found = state.lords[seat]
    if state.king >= 0:
        found &= ~(1 << state.king)
    if state.regency:
        found &= ~(1 << state.queen)
    if state.prince >= 0:
        found &= ~(1 << state.prince)
    return found


# --- The deck: the first deal, discards, drawing, and lords claimed from the discards ---


LORDS_SLOT, DECK_SLOT, RESHUFFLE_SLOT = map(np.int64, range(3))
"""Addresses of shuffles; the k-th reshuffle, counted from 0, has the last of these addresses plus k."""


@kernel
def deal(rules, state, trace):
    """Give every family a lord, and three rounds of cards from what is left."""
    why = FROM_PHASES + SETUP
    for lord in range(rules.lords):
        state.deck[lord] = np.uint8(lord)
    shuffle(state.rng, LORDS_SLOT, state.deck, rules.lords, rules.players)
    log_order(trace, LORDS_DEALT, state.deck, rules.players)
    dealt = np.int64(0)
    for seat in range(rules.players):
        lord = np.int64(state.deck[seat])
        dealt |= 1 << lord
        state.family[lord] = seat
        state.lords[seat] = 1 << lord
        tell(trace, log.MOVED, lord, BOX_ZONE, NOBODY, PLAY_ZONE, NOBODY, why)
    make_deck(rules, state, trace, up_to(rules.cards) & ~dealt, DECK_SLOT, DECK_MADE)
    for _ in range(rules.hand):
        for seat in range(rules.players):
            draw(state, trace, np.int64(seat), why)


@kernel
def make_deck(rules, state, trace, cards, slot, what):
    """Shuffle some cards and lay them out as the deck."""
    state.fresh = cards
    state.size = state.at = 0
    while cards:
        state.deck[state.size] = np.uint8(first_of(cards))
        state.size += 1
        cards &= cards - 1
    shuffle(state.rng, slot, state.deck, state.size, state.size)
    log_order(trace, what, state.deck, state.size)


@kernel
def draw(state, trace, seat, why):
    """Let a family draw the top card of the deck."""
    card = np.int64(state.deck[state.at])
    state.at += 1
    state.hand[seat, state.cards[seat]] = card
    state.cards[seat] += 1
    tell(trace, log.MOVED, card, DECK_ZONE, NOBODY, HAND_ZONE, seat, why)


@kernel
def refill(rules, lineup, state, trace):
    """From turn 2 on, let each family discard a card and then draw up to a full hand, in turn order."""
    if state.turn > 1:
        for number in range(rules.players):
            seat = seat_at(rules, state, number)
            place = pick_or_none(rules, lineup, state, trace, seat, DISCARD, up_to(state.cards[seat]))
            if place >= 0:
                state.discards |= 1 << leave_hand(state, trace, seat, place, DISCARD_ZONE, DISCARD)
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        while state.cards[seat] < rules.hand:
            if state.at == state.size:
                reshuffle(rules, lineup, state, trace)
                if state.size == 0:
                    return
            draw(state, trace, seat, FROM_PHASES + PLAY_CARDS)


@kernel
def reshuffle(rules, lineup, state, trace):
    """Let families without a lord claim one, and then make a deck from the discards."""
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        if (state.army[seat] > 0) & (state.lords[seat] == 0):
            claim(rules, lineup, state, trace, seat)
    cards = state.discards
    state.discards = 0
    if cards:
        make_deck(rules, state, trace, cards, RESHUFFLE_SLOT + state.shuffles, RESHUFFLED)
        state.shuffles += 1
    else:
        state.size = state.at = 0


@kernel
def claim(rules, lineup, state, trace, seat):
    """Let a family claim a discarded lord, who starts where the family has the most soldiers."""
    lord = pick_or_none(rules, lineup, state, trace, seat, CLAIM_LORD, state.discards & up_to(rules.lords))
    if lord < 0:
        return
    state.discards &= ~(1 << lord)
    tell(trace, log.MOVED, lord, DISCARD_ZONE, NOBODY, PLAY_ZONE, NOBODY, CLAIM_LORD)
    best = ZERO
    for village in range(rules.villages):
        if state.soldiers[village, seat] > state.soldiers[best, seat]:
            best = np.int64(village)
    join_family(rules, state, trace, lord, seat, best, CLAIM_LORD)


@kernel
def join_family(rules, state, trace, lord, seat, village, why):
    """Put a new lord into a village, with the titles that his family keeps."""
    state.family[lord] = seat
    state.lords[seat] |= 1 << lord
    stand(state, lord, village)
    tell(trace, log.LORD, lord, seat, village, FREE, NOBODY, why)
    give_kept_titles(state, trace, seat, lord, why)
    settle_village(rules, state, trace, village, why)


# --- What can be played on what, and the playing of cards ---


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
    """Set of what a card can be played on: villages, regions, bishoprics, lords or, for an own card, the families hit.

    For a lord, where he may start.
    """
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
    return families_hit(rules, state, seat, kind) if kind >= FIRST_OWN else ZERO


@kernel
def is_playable(rules, state, seat, card):
    """Whether a card can be played now."""
    if targets(rules, state, seat, card):
        return True
    return rules.kind[card] == LORD_CARD and may_be_prince(rules, state, seat, card)


# --- a designer's own cards ---


@kernel
def standing(state, seat, which):
    """What an own card may compare, by its position in STANDINGS; behind these, the place in turn order."""
    if which == SCORE_HELD:
        return state.score[seat]
    if which == MONEY_HELD:
        return state.money[seat]
    if which == VILLAGES_HELD:
        return size_of(state.held[seat])
    if which == TITLES_HELD:
        titles = ZERO
        for region in range(REGIONS):
            owner = state.owner[region]
            titles += np.int64((owner >= 0 and state.family[owner] == seat) or state.keeper[region] == seat)
        return titles
    if which == LORDS_HELD:
        return size_of(state.lords[seat])
    if which == SOLDIERS_HELD:
        return state.army[seat]
    return (seat - state.first + PLAYERS) % PLAYERS


@apart
def families_hit(rules, state, seat, kind):
    """Set of the families that an own card hits if a seat plays it now."""
    card = rules.own[kind - FIRST_OWN]
    return np.int64(seats_hit(card, state, rules.players, state.turn, standing, IN_TURN, seat))


@kernel
def money_moved(rules, state, seat, kind):
    """Écus that a family gains if an own card hits it; negative if it loses some, at most what it has."""
    card = rules.own[kind - FIRST_OWN]
    money = np.int64(card.money) + card.per_village * size_of(state.held[seat]) + card.per_soldier * state.army[seat]
    money += card.per_title * standing(state, seat, TITLES_HELD) + card.per_lord * size_of(state.lords[seat])
    money -= state.money[seat] * -np.int64(card.share) // 100
    return max(money, -state.money[seat])


@apart
def play_own(rules, state, trace, seat, kind):
    """Let the families that an own card hits gain and lose écus, in turn order."""
    hit = families_hit(rules, state, seat, kind)
    for number in range(rules.players):
        family = seat_at(rules, state, number)
        money = money_moved(rules, state, family, kind) if has(hit, family) else ZERO
        state.money[family] += money
        if money > 0:
            tell(trace, log.PAID, NOBODY, family, money, PLAY)
        elif money < 0:
            tell(trace, log.PAID, family, NOBODY, -money, PLAY)


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
    if kind >= FIRST_OWN:
        leave_hand(state, trace, seat, place, PLAY_ZONE, PLAY)
        play_own(rules, state, trace, seat, kind)
        throw_away(state, trace, card, PLAY)
        return True
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
    tell(trace, log.RED, PRINCE, card, NOBODY, CONSENT)
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
