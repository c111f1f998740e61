"""Médiévallons: what a seat sees, where chance comes from, and what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.chance import Chance, Draws, END
from simcore.game import Search
from simcore.games.medievallons.cards import FIRST_BEGGAR, NONE, ONE, at_least, count, guild_cards, nth_card, one, total
from simcore.games.medievallons.kernel import members, settle_deal
from simcore.games.medievallons.state import JESTER, TYPES, TYPE_NAMES
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import Look
from simcore.kernel.intrinsics import popcount
from simcore.kernel.streams import SHUFFLE, bounded, shuffle


# --- What a seat sees at a safe point, in whole numbers ---


GUILD_LEAD, MEMBER_LEAD = 8, 2
"""Points of a guild, and of a card in a guild; a card in hand counts as one point."""

OF_TABLE = ["cards left in the deck", "this is the last deck", "discards"]
OF_PLAYER = [
    "standing",
    "guilds",
    "members",
    "cards",
    "guilds that cannot lose a card",
    "Jesters in guilds",
    "turns until the next one",
    "types ready for a guild",
    "types that lack one card",
    "can lay a guild",
    "lacks one guild",
    "lacks one guild and can lay it",
]
OF_PLAYER += [f"{name} in hand" for name in TYPE_NAMES]
HAND = np.int64(OF_PLAYER.index("artisan in hand"))


@inlined
def standing(state, seat):
    """Points for what a seat holds."""
    player = state.players[seat]
    return GUILD_LEAD * player.guilds + MEMBER_LEAD * members(player) + player.cards


@kernel
def see_table(rules, state, seat, out):
    """Write the numbers about the table; a deck that is made again counts as time that is left."""
    out[0] = state.size - state.at + (0 if state.yellow else state.discards)
    out[1] = state.yellow
    out[2] = state.discards


@kernel
def see_player(rules, state, seat, other, out, at):
    """Write the numbers about a player: its own hand, or the cards that the seat knows to be in another one."""
    player = state.players[other]
    hand = player.hand if other == seat else player.known[seat]
    jesters = count(hand, JESTER)
    fragile = np.int64(0)
    held = np.int64(0)
    for place in range(player.guilds):
        fragile += np.int64(guild_cards(player.guild[place]) <= rules.guild_size)
        held += player.guild[place].jesters
    ready = popcount(at_least(hand, rules.guild_size) & ~one(JESTER))
    nearly = popcount(at_least(hand, max(rules.guild_size - 1, 1)) & ~one(JESTER)) - ready
    lays = np.int64(ready > 0 or (nearly > 0 and jesters > 0))
    last = np.int64(rules.guilds_to_win - player.guilds <= 1)
    out[at] = standing(state, other)
    out[at + 1] = player.guilds
    out[at + 2] = members(player)
    out[at + 3] = player.cards
    out[at + 4] = fragile
    out[at + 5] = held
    out[at + 6] = (other - state.seat + rules.players) % rules.players
    out[at + 7] = ready
    out[at + 8] = nearly
    out[at + 9] = lays
    out[at + 10] = last
    out[at + 11] = last * lays
    for kind in range(TYPES):
        out[at + HAND + kind] = count(hand, kind)


LOOK = Look(see_table, see_player, tuple(OF_TABLE), tuple(OF_PLAYER))


# --- What strategies need to look ahead ---


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


# --- Where chance comes from ---


CHANCE = (
    Chance("card_deck", (Draws(SHUFFLE, range(2)),)),
    Chance("later_deals", (Draws(SHUFFLE, range(2, FIRST_BEGGAR)),)),
    Chance("beggars", (Draws(SHUFFLE, range(FIRST_BEGGAR, END)),)),
)
