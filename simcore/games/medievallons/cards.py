"""Médiévallons: cards by type, the deck, and what the seats remember.

If a move is a type, its bit is 4 * type, because hands count the cards of each type in four bits.
"""

from __future__ import annotations

import numpy as np

from simcore.kernel import decisions
from simcore.games.medievallons import log
from simcore.games.medievallons.log import hand_of, log_move
from simcore.games.medievallons.state import ACTION, BY_DECK, JESTER, LAST_CARD, PLAYERS
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from simcore.kernel.streams import shuffle_block
from simcore.kernel.trace import put

ONE = np.uint64(1)
NONE = np.uint64(0)
TURN_LIMIT = 2
EACH = np.uint64(0x1111111111111)
_BYTES, _TOPS = np.uint64(0x0F0F0F0F0F0F0F), np.uint64(0x80808080808080)
_FIRSTS = np.uint64(0x01010101010101)
_4, _7, _8, _16, _32 = map(np.uint64, (4, 7, 8, 16, 32))
_BYTE, _COUNT = np.uint64(0xFF), np.uint64(15)
MIXED = 16  # cards that one block of chance brings to their place
MANY = 8  # decisions of a turn that one block of chance serves; the next ones have blocks behind those of all rounds
LATE = 1 << 12

# --- counts by type ---


@inlined
def one(kind):
    """One card of a type, as counts."""
    return ONE << np.uint64(4 * kind)


@inlined
def count(counts, kind):
    """Cards of a type."""
    return np.int64((counts >> np.uint64(4 * kind)) & _COUNT)


@inlined
def held(counts):
    """Types with a card, as moves."""
    pairs = counts | counts >> ONE
    return (pairs | pairs >> np.uint64(2)) & EACH


@inlined
def at_least(counts, number):
    """Types with at least this number of cards (1 to 15), as moves."""
    more = _TOPS - np.uint64(number) * _FIRSTS
    even = ((counts & _BYTES) + more) & _TOPS
    odd = (((counts >> _4) & _BYTES) + more) & _TOPS
    return even >> _7 | (odd >> _7) << _4


@inlined
def total(counts):
    """Cards of all types."""
    sums = (counts & _BYTES) + ((counts >> _4) & _BYTES)
    sums += sums >> _32
    sums += sums >> _16
    return np.int64((sums + (sums >> _8)) & _BYTE)


# --- decisions ---


@inlined
def choose(rules, lineup, state, seat, decision, legal):
    """Ask a seat for a move; a single legal move is played without asking."""
    if legal & (legal - ONE) == NONE:
        return lowest_bit(legal)
    return ask(rules, lineup, state, np.int64(seat), decision, legal)


@inlined
def ask(rules, lineup, state, seat, decision, legal):
    """Ask a seat for a move, at the next address of its random numbers."""
    step = np.int64(state.step)
    slot = (state.deal << 16) + (state.round if step < MANY else LATE + state.turn * 4 + (step >> 3))
    state.step = step + (2 if decision == ACTION else 1)
    return decisions.choose(rules, lineup, state, seat, decision, legal, slot, step & (MANY - 1))


# --- the deck ---


@apart
def mix(state):
    """Bring the next cards of the deck to their final place."""
    slot = np.int64(state.deal * 2 + state.yellow)
    shuffle_block(state.rng, slot, state.deck, np.int64(state.size), np.int64(state.ready) >> 4)
    state.ready = min(state.ready + MIXED, state.size)


@apart
def log_deck(state, trace):
    """Record the order of a new deck."""
    while state.ready < state.size:
        mix(state)
    put(trace, log.SHUFFLE)
    put(trace, state.yellow)
    put(trace, state.size)
    for place in range(state.size):
        put(trace, state.deck[place])


@apart
def turn_end_card(state, trace):
    """Make a new deck from the discards when the deck is empty, once, or end the deal."""
    if state.yellow or state.discards < 2:
        state.over = BY_DECK
        return
    state.yellow = 1
    state.at = 0
    state.ready = 0
    state.size = state.discards - 1
    for place in range(state.size):
        state.deck[place] = state.pile[place]
    state.pile[0] = state.pile[state.size]
    state.discards = 1
    if trace.on:
        log_deck(state, trace)
    else:
        mix(state)


