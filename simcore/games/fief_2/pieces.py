"""Fief 2: sets of bits, questions about pawns, lords and villages, and small changes that all other modules use."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.log import (
    FIRST_TITLE,
    HAND_ZONE,
    KINGS_GUARD,
    PLAY_ZONE,
    QUEENS_GUARD,
    SOLDIERS,
    DISCARD_ZONE,
    log_move,
    log_paid,
    log_pawns,
    log_red,
)
from simcore.games.fief_2.names import CASTLE, CITY, NOBODY, OPEN, REGIONS, ZERO
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.intrinsics import lowest_bit, popcount

# --- sets ---


@inlined
def has(items, item):
    """Whether an item (not NOBODY) is in a set."""
    return (items >> item) & 1 != 0


@inlined
def first_of(items):
    """The lowest item of a set that is not empty."""
    return np.int64(lowest_bit(np.uint64(items)))


@inlined
def size_of(items):
    """The number of items in a set."""
    return np.int64(popcount(np.uint64(items)))


@inlined
def seat_at(rules, state, number):
    """The seat that is a number of places after the first player."""
    seat = state.first + number
    return seat - rules.players if seat >= rules.players else seat


# --- pawns ---


@inlined
def own_free(state, village, seat):
    """Set of a family's free lords in a village."""
    return state.free_at[village] & state.lords[seat]


@inlined
def guards(state, lords):
    """Points of the guards that are with some free lords."""
    points = np.int64(0)
    if state.king >= 0 and has(lords, state.king):
        points += state.kings_guard
    if state.queen >= 0 and has(lords, state.queen):
        points += state.queens_guard
    return points


@inlined
def points_of(state, village, seat):
    """Points of a family in a village."""
    lords = own_free(state, village, seat)
    points = state.soldiers[village, seat]
    if lords:
        points += size_of(lords) + guards(state, lords)
    return points


@inlined
def points_inside(state, village, seat):
    """Points of the holder that are not outside."""
    lords = own_free(state, village, seat) & ~state.out_lords
    return state.soldiers[village, seat] - state.outside[village] + size_of(lords) + guards(state, lords)


@inlined
def stands_in(state, village, seat):
    """Whether a family has pawns in a village."""
    return (state.soldiers[village, seat] > 0) | (own_free(state, village, seat) != 0)


@kernel
def pawns_of(state, seat):
    """Set of the villages where a family has pawns."""
    found = state.troops[seat]
    lords = state.lords[seat] & state.free
    while lords:
        found |= 1 << state.where[first_of(lords)]
        lords &= lords - 1
    return found


@kernel
def pawns_of_others(rules, state, seat):
    """Set of the villages where other families have pawns."""
    found = np.int64(0)
    for other in range(rules.players):
        if other != seat:
            found |= pawns_of(state, other)
    return found


@inlined
def forts(state):
    """Set of villages with a castle or a city."""
    return state.castles | state.cities


@inlined
def ground_of(state, village):
    """The protection that a village gives its holder."""
    return CITY if has(state.cities, village) else CASTLE if has(state.castles, village) else OPEN


@inlined
def rebel_points(state):
    """Points of all rebels."""
    points = np.int64(0)
    revolts = state.revolts
    while revolts:
        points += state.rebels[first_of(revolts)]
        revolts &= revolts - 1
    return points


# --- lords and titles ---


@inlined
def lord_worth(rules, state, lord):
    """The points that a lord scores."""
    worth = np.int64(0)
    crowns = state.crowns[lord]
    while crowns:
        worth += rules.title_points[first_of(crowns)]
        crowns &= crowns - 1
    worth += rules.bishop_points if has(state.bishops, lord) else ZERO
    worth += rules.cardinal_points if has(state.cardinals, lord) else ZERO
    worth += rules.king_points if lord == state.king else ZERO
    worth += rules.queen_points if lord == state.queen else ZERO
    return worth + (rules.prince_points if lord == state.prince else ZERO)


