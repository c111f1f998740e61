"""Médiévallons: what cards, powers and rivals are worth to a player who knows its own hand and what lies open.

All that a seat may look at: its own record, `guilds`, `guild` and `cards` of the others, the discard pile, and
`known[seat]` of the others, the cards that it saw come to their hands and not leave them.
"""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons.cards import at_least, count, guild_cards, held, one, total
from simcore.games.medievallons.state import (
    ARTISAN, ASSASSIN, BEGGAR, JESTER, KNIGHT, MERCHANT, PRIEST, ROGUE,
)  # fmt: skip
from simcore.jit import inlined, kernel, popcount
from strategies.medievallons.features import FEATURES, INDEX, POWER_NAMES, TYPE_NAMES

(
    PLAY_IT, LAY_IT, REINFORCE_IT, USE_IT, LAY_WINS, LAY_GUILDS, LAY_JESTERS, LAY_READY, LAY_RIVALS, REINFORCE_FRAGILE,
    REINFORCE_GUILDS, EXTRA_MEMBERS, EXTRA_JESTERS, FIRST, SECOND, THIRD, FURTHER, ON_TABLE, RAID_GUILDS, RAID_BREAKS,
    KNIGHT_KNOWN, BEGGAR_CARDS, PRIEST_KNOWN, TARGET_GUILDS, TARGET_CARDS, TARGET_KNOWN, TARGET_NEXT, PREY_GUILDS,
    PREY_BREAKS, PREY_CARDS, PREY_HELD, HIT_JESTER, GIFT_KNOWN, GIFT_GUILD, FIT_JESTER,
) = (np.int64(number) for number in range(len(FEATURES) - len(POWER_NAMES) - len(TYPE_NAMES)))  # fmt: skip

CARD = np.int64(INDEX["card_artisan"])
POWER_OF = np.array([INDEX.get(f"power_{name}", 0) for name in TYPE_NAMES], np.int64)
"""Place of the weight of each type's power; a Jester has none."""

ZERO = np.int64(0)


@inlined
def card_score(rules, player, weights, counts, kind):
    """Score of one more card of a type beside some cards."""
    score = weights[CARD + kind]
    if kind == JESTER:
        return score
    number = count(counts, kind)
    if number == 0:
        score += weights[FIRST]
    elif number + 1 < rules.guild_size:
        score += weights[SECOND]
    elif number + 1 == rules.guild_size:
        score += weights[THIRD]
    else:
        score += weights[FURTHER]
    for place in range(player.guilds):
        if player.guild[place].type == kind:
            score += weights[ON_TABLE]
            break
    return score


@inlined
def loss_score(rules, player, weights, kind):
    """Score of one card less of a type in hand, negative where the card is worth something."""
    return -card_score(rules, player, weights, player.hand - one(kind), kind)


@inlined
def most_guilds(rules, state, seat):
    """Most guilds in front of a rival."""
    most = ZERO
    for other in range(rules.players):
        most = max(most, np.int64(state.players[other].guilds)) if other != seat else most
    return most


@inlined
def falls_apart(rules, guild):
    """Whether a guild cannot lose a card."""
    return guild_cards(guild) <= rules.guild_size


@inlined
def fragile_guilds(rules, state, seat):
    """Rivals' guilds that cannot lose a card."""
    found = ZERO
    for other in range(rules.players):
        if other != seat:
            for place in range(state.players[other].guilds):
                found += np.int64(falls_apart(rules, state.players[other].guild[place]))
    return found


@inlined
def known_matches(state, seat, other):
    """Cards known in another hand of types that one's own hand holds."""
    types = held(state.players[seat].hand)
    return total(state.players[other].known[seat] & (types * np.uint64(15)))


@inlined
def all_known_matches(rules, state, seat):
    """The same for all rivals."""
    found = ZERO
    for other in range(rules.players):
        found += known_matches(state, seat, other) if other != seat else ZERO
    return found


@inlined
def spare_cards(rules, state, seat):
    """Cards in the largest other hand less those in one's own."""
    most = ZERO
    for other in range(rules.players):
        most = max(most, np.int64(state.players[other].cards)) if other != seat else most
    return most - state.players[seat].cards


@kernel
def power_score(rules, state, seat, weights, power):
    """Score of doing a power now."""
    score = weights[POWER_OF[power]]
    if power == ARTISAN:
        if state.discards == 0:
            return ZERO
        player = state.players[seat]
        score += card_score(rules, player, weights, player.hand, np.int64(state.pile[state.discards - 1]))
    elif (power == ASSASSIN) | (power == ROGUE):
        rivals = most_guilds(rules, state, seat)
        if rivals == 0:
            return ZERO
        score += weights[RAID_GUILDS] * rivals + weights[RAID_BREAKS] * fragile_guilds(rules, state, seat)
    elif power == KNIGHT:
        score += weights[KNIGHT_KNOWN] * np.int64(all_known_matches(rules, state, seat) > 0)
    elif power == BEGGAR:
        score += weights[BEGGAR_CARDS] * spare_cards(rules, state, seat)
    elif (power == PRIEST) | (power == MERCHANT):
        score += weights[PRIEST_KNOWN] * all_known_matches(rules, state, seat)
    return score


@inlined
def ready_guilds(rules, hand):
    """Types in hand with enough cards for a guild, Jesters not counted."""
    return popcount(at_least(hand, rules.guild_size) & ~one(JESTER))


@inlined
def chance_held(rules, state, seat, target, kind):
    """Sixteenths of the chance that a hand holds a card of a type, from all that a seat can see."""
    known = state.players[target].known[seat]
    if count(known, kind) > 0:
        return np.int64(16)
    unseen = count(rules.copies, kind) - count(state.players[seat].hand, kind)
    hidden = np.int64(state.size - state.at)
    for other in range(rules.players):
        player = state.players[other]
        if other != seat:
            seen = player.known[seat]
            unseen -= count(seen, kind)
            hidden += player.cards - total(seen)
        for place in range(player.guilds):
            guild = player.guild[place]
            unseen -= np.int64(guild.members) if guild.type == kind else ZERO
            unseen -= np.int64(guild.jesters) if kind == JESTER else ZERO
    for place in range(state.discards):
        unseen -= np.int64(state.pile[place] == kind)
    chance = 16 * unseen * (state.players[target].cards - total(known)) // max(hidden, 1)
    return min(max(chance, ZERO), np.int64(16))
