"""Fief 2: the deck: the first deal, discards, drawing, and lords claimed from the discards."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import pick_or_none, up_to
from simcore.games.fief_2.holding import settle, stand
from simcore.games.fief_2.log import (
    BOX_ZONE,
    DECK_MADE,
    DECK_ZONE,
    DISCARD_ZONE,
    FREE,
    HAND_ZONE,
    LORDS_DEALT,
    PLAY_ZONE,
    RESHUFFLED,
    log_lord,
    log_move,
    log_order,
)
from simcore.games.fief_2.names import CLAIM_LORD, DISCARD, FROM_PHASES, NOBODY, PLAY_CARDS, SETUP, ZERO
from simcore.games.fief_2.pieces import first_of, give_kept_titles, leave_hand, seat_at
from simcore.kernel.compilation import kernel
from simcore.kernel.streams import shuffle

LORDS_SLOT, DECK_SLOT, RESHUFFLE_SLOT = map(np.int64, range(3))
"""Addresses of shuffles; the k-th reshuffle, counted from 0, has the last of these addresses plus k."""


@kernel
def deal(rules, state, trace):
    """Give every family a lord, and three rounds of cards from what is left."""
    why = FROM_PHASES + SETUP
    for lord in range(rules.lords):
        state.deck[lord] = np.uint8(lord)
    shuffle(state.rng, LORDS_SLOT, state.deck, rules.lords, rules.players)
    log_order(trace, LORDS_DEALT, state.deck, ZERO, rules.players)
    dealt = np.int64(0)
    for seat in range(rules.players):
        lord = np.int64(state.deck[seat])
        dealt |= 1 << lord
        state.family[lord] = seat
        state.lords[seat] = 1 << lord
        log_move(trace, lord, BOX_ZONE, NOBODY, PLAY_ZONE, NOBODY, why)
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
    log_order(trace, what, state.deck, ZERO, state.size)


@kernel
def draw(state, trace, seat, why):
    """Let a family draw the top card of the deck."""
    card = np.int64(state.deck[state.at])
    state.at += 1
    state.hand[seat, state.cards[seat]] = card
    state.cards[seat] += 1
    log_move(trace, card, DECK_ZONE, NOBODY, HAND_ZONE, seat, why)


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
    log_move(trace, lord, DISCARD_ZONE, NOBODY, PLAY_ZONE, NOBODY, CLAIM_LORD)
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
    log_lord(trace, lord, seat, village, FREE, NOBODY, why)
    give_kept_titles(state, trace, seat, lord, why)
    settle(rules, state, trace, village, why)