@kernel
def titles_of(rules, state, seat):
    """Set of the regions whose titles a family has, including kept ones."""
    found = np.int64(0)
    lords = state.lords[seat]
    while lords:
        found |= state.crowns[first_of(lords)]
        lords &= lords - 1
    for region in range(rules.regions):
        if state.keeper[region] == seat:
            found |= 1 << region
    return found


@kernel
def scores_now(rules, state, seat):
    """What a family would score now."""
    lords = state.lords[seat]
    points = state.money[seat] // rules.money_each * rules.money_points
    points += rules.bishop_points * size_of(lords & state.bishops)
    points += rules.cardinal_points * size_of(lords & state.cardinals)
    points += rules.king_points if state.king >= 0 and has(lords, state.king) else ZERO
    points += rules.queen_points if state.queen >= 0 and has(lords, state.queen) else ZERO
    points += rules.prince_points if state.prince >= 0 and has(lords, state.prince) else ZERO
    for region in range(rules.regions):
        owner = state.owner[region]
        if state.keeper[region] == seat or (owner >= 0 and has(lords, owner)):
            points += rules.title_points[region]
    return points


@inlined
def is_banked(state, region):
    """Whether a title is in the bank."""
    return (state.owner[region] < 0) & (state.keeper[region] < 0)


@kernel
def give_title(state, trace, region, lord, why):
    """Give a title to a lord, from wherever it is."""
    if state.owner[region] >= 0:
        state.crowns[state.owner[region]] &= ~(1 << region)
    state.owner[region] = lord
    state.keeper[region] = NOBODY
    state.crowns[lord] |= 1 << region
    log_red(trace, FIRST_TITLE + region, lord, NOBODY, why)


@kernel
def give_kept_titles(state, trace, seat, lord, why):
    """Give a lord the titles that a family keeps; NOBODY means all families."""
    for region in range(REGIONS):
        if state.keeper[region] >= 0 and (seat < 0 or state.keeper[region] == seat):
            give_title(state, trace, np.int64(region), lord, why)


@kernel
def poorest_in_titles(state, lords):
    """The lord with the fewest titles in a set that is not empty; the lowest number among equals."""
    best = NOBODY
    fewest = np.int64(REGIONS + 1)
    while lords:
        lord = first_of(lords)
        if size_of(state.crowns[lord]) < fewest:
            best, fewest = lord, size_of(state.crowns[lord])
        lords &= lords - 1
    return best


# --- money, pawns, cards ---


@inlined
def pay_bank(state, trace, seat, amount, why):
    """Let a family pay the bank."""
    state.money[seat] -= amount
    log_paid(trace, seat, NOBODY, amount, why)


@kernel
def add_soldiers(state, trace, village, seat, count, why):
    """Put soldiers into a village, or take them away."""
    if count == 0:
        return
    left = state.soldiers[village, seat] + count
    state.soldiers[village, seat] = left
    state.army[seat] += count
    if left > 0:
        state.troops[seat] |= 1 << village
    else:
        state.troops[seat] &= ~(1 << village)
    log_pawns(trace, seat, village, SOLDIERS, count, why)


@inlined
def lose_kings_guard(state, trace, lost, why):
    """Take away points of the King's guard."""
    if lost:
        state.kings_guard -= lost
        log_pawns(trace, state.family[state.king], state.where[state.king], KINGS_GUARD, -lost, why)


@inlined
def lose_queens_guard(state, trace, lost, why):
    """Take away points of the Queen's guard."""
    if lost:
        state.queens_guard -= lost
        log_pawns(trace, state.family[state.queen], state.where[state.queen], QUEENS_GUARD, -lost, why)


@inlined
def throw_away(state, trace, card, why):
    """Discard a card in play."""
    state.discards |= 1 << card
    log_move(trace, card, PLAY_ZONE, NOBODY, DISCARD_ZONE, NOBODY, why)


@apart
def leave_hand(state, trace, seat, place, goal, why):
    """Remove a card from a hand, close the gap, and return the card."""
    card = state.hand[seat, place]
    for later in range(place + 1, state.cards[seat]):
        state.hand[seat, later - 1] = state.hand[seat, later]
    state.cards[seat] -= 1
    log_move(trace, card, HAND_ZONE, seat, goal, NOBODY, why)
    return card
