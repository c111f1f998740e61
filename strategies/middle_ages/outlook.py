"""Middle-Ages: what all options of one decision of `linear` have in common.

"Rounds left" is the number of Incomes after the one at which the tile in question is placed.  Scores are integers
in 1/1024 coin.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore.games.middle_ages.kernel import LANE, payable
from simcore.games.middle_ages.state import (
    ONE_A_SLOT,
    UNLIMITED,
    BARRACKS,
    CEMETERY,
    CHURCH,
    BOARD_COLUMNS,
    DOMAINS,
    EVENTS,
    FIELD,
    LORD,
    MARKET,
    MILL,
    PALACE,
    RAMPART,
    ROUNDS,
    SCOUT,
    VILLAGE,
)
from simcore.kernel.compilation import inlined
from simcore.kernel.intrinsics import lowest_bit, popcount
from strategies.kit import first_of, places_of
from strategies.middle_ages.features import DOMAIN_NAMES, INDEX
from strategies.moves import NONE, ONE

BYTE = np.uint64(0xFF)
ZERO = np.int64(0)
NOBODY = np.int64(-1)

INCOME, EFFECT_COINS, ROBBED, BURNED, HELD, SUPPLY, FILLS, FILLS_LEFT = places_of(
    INDEX, "income effect_coins robbed burned held supply fills fills_left"
)
PEASANTS, PEASANTS_LEFT, CHESTS, CHESTS_LEFT, FOCUS, SIGHT, REACH, EVENT_COINS, EVENT_LOSSES = places_of(
    INDEX, "peasants peasants_left chests chests_left focus sight reach event_coins event_losses"
)
MILL_GUARD, RAMPART_GUARD, EXPOSED, DENIED, RESTORES, SCOUTS, CHURCH_SLOT, PALACE_TOKEN = places_of(
    INDEX, "mill_guard rampart_guard exposed denied restores scouts church_slot palace_token"
)
COLUMN, POSITION, ORDER, HONOUR, FAR, FILLS_SUPPLY, REACH_SUPPLY = places_of(
    INDEX, "column position order honour far fills_supply reach_supply"
)
GROW, TILE, TILE_LEFT = (
    first_of(INDEX, [form.format(name) for name in DOMAIN_NAMES]) for form in ("grow_{}", "tile_{}", "tile_{}_left")
)
"""Position of the first Domain's weight; those of the others follow."""

# Places in state.scratch, eight each, by Domain.
GROWTH = np.int64(0)  # score of one coin more in each Income
EFFECT = np.int64(8)  # score of a tile's effect, and then of all that its Domain is worth


class Outlook(NamedTuple):
    """What all options of one decision have in common, in addition to `state.scratch`."""

    left: int  # rounds left
    event: int  # first Event to come after the tile is placed, from 0
    pending: int  # Domain of the tile under the own Lord, -1 if none
    low: int  # the Incomes with that tile, as in PLAYER.income
    high: int
    supply: int  # eight 8-bit lanes: tiles by Domain in the two rows behind the next one
    losses: int  # eight 8-bit lanes: tiles by Domain that the Events to come bury
    coming: int  # eight 8-bit lanes: by seat, 1 + Domain of the tile that it places before the one in question
    next_seat: int  # who places a Lord next, -1 if nobody
    peasants: int  # symbols in the Fief, with that tile
    chests: int


@inlined
def own_lord(state, seat, row):
    """Column of a seat's Lord in a row, -1 if it is not there."""
    found = NOBODY
    for column in range(BOARD_COLUMNS):
        here = (state.lords[row, column] == seat) & ((state.occupied[row] >> column & 1) == 1)
        found = np.int64(column) if here else found
    return found


@inlined
def packed_lane(low, high, domain):
    """One 16-bit lane of two words."""
    word = low if domain < 4 else high
    return np.int64((word >> np.uint64((domain & 3) * 16)) & LANE)


@inlined
def byte_lane(word, domain):
    """One 8-bit lane of a word."""
    return np.int64((word >> np.uint64(domain * 8)) & BYTE)


@inlined
def count_rows(rules, state):
    """Tiles by Domain in the two rows behind the next one, in eight 8-bit lanes."""
    counts = NONE
    for ahead in range(2, min(4, ROUNDS + 1 - state.round)):
        row = (state.round + ahead - 1) & 3
        for column in range(rules.players + 1):
            counts += ONE << np.uint64(8 * np.int64(rules.tiles[state.tiles[row, column]].domain))
    return counts


