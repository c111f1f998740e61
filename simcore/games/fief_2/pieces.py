"""Fief 2: pawns, lords and villages: questions and small changes, who holds what, and how a family is asked."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2 import log
from simcore.games.fief_2.log import (
    DISCARD_ZONE, FIRST_TITLE, FREE, HAND_ZONE, KINGS_GUARD, PLAY_ZONE, PRISONER, QUEENS_GUARD, SOLDIERS, log_decision,
)  # fmt: skip
from simcore.games.fief_2.state import CASTLE, CITY, NOBODY, OPEN, REGIONS, WITH_CITY, ZERO
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.decisions import choose
from simcore.kernel.intrinsics import lowest_bit, popcount
from simcore.kernel.trace import tell


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
    tell(trace, log.RED, FIRST_TITLE + region, lord, NOBODY, why)


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
    tell(trace, log.PAID, seat, NOBODY, amount, why)


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
    tell(trace, log.PAWNS, seat, village, SOLDIERS, count, why)


@inlined
def lose_kings_guard(state, trace, lost, why):
    """Take away points of the King's guard."""
    if lost:
        state.kings_guard -= lost
        tell(trace, log.PAWNS, state.family[state.king], state.where[state.king], KINGS_GUARD, -lost, why)


@inlined
def lose_queens_guard(state, trace, lost, why):
    """Take away points of the Queen's guard."""
    if lost:
        state.queens_guard -= lost
        tell(trace, log.PAWNS, state.family[state.queen], state.where[state.queen], QUEENS_GUARD, -lost, why)


@inlined
def throw_away(state, trace, card, why):
    """Discard a card in play."""
    state.discards |= 1 << card
    tell(trace, log.MOVED, card, PLAY_ZONE, NOBODY, DISCARD_ZONE, NOBODY, why)


@apart
def leave_hand(state, trace, seat, place, goal, why):
    """Remove a card from a hand, close the gap, and return the card."""
    card = state.hand[seat, place]
    for later in range(place + 1, state.cards[seat]):
        state.hand[seat, later - 1] = state.hand[seat, later]
    state.cards[seat] -= 1
    tell(trace, log.MOVED, card, HAND_ZONE, seat, goal, NOBODY, why)
    return card


# --- How a family is asked ---


YES_OR_NO = np.int64(3)
"""Moves 0 and 1, as a set."""


@apart
def decide(rules, lineup, state, trace, seat, kind, moves):
    """Let a family choose one of a set of moves; a single move is played without asking.

    The address of the random numbers is the turn and the number of the family's decisions in it.
    """
    if moves & (moves - 1) == 0:
        return first_of(moves)
    number = state.turn << 10 | (state.asked[seat] & 1023)
    state.asked[seat] += 1
    move = choose(rules, lineup, state, seat, kind, np.uint64(moves), number >> 3, number & 7)
    if trace.on:
        log_decision(state, trace, seat, kind, move)
    return move


@inlined
def agrees(rules, lineup, state, trace, seat, kind):
    """Whether a family says yes."""
    return decide(rules, lineup, state, trace, seat, kind, YES_OR_NO) == 1


@inlined
def pick(rules, lineup, state, trace, seat, kind, items):
    """Let a family choose one item of a set that is not empty."""
    return decide(rules, lineup, state, trace, seat, kind, items << 1) - 1


@inlined
def pick_or_none(rules, lineup, state, trace, seat, kind, items):
    """Let a family choose one item of a set, or none, which is NOBODY."""
    if items == 0:
        return NOBODY
    return decide(rules, lineup, state, trace, seat, kind, items << 1 | 1) - 1


@inlined
def up_to(count):
    """The first `count` items as a set."""
    return (np.int64(1) << count) - 1


# --- Who holds a village, what happens to prisoners whose captor has gone, and lords who come and go ---