@inlined
def take_top(state, trace):
    """Take the top card of the deck and return its type; -1 if the deal is over."""
    if state.at == state.ready:
        if state.ready < state.size:
            mix(state)
        else:
            turn_end_card(state, trace)
            if state.over:
                return np.int64(-1)
    kind = np.int64(state.deck[state.at])
    state.at += 1
    return kind


@inlined
def look_at_deck(rules, state, trace):
    """Check whether the last card is gone, if that ends the deal at once."""
    if rules.deck_end == LAST_CARD and state.at == state.size:
        turn_end_card(state, trace)


@apart
def draw(rules, state, seat, why, trace):
    """Draw a card into a hand and return its type, or -1 if the deck ended the deal before."""
    kind = take_top(state, trace)
    if kind >= 0:
        player = state.players[seat]
        player.hand += one(kind)
        player.cards += 1
        log_move(trace, kind, log.DECK, hand_of(seat), why)
        look_at_deck(rules, state, trace)
    return kind


@inlined
def discard(state, kind):
    """Put a card on the discard pile."""
    state.pile[state.discards] = np.uint8(kind)
    state.discards += 1


# --- hands, and what others know of them ---


@inlined
def remove(player, kind):
    """Remove a card of a type from a hand."""
    player.hand -= one(kind)
    player.cards -= 1


@inlined
def add(player, kind):
    """Put a card of a type into a hand."""
    player.hand += one(kind)
    player.cards += 1


@inlined
def show_gain(state, seat, kind):
    """Record that everybody saw a card of a type come to a hand."""
    for observer in range(PLAYERS):
        state.players[seat].known[observer] += one(kind)


@inlined
def forget(known, kind):
    """What is known of a hand that an own eye saw a card leave."""
    return known - (one(kind) if count(known, kind) > 0 else NONE)


@inlined
def show_loss(state, seat, kind, number):
    """Record that everybody saw some cards of a type leave a hand."""
    shift = np.uint64(4 * kind)
    for observer in range(PLAYERS):
        known = state.players[seat].known[observer]
        seen = min((known >> shift) & _COUNT, np.uint64(number))
        state.players[seat].known[observer] = known - (seen << shift)


@inlined
def hide_loss(state, seat, other, kind):
    """Record that a card left a hand, seen only by its seat and one other; to the others, it may have been any card."""
    player = state.players[seat]
    kept = forget(player.known[other], kind)
    for observer in range(PLAYERS):
        known = player.known[observer]
        player.known[observer] = known - held(known)
    player.known[other] = kept


@inlined
def hand_over(state, giver, receiver, kind):
    """Move a card from hand to hand, seen by those two."""
    remove(state.players[giver], kind)
    hide_loss(state, giver, receiver, kind)
    add(state.players[receiver], kind)
    state.players[receiver].known[giver] += one(kind)


# --- guilds ---


@inlined
def guild_cards(guild):
    """Cards in a guild."""
    return np.int64(guild.members) + np.int64(guild.jesters)


@inlined
def mark_table(state, seat):
    """Record which places of a seat hold a guild."""
    shift = np.uint64(8 * seat)
    state.table &= ~(_BYTE << shift)
    state.table |= ((ONE << np.uint64(state.players[seat].guilds)) - ONE) << shift


@kernel
def take_from_guild(state, seat, place, kind):
    """Take a card out of a guild."""
    guild = state.players[seat].guild[place]
    if kind == JESTER:
        guild.jesters -= np.uint8(1)
    else:
        guild.members -= np.uint8(1)
        if guild.members == 0:
            guild.type = np.uint8(JESTER)


@apart
def fall_apart(state, seat, place, trace):
    """Return the remaining cards of a guild to its owner's hand, and close the gap."""
    player = state.players[seat]
    guild = player.guild[place]
    source = log.guild_of(seat, guild.number)
    for _ in range(guild.members):
        add(player, np.int64(guild.type))
        show_gain(state, seat, np.int64(guild.type))
        log_move(trace, np.int64(guild.type), source, hand_of(seat), log.COLLAPSE)
    for _ in range(guild.jesters):
        add(player, JESTER)
        show_gain(state, seat, JESTER)
        log_move(trace, JESTER, source, hand_of(seat), log.COLLAPSE)
    player.guilds -= 1
    for later in range(place, player.guilds):
        player.guild[later] = player.guild[later + 1]
    mark_table(state, seat)
    state.rows[seat].collapses += 1
