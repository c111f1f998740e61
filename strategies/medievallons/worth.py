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
    ACTION, ARTISAN, ASSASSIN, BEGGAR, COPY, FIT, GIVE, JESTER, KNIGHT, MERCHANT, NAME, PRIEST, ROGUE,
)  # fmt: skip
from simcore.kernel.compilation import inlined
from simcore.kernel.intrinsics import popcount
from strategies.kit import first_of, places_of
from strategies.medievallons.features import INDEX, TYPE_NAMES

PLAY_IT, LAY_IT, REINFORCE_IT, USE_IT, LAY_WINS, LAY_GUILDS, LAY_JESTERS, LAY_READY, LAY_RIVALS = places_of(
    INDEX, "play lay reinforce use lay_wins lay_guilds lay_jesters lay_ready lay_rivals"
)
REINFORCE_FRAGILE, REINFORCE_GUILDS, EXTRA_MEMBERS, EXTRA_JESTERS, ON_TABLE = places_of(
    INDEX, "reinforce_fragile reinforce_guilds extra_members extra_jesters on_table"
)
FIRST = first_of(INDEX, ["first", "second", "third", "further"])
RAID_GUILDS, RAID_BREAKS, KNIGHT_KNOWN, BEGGAR_CARDS, PRIEST_KNOWN = places_of(
    INDEX, "raid_guilds raid_breaks knight_known beggar_cards priest_known"
)
TARGET_GUILDS, TARGET_CARDS, TARGET_KNOWN, TARGET_NEXT = places_of(
    INDEX, "target_guilds target_cards target_known target_next"
)
PREY_GUILDS, PREY_BREAKS, PREY_CARDS, PREY_HELD, HIT_JESTER, GIFT_KNOWN, GIFT_GUILD, FIT_JESTER = places_of(
    INDEX, "prey_guilds prey_breaks prey_cards prey_held hit_jester gift_known gift_guild fit_jester"
)

CARD = first_of(INDEX, [f"card_{name}" for name in TYPE_NAMES])
"""Position of the weight of a card of the first type; those of the others follow."""

POWER_OF = np.array([INDEX.get(f"power_{name}", 0) for name in TYPE_NAMES], np.int64)
"""Position of the weight of each type's power; a Jester has none."""

ZERO = np.int64(0)


class Sight(NamedTuple):
    """What a seat sees before it weighs its moves."""

    laid: np.uint64
    """Types of its guilds, as moves."""
    guilds: np.int64
    """Largest number of guilds in front of a rival; it and the next five are for decisions that weigh a power."""
    artisan: np.int64
    """What the table adds to the score of the Artisan's power, and in the same way to those of the next ones."""
    raid: np.int64
    knight: np.int64
    beggar: np.int64
    priest: np.int64
    theirs: np.uint64
    """Guilds by type of the player who gets a gift, where one is given."""
    unseen: np.uint64
    """Cards by type that it does not see anywhere; computed only if a Knight asks for a type, otherwise empty."""
    hidden: np.int64
    """Number of hidden cards among which those are, in the same case."""


@inlined
def look(rules, state, seat, weights):
    """Look at the table once, for all moves, whose scores then take few branches that depend on chance."""
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
    theirs = NONE
    if state.decision == GIVE:
        receiver = state.players[state.target if seat == state.seat else state.seat]
        for place in range(receiver.guilds):
            theirs += one(np.int64(receiver.guild[place].type))
    artisan = ZERO
    if weighed and state.discards > 0:
        top = np.int64(state.pile[state.discards - 1])
        artisan = card_score(rules, laid, weights, player.hand, top)
    raid = weights[RAID_GUILDS] * guilds + weights[RAID_BREAKS] * fragile
    knight = weights[KNIGHT_KNOWN] * np.int64(matches > 0)
    beggar = weights[BEGGAR_CARDS] * (cards - np.int64(player.cards))
    priest = weights[PRIEST_KNOWN] * matches
    return Sight(laid, guilds, artisan, raid, knight, beggar, priest, theirs, unseen, hidden)


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
def card_score(rules, laid, weights, counts, kind):
    """Score of one more card of a type in addition to some cards, for the owner of the guilds `laid`."""
    number = count(counts, kind)
    further = np.int64(number + 1 >= rules.guild_size) + np.int64(number + 1 > rules.guild_size)
    more = weights[FIRST + np.int64(number > 0) * (1 + further)] + weights[ON_TABLE] * count(laid, kind)
    return weights[CARD + kind] + (ZERO if kind == JESTER else more)


@inlined
def loss_score(rules, laid, weights, hand, kind):
    """Score of losing a card of a type from the hand; negative if the card is worth something."""
    return -card_score(rules, laid, weights, hand - one(kind), kind)


@inlined
def power_score(state, sight, weights, power):
    """Score of doing a power now; a Jester has none."""
    raids = (power == ASSASSIN) | (power == ROGUE)
    score = weights[POWER_OF[power]] + (sight.raid if raids else ZERO)
    score += sight.artisan if power == ARTISAN else ZERO
    score += sight.knight if power == KNIGHT else ZERO
    score += sight.beggar if power == BEGGAR else ZERO
    score += sight.priest if (power == PRIEST) | (power == MERCHANT) else ZERO
    idle = (raids & (sight.guilds == 0)) | ((power == ARTISAN) & (state.discards == 0)) | (power == JESTER)
    return ZERO if idle else score


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