@kernel
def set_holder(rules, state, trace, village, seat, why):
    """Give a village another holder, or none (NOBODY); whoever takes another family's city takes its title away."""
    before = state.holder[village]
    if before == seat:
        return
    if before >= 0:
        state.held[before] &= ~(1 << village)
    state.holder[village] = seat
    state.outside[village] = 0
    state.out_lords &= ~state.free_at[village]
    tell(trace, log.HOLDER, village, seat)
    if seat < 0:
        return
    state.held[seat] |= 1 << village
    if rules.title_loss == WITH_CITY and has(state.cities, village):
        region = rules.region[village]
        owner = state.owner[region]
        family = state.family[owner] if owner >= 0 else state.keeper[region]
        if family >= 0 and family != seat:
            if owner >= 0:
                state.crowns[owner] &= ~(1 << region)
            state.owner[region] = state.keeper[region] = NOBODY
            tell(trace, log.RED, FIRST_TITLE + region, NOBODY, NOBODY, why)


@kernel
def strongest(rules, state, village):
    """The family with the most points in a village, the first in turn order among equals; NOBODY if there is none."""
    best, most = NOBODY, ZERO
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        points = points_of(state, village, seat)
        if points > most:
            best, most = seat, points
    return best


@kernel
def settle_village(rules, state, trace, village, why):
    """Settle who holds a village, after settling who holds its prisoners."""
    holder = state.holder[village]
    stays = holder >= 0 and stands_in(state, village, holder)
    captives = state.captive_at[village]
    if stays and captives == 0:
        return
    if not stays:
        holder = strongest(rules, state, village)
    freed = False
    while captives:
        lord = first_of(captives)
        captives &= captives - 1
        captor = state.captor[lord]
        if not stands_in(state, village, captor):
            family = state.family[lord]
            if (holder < 0) | (holder == family):
                set_free(state, trace, lord, village, why)
                freed = True
            else:
                state.captor[lord] = holder
                state.captors[lord] = 1 << holder
                tell(trace, log.LORD, lord, family, village, PRISONER, holder, why)
    if freed and holder < 0:
        holder = strongest(rules, state, village)
    set_holder(rules, state, trace, village, holder, why)


@kernel
def set_free(state, trace, lord, village, why):
    """Free a prisoner, in a village."""
    bit = np.int64(1) << lord
    state.captive_at[state.where[lord]] &= ~bit
    state.captive &= ~bit
    state.captor[lord] = NOBODY
    state.captors[lord] = 0
    stand(state, lord, village)
    tell(trace, log.LORD, lord, state.family[lord], village, FREE, NOBODY, why)


@inlined
def stand(state, lord, village):
    """Put a free lord into a village."""
    bit = np.int64(1) << lord
    state.where[lord] = village
    state.free |= bit
    state.free_at[village] |= bit


@inlined
def leave(state, lord):
    """Take a free lord out of his village."""
    bit = np.int64(1) << lord
    state.free &= ~bit
    state.free_at[state.where[lord]] &= ~bit
    state.out_lords &= ~bit


@kernel
def capture(state, trace, lord, captor, captors, why):
    """Take a free lord prisoner where he is; his guards die."""
    if lord == state.king:
        lose_kings_guard(state, trace, state.kings_guard, why)
    if lord == state.queen:
        lose_queens_guard(state, trace, state.queens_guard, why)
    leave(state, lord)
    bit = np.int64(1) << lord
    state.captive |= bit
    state.captive_at[state.where[lord]] |= bit
    state.captor[lord] = captor
    state.captors[lord] = captors
    state.rows[state.family[lord]].captured += 1
    tell(trace, log.LORD, lord, state.family[lord], state.where[lord], PRISONER, captor, why)


@inlined
def guard_king(rules, state, trace, why):
    """Give a new King his guard, unless he is a prisoner."""
    if has(state.free, state.king):
        state.kings_guard = rules.king_guard
        tell(trace, log.PAWNS, state.family[state.king], state.where[state.king], KINGS_GUARD, state.kings_guard, why)


@inlined
def guard_queen(rules, state, trace, why):
    """Give a new Queen her guard, unless she is a prisoner."""
    if has(state.free, state.queen):
        state.queens_guard = rules.queen_guard
        family, village = state.family[state.queen], state.where[state.queen]
        tell(trace, log.PAWNS, family, village, QUEENS_GUARD, state.queens_guard, why)
