"""Médiévallons: the two policies that the rulings define exactly."""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons.cards import EACH, at_least, guild_cards, one
from simcore.games.medievallons.cards import nth_card
from simcore.games.medievallons.state import (
    ACTION,
    ASSASSIN,
    COPY,
    GIVE,
    GUILD,
    HIT,
    JESTER,
    JESTERS,
    KEEP,
    LAY,
    MEMBERS,
    TARGET,
    USE,
)
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from simcore.kernel.lineup import UNIT
from simcore.kernel.streams import decide
from strategies.moves import NONE, ONE, blunder_move, blunders, count_moves, heated, nth_move

KINDS = np.uint64(0x1111111111111111)  # all moves of ACTION that play a card; shifted, the other actions
LOWEST = np.int64(-(1 << 62))

# --- random ---


@inlined
def drawn(state, step, bound):
    """Draw from 0..bound-1; all decisions of a turn use the stream of the seat whose turn it is."""
    return decide(state.rng, np.int64(state.seat), state.slot, state.lane + step, bound)


@inlined
def random_action(state):
    """Return a random kind of action, then a random action of that kind, all equally likely."""
    legal = state.legal
    kinds = NONE
    for action in range(4):
        kinds |= np.uint64((legal >> np.uint64(action)) & KINDS != NONE) << np.uint64(action)
    legal &= KINDS << np.uint64(nth_move(kinds, drawn(state, 0, count_moves(kinds))))
    return nth_move(legal, drawn(state, 1, count_moves(legal)))


@inlined
def random_card(state, counts, cards):
    """Return the type of a random card of some cards, all equally likely, as a move."""
    return 4 * nth_card(counts, drawn(state, 0, cards))


@inlined
def how_many(state):
    """Lay all cards of the type with the fewest Jesters; add one card."""
    everything = (state.decision == MEMBERS) | (state.kind == JESTER)
    if (state.action == LAY) & everything:
        return lowest_bit(state.legal) + count_moves(state.legal) - 1
    return lowest_bit(state.legal)


@kernel
def uniform(rules, lineup, state, seat):
    """Return a random legal option of every choice, with the probabilities that the rulings give."""
    decision = state.decision
    if decision == ACTION:
        return random_action(state)
    if decision == GIVE:
        player = state.players[seat]
        return random_card(state, player.hand, player.cards)
    if decision == KEEP:
        return random_card(state, state.drawn, rules.magician_draws)
    if (decision == MEMBERS) | (decision == JESTERS):
        return how_many(state)
    return nth_move(state.legal, drawn(state, 0, count_moves(state.legal)))


# --- collector ---


@inlined
def most(counts, among):
    """The type with the most cards among some types, as a move; the first in booklet order among equals."""
    best = among
    number = np.int64(1)
    more = best & at_least(counts, number)
    while more != NONE:
        best = more
        number += 1
        more = best & at_least(counts, number)
    return lowest_bit(best)


@inlined
def fewest(counts, among):
    """The type with the fewest cards among some types, as a move; the first in booklet order among equals."""
    number = np.int64(1)
    fewer = among & ~at_least(counts, number)
    while fewer == NONE:
        number += 1
        fewer = among & ~at_least(counts, number)
    return lowest_bit(fewer)


@inlined
def collect(state, seat):
    """Lay whenever possible; otherwise play the card of which the hand holds the fewest, and Jesters last."""
    hand = state.players[seat].hand
    lay = (state.legal >> np.uint64(LAY)) & EACH
    if lay != NONE:
        return most(hand, lay) + LAY
    play = state.legal & EACH & ~one(JESTER)
    if play != NONE:
        return fewest(hand, play)
    use = state.legal & (KINDS << np.uint64(USE))
    return lowest_bit(use) if use != NONE else lowest_bit(state.legal)


@inlined
def richest(rules, state, seat, seats):
    """The seat with the most guilds among some seats, then the most cards in hand, then the next in turn order."""
    best = np.int64(-1)
    found = np.int64(0)
    other = np.int64(seat)
    for _ in range(rules.players - 1):
        other = other + 1 if other + 1 < rules.players else np.int64(0)
        player = state.players[other]
        worth = np.int64(player.guilds) << 16 | np.int64(player.cards)
        if (seats >> np.uint64(other)) & ONE and worth > best:
            best = worth
            found = other
    return found


@inlined
def smallest_guild(rules, state, seat):
    """The guild with the fewest cards, then the one laid first, of the richest rival who has a guild."""
    seats = NONE
    for other in range(rules.players):
        seats |= np.uint64((state.legal >> np.uint64(8 * other)) & np.uint64(0xFF) != NONE) << np.uint64(other)
    target = richest(rules, state, seat, seats)
    player = state.players[target]
    found = np.int64(0)
    for place in range(1, player.guilds):
        if guild_cards(player.guild[place]) < guild_cards(player.guild[found]):
            found = np.int64(place)
    return 8 * target + found


@inlined
def first_to_copy(state):
    """The guild whose type comes first in the booklet, then the one laid first."""
    best = np.int64(1 << 40)
    found = np.int64(0)
    legal = state.legal
    while legal != NONE:
        move = lowest_bit(legal)
        legal &= legal - ONE
        guild = state.players[move >> 3].guild[move & 7]
        order = np.int64(guild.type) << 16 | np.int64(guild.number)
        if order < best:
            best = order
            found = move
    return found


@inlined
def hit(state, seat):
    """For the Assassin, the type before a Jester; for the Rogue, the type of which the hand holds the most."""
    if state.power == ASSASSIN:
        others = state.legal & ~one(JESTER)
        return lowest_bit(others if others != NONE else state.legal)
    return most(state.players[seat].hand, state.legal)


@kernel
def collector(rules, lineup, state, seat):
    """Lay guilds of the most frequent types, give away cards of the rarest types, and attack the leader."""
    decision = state.decision
    if decision == ACTION:
        return collect(state, seat)
    hand = state.players[seat].hand
    if decision == TARGET:
        return richest(rules, state, seat, state.legal)
    if decision == GIVE:
        return fewest(hand, state.legal)
    if decision == GUILD:
        return smallest_guild(rules, state, seat)
    if decision == HIT:
        return hit(state, seat)
    if decision == COPY:
        return first_to_copy(state)
    if (decision == MEMBERS) | (decision == JESTERS):
        return how_many(state)
    if decision == KEEP:
        hand -= state.drawn
    return most(hand, state.legal)


@kernel
def noisy_collector(rules, lineup, state, seat):
    """`collector` with blunders and temperature: its own choice is worth one point, and every other move nothing."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    own = collector(rules, lineup, state, seat)
    legal = state.legal
    best = own
    highest = LOWEST
    while legal != NONE:
        move = lowest_bit(legal)
        legal &= legal - ONE
        score = heated(lineup, state, seat, move, np.int64(UNIT if move == own else 0))
        if score > highest:
            highest = score
            best = move
    return best
