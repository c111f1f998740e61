"""Médiévallons: what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.game import Search
from simcore.games.medievallons.cards import NONE, ONE, count, one, total
from simcore.games.medievallons.effects import nth_card
from simcore.games.medievallons.kernel import settle_deal
from simcore.games.medievallons.sight import LOOK, standing
from simcore.games.medievallons.state import JESTER, TYPES
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.streams import SHUFFLE, bounded, shuffle

OFFERS = np.int64(1 << 15)
"""Slots of random numbers, beyond those of decks and Beggars, for what players of an imagined table have set aside."""


@inlined
def unseen_cards(rules, state, seat):
    """Cards by type that a seat does not see in any hand, guild or pile; cards in play or set aside count as unseen."""
    own = state.players[seat]
    unseen = rules.copies - own.hand
    for place in range(state.discards):
        unseen -= one(np.int64(state.pile[place]))
    for other in range(rules.players):
        player = state.players[other]
        unseen -= player.known[seat] if other != seat else NONE
        for place in range(player.guilds):
            guild = player.guild[place]
            unseen -= np.uint64(guild.members) << np.uint64(4 * np.int64(guild.type))
            unseen -= np.uint64(guild.jesters) << np.uint64(4 * JESTER)
    return unseen


@kernel
def redraw(rules, state, seat):
    """Shuffle what the seat does not see, and deal the others as many cards as they hold; the rest is the deck."""
    unseen = unseen_cards(rules, state, seat) - state.players[seat].offer - state.in_play
    size = 0
    for kind in range(TYPES):
        for _ in range(count(unseen, kind)):
            state.deck[size] = np.uint8(kind)
            size += 1
    slot = np.int64(state.deal * 2 + state.yellow)
    shuffle(state.rng, slot, state.deck, size, size)
    at = 0
    for other in range(rules.players):
        player = state.players[other]
        if other != seat:
            known = player.known[seat]
            offered = total(player.offer)
            player.hand = known
            for _ in range(player.cards + offered - total(known)):
                player.hand += ONE << np.uint64(4 * np.int64(state.deck[at]))
                at += 1
            player.offer = NONE
            for number in range(offered):
                left = bounded(state.rng, SHUFFLE, OFFERS + slot, np.int64(number), total(player.hand))
                kind = nth_card(player.hand, left)
                player.hand -= one(kind)
                player.offer += one(kind)
            for observer in range(rules.players):
                player.known[observer] = known
    state.at = at
    state.ready = size
    state.size = size


@kernel
def clock(state):
    """The number of turns in the deal; a deal that has ended is followed by the first turn of the next one."""
    return np.int64(0) if state.over else np.int64(state.turn)


@kernel
def ticks(rules):
    """The number of turns in a round."""
    return np.int64(rules.players)


@kernel
def ended(state):
    """Whether the deal is over; an imagined game does not go on to the next deal of the match."""
    return state.over != 0


@kernel
def judge(rules, lineup, state, seat, trace):
    """The win share of a seat in the deal, and its lead in points."""
    if not state.over:
        settle_deal(rules, state, trace)
    best = np.int64(0)
    for other in range(rules.players):
        if other != seat:
            best = max(best, standing(state, other))
    return np.int64(state.rows[seat].won60[state.deal]), standing(state, seat) - best


SEARCH = Search(clock=clock, ended=ended, judge=judge, ticks=ticks, look=LOOK)