@inlined
def losses_to_come(rules, state, event):
    """Tiles by Domain that the Events from one on bury, in eight 8-bit lanes."""
    losses = NONE
    for number in range(event, EVENTS):
        for entry in range(4):
            domain = np.int64(rules.events[state.cards[number]].buries[entry])
            losses += ONE << np.uint64(8 * domain) if domain >= 0 else NONE
    return losses


@inlined
def cards_to_come(rules, state, event):
    """Coins that the Events from one on pay for a peasant, a chest, a Domain that holds a tile, and a buried tile."""
    per_peasant = ZERO
    per_chest = ZERO
    per_domain = ZERO
    per_buried = ZERO
    for number in range(event, EVENTS):
        card = rules.events[state.cards[number]]
        per_peasant += card.per_peasant
        per_chest += card.per_chest
        per_domain += card.per_domain
        per_buried += card.per_buried
    return per_peasant, per_chest, per_domain, per_buried


@inlined
def look(rules, state, seat, weights):
    """Collect what the options of a decision have in common."""
    player = state.players[seat]
    rnd = np.int64(state.round)
    choosing = np.int64(state.decision == LORD)
    placed = rnd + choosing + (2 if state.decision == SCOUT else 0)
    row = (rnd - choosing) & 3
    column = own_lord(state, seat, row)
    low = player.income[0]
    high = player.income[1]
    pending = NOBODY
    peasants = np.int64(player.peasants)
    chests = np.int64(player.chests)
    if column >= 0:
        face = rules.tiles[state.tiles[row, column]]
        pending = np.int64(face.domain)
        peasants += face.peasants
        chests += face.chests
        low += player.gain[pending, 0]
        high += player.gain[pending, 1]
    supply = NONE
    if weights[SIGHT] != 0 or weights[SUPPLY] != 0 or weights[FILLS_SUPPLY] != 0 or weights[REACH_SUPPLY] != 0:
        supply = count_rows(rules, state)
    event = min((placed - 1) >> 2, EVENTS)
    losses = NONE
    if weights[EVENT_LOSSES] != 0:
        losses = losses_to_come(rules, state, event)
    next_seat = NOBODY
    if weights[DENIED] != 0 and state.decision == LORD:
        next_seat = who_follows(rules, state, seat, row, column)
    coming = tiles_coming(rules, state, row, column) if column >= 0 else NONE
    return Outlook(ROUNDS - placed, event, pending, low, high, supply, losses, coming, next_seat, peasants, chests)


@inlined
def tiles_coming(rules, state, row, column):
    """By seat, in eight 8-bit lanes: 1 + Domain of the tile under a Lord to the right of a column."""
    coming = NONE
    for right in range(column + 1, rules.players + 1):
        if state.occupied[row] >> right & 1:
            domain = np.int64(rules.tiles[state.tiles[row, right]].domain)
            coming |= np.uint64(1 + domain) << np.uint64(8 * np.int64(state.lords[row, right]))
    return coming


@inlined
def who_follows(rules, state, seat, row, column):
    """The seat that places its Lord next, -1 if this one is the last."""
    if state.round == 0:
        return np.int64(seat + 1 if seat + 1 < rules.players else -1)
    after = np.int64(state.occupied[row]) >> (column + 1)
    return np.int64(state.lords[row, column + 1 + lowest_bit(np.uint64(after))] if after != 0 else -1)


@inlined
def weigh_growth(state, weights, outlook):
    """Fill in the score of one more coin in each Income."""
    for domain in range(DOMAINS):
        focus = (weights[FOCUS] * packed_lane(outlook.low, outlook.high, domain)) >> 4
        score = (weights[GROW + domain] + focus) * outlook.left
        state.scratch[GROWTH + domain] = score + weights[SIGHT] * byte_lane(outlook.supply, domain)


