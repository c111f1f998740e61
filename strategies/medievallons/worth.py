"""Médiévallons: what cards, powers and rivals are worth to a player who knows its own hand and all open cards.

A seat may look only at its own record, `guilds`, `guild` and `cards` of the others, the discard pile, and
`known[seat]` of the others, the cards that it saw come to their hands and not leave them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore.games.medievallons.cards import NONE, at_least, count, guild_cards, held, one, total
from simcore.games.medievallons.search import unseen_cards
from simcore.games.medievallons.state import (
    ACTION, ARTISAN, ASSASSIN, BEGGAR, COPY, FIT, JESTER, KNIGHT, MERCHANT, NAME, PRIEST, ROGUE,
)  # fmt: skip
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import popcount
from strategies.kit import places_of
from strategies.medievallons.features import INDEX, TYPE_NAMES

PLAY_IT, LAY_IT, REINFORCE_IT, USE_IT, LAY_WINS, LAY_GUILDS, LAY_JESTERS, LAY_READY, LAY_RIVALS = places_of(
    INDEX, "play lay reinforce use lay_wins lay_guilds lay_jesters lay_ready lay_rivals"
)
REINFORCE_FRAGILE, REINFORCE_GUILDS, EXTRA_MEMBERS, EXTRA_JESTERS, FIRST, SECOND, THIRD, FURTHER, ON_TABLE = places_of(
    INDEX, "reinforce_fragile reinforce_guilds extra_members extra_jesters first second third further on_table"
)
RAID_GUILDS, RAID_BREAKS, KNIGHT_KNOWN, BEGGAR_CARDS, PRIEST_KNOWN = places_of(
    INDEX, "raid_guilds raid_breaks knight_known beggar_cards priest_known"
)
TARGET_GUILDS, TARGET_CARDS, TARGET_KNOWN, TARGET_NEXT = places_of(
    INDEX, "target_guilds target_cards target_known target_next"
)
PREY_GUILDS, PREY_BREAKS, PREY_CARDS, PREY_HELD, HIT_JESTER, GIFT_KNOWN, GIFT_GUILD, FIT_JESTER = places_of(
    INDEX, "prey_guilds prey_breaks prey_cards prey_held hit_jester gift_known gift_guild fit_jester"
)

CARD_OF = np.array([INDEX[f"card_{name}"] for name in TYPE_NAMES], np.int64)
"""Position of the weight of a card of each type."""

POWER_OF = np.array([INDEX.get(f"power_{name}", 0) for name in TYPE_NAMES], np.int64)
"""Position of the weight of each type's power; a Jester has none."""

ZERO = np.int64(0)


class Sight(NamedTuple):
    """What a seat sees before it weighs its moves."""

    laid: np.uint64
    """Types of its guilds, as moves."""
    guilds: np.int64
    """Largest number of guilds in front of a rival; like the next three, 0 where no power is weighed."""
    fragile: np.int64
    """Rivals' guilds that cannot lose a card."""
    matches: np.int64
    """Number of known cards in other hands whose types its own hand holds."""
    spare: np.int64
    """Number of cards in the largest other hand minus that in its own."""
    unseen: np.uint64
    """Cards by type that it does not see anywhere; computed only if a Knight asks for a type, otherwise empty."""
    hidden: np.int64
    """Number of hidden cards among which those are, in the same case."""


@inlined
def look(rules, state, seat):
    """Look at the table once, for all moves."""
    player = state.players[seat]
    laid = NONE
    for place in range(player.guilds):
        laid |= one(np.int64(player.guild[place].type))
    guilds = fragile = matches = cards = ZERO
    weighed = (state.decision == ACTION) | (state.decision == COPY) | (state.decision == FIT)
    for other in range(rules.players if weighed else ZERO):
        if other != seat:
            rival = state.players[other]
            guilds = max(guilds, np.int64(rival.guilds))
            cards = max(cards, np.int64(rival.cards))
            matches += known_matches(state, seat, other)
            for place in range(rival.guilds):
                fragile += np.int64(falls_apart(rules, rival.guild[place]))
    unseen = NONE
    hidden = ZERO
    if state.decision == NAME:
        unseen = unseen_cards(rules, state, seat)
        hidden = hidden_cards(rules, state, seat)
    spare = cards - np.int64(player.cards) if weighed else ZERO
    return Sight(laid, guilds, fragile, matches, spare, unseen, hidden)


@inlined
def falls_apart(rules, guild):
    """Whether a guild cannot lose a card."""
    return guild_cards(guild) <= rules.guild_size


@inlined
def known_matches(state, seat, other):
    """The number of known cards in another hand whose types one's own hand holds."""
    types = held(state.players[seat].hand)
    return total(state.players[other].known[seat] & (types * np.uint64(15)))


@inlined
def card_score(rules, sight, weights, counts, kind):
    """Score of one more card of a type in addition to some cards."""
    score = weights[CARD_OF[kind]]
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
    return score + (weights[ON_TABLE] if count(sight.laid, kind) > 0 else ZERO)


@inlined
def loss_score(rules, sight, weights, hand, kind):
    """Score of losing a card of a type from the hand; negative if the card is worth something."""
    return -card_score(rules, sight, weights, hand - one(kind), kind)


@kernel
def power_score(rules, state, seat, sight, weights, power):
    """Score of doing a power now."""
    score = weights[POWER_OF[power]]
    if power == ARTISAN:
        if state.discards == 0:
            return ZERO
        top = np.int64(state.pile[state.discards - 1])
        score += card_score(rules, sight, weights, state.players[seat].hand, top)
    elif (power == ASSASSIN) | (power == ROGUE):
        if sight.guilds == 0:
            return ZERO
        score += weights[RAID_GUILDS] * sight.guilds + weights[RAID_BREAKS] * sight.fragile
    elif power == KNIGHT:
        score += weights[KNIGHT_KNOWN] * np.int64(sight.matches > 0)
    elif power == BEGGAR:
        score += weights[BEGGAR_CARDS] * sight.spare
    elif (power == PRIEST) | (power == MERCHANT):
        score += weights[PRIEST_KNOWN] * sight.matches
    return score


@inlined
def ready_guilds(rules, hand):
    """The types in hand with enough cards for a guild, not counting Jesters."""
    return popcount(at_least(hand, rules.guild_size) & ~one(JESTER))


@inlined
def hidden_cards(rules, state, seat):
    """Cards of the deck and of other hands that a seat does not know."""
    hidden = np.int64(state.size - state.at)
    for other in range(rules.players):
        if other != seat:
            player = state.players[other]
            hidden += player.cards - total(player.known[seat])
    return hidden


@inlined
def chance_held(state, seat, sight, target, kind):
    """The chance in sixteenths that a hand holds a card of a type, given everything that a seat can see."""
    player = state.players[target]
    known = player.known[seat]
    if count(known, kind) > 0:
        return np.int64(16)
    chance = 16 * count(sight.unseen, kind) * (player.cards - total(known)) // max(sight.hidden, 1)
    return min(max(chance, ZERO), np.int64(16))