@inlined
def weigh_effects(rules, state, seat, weights, outlook):
    """Fill in the score of each Domain's effect; a tile from the Cemetery has no effect, but still guards."""
    player = state.players[seat]
    scratch = state.scratch
    left = outlook.left
    active = np.int64(state.decision != CEMETERY)
    mills = np.int64(player.tiles[MILL]) + np.int64(outlook.pending == MILL)
    ramparts = np.int64(player.tiles[RAMPART]) + np.int64(outlook.pending == RAMPART)
    force = np.int64(player.tiles[BARRACKS]) + np.int64(outlook.pending == BARRACKS)
    from_mills = ZERO
    from_barracks = ZERO
    burned = ZERO
    mill_guard = ZERO
    rampart_guard = ZERO
    for number in range(rules.players):
        victim = state.players[number]
        other = np.int64(number != seat)
        next_tile = byte_lane(outlook.coming, number) - 1
        their_mills = np.int64(victim.tiles[MILL]) + np.int64(next_tile == MILL)
        their_ramparts = np.int64(victim.tiles[RAMPART]) + np.int64(next_tile == RAMPART)
        their_force = np.int64(victim.tiles[BARRACKS]) + np.int64(next_tile == BARRACKS)
        fewer_mills = np.int64(their_mills <= mills) * other
        fewer_ramparts = np.int64(their_ramparts <= force) * other
        from_mills += payable(rules, victim, np.int64(rules.mill_coins)) * fewer_mills
        from_barracks += payable(rules, victim, np.int64(rules.barracks_coins)) * fewer_ramparts
        burned += fewer_ramparts
        mill_guard += np.int64(their_mills == mills) * other
        rampart_guard += np.int64(their_force == ramparts) * other
    robbed = weights[ROBBED] * active
    burned *= rules.barracks_buries * active
    scouts = active * np.int64((left >= 2) & (rules.rampart_scouts != 0))
    restores = active * np.int64((player.buried > 0) & (rules.village_restores != 0))
    scratch[EFFECT + FIELD] = weights[EFFECT_COINS] * (active * rules.per_peasant * outlook.peasants)
    scratch[EFFECT + MILL] = robbed * from_mills + weights[MILL_GUARD] * (mill_guard * left)
    scratch[EFFECT + VILLAGE] = weights[RESTORES] * restores
    scratch[EFFECT + RAMPART] = weights[RAMPART_GUARD] * (rampart_guard * left) + weights[SCOUTS] * scouts
    scratch[EFFECT + MARKET] = weights[EFFECT_COINS] * (active * rules.per_chest * outlook.chests)
    scratch[EFFECT + BARRACKS] = robbed * from_barracks + weights[BURNED] * burned
    scratch[EFFECT + CHURCH] = ZERO
    scratch[EFFECT + PALACE] = ZERO
    if weights[CHURCH_SLOT] != 0:
        most = best_slot(rules, state, seat, outlook)
        scratch[EFFECT + CHURCH] = weights[CHURCH_SLOT] * ((active * left * most) >> 4)
    if weights[PALACE_TOKEN] != 0:
        scratch[EFFECT + PALACE] = weights[PALACE_TOKEN] * (active * left * best_token(rules, state, seat))


@inlined
def best_slot(rules, state, seat, outlook):
    """Largest Income of a slot that is free for an extra-coin token; 0 if no token is left."""
    player = state.players[seat]
    closed = player.extras | player.plots if rules.slot_capacity == ONE_A_SLOT else player.extras
    most = ZERO
    for slot in range(DOMAINS):
        open_slot = np.int64(closed >> slot & 1 == 0)
        most = max(most, packed_lane(outlook.low, outlook.high, slot) * open_slot)
    return most * np.int64(state.extra_left > 0)


@inlined
def best_token(rules, state, seat):
    """Largest number of tiles of a Domain whose plot token is left."""
    player = state.players[seat]
    most = ZERO
    for token in range(DOMAINS):
        offered = np.int64((state.plot_left[token] > 0) | (rules.plot_token_supply == UNLIMITED))
        most = max(most, np.int64(player.tiles[token]) * offered)
    return most


@inlined
def opponents_ahead(rules, state, move):
    """Opponents who will move before the seat if its Lord goes to a column, in 1/16: those there, and a guess."""
    row = state.round & 3
    below = (ONE << np.uint64(move)) - ONE
    there = popcount(np.uint64(state.occupied[row]) & below)
    to_come = rules.players - 1 - popcount(np.uint64(state.occupied[row]))
    free = popcount(state.legal) - 1
    return 16 * there + (16 * to_come * popcount(state.legal & below)) // max(free, np.int64(1))
