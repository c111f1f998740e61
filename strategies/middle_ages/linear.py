"""Middle-Ages: the policy `linear`, a weighted sum of the features in `features.py`.

Scores are integers in 1/1024 coin.  "Rounds left" is how many Incomes follow the one at which the tile in
question is placed.  What all options of a decision share is computed once, in `Outlook`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore.games.middle_ages.kernel import LANE, lane, payable, slot_rate
from simcore.games.middle_ages.state import (
    BARRACKS, CEMETERY, CHURCH, DOMAINS, EVENTS, EXTRA, FIELD, LORD, MARKET, MILL, PALACE, PLOT, RAMPART, ROUNDS,
    SCOUT, VILLAGE,
)  # fmt: skip
from simcore.jit import inlined, kernel, lowest_bit
from strategies.middle_ages.features import INDEX
from strategies.middle_ages.worth import counted_tiles, option_tile
from strategies.moves import NONE, ONE, blunder_move, blunders, heated

BYTE = np.uint64(0xFF)
ZERO = np.int64(0)
LOWEST = np.int64(-(1 << 62))

INCOME, EFFECT_COINS, ROBBED, BURNED = (np.int64(INDEX[name]) for name in ("income", "effect_coins", "robbed", "burned"))
FILLS, FILLS_LEFT, HELD, SUPPLY = (np.int64(INDEX[name]) for name in ("fills", "fills_left", "held", "supply"))
PEASANTS, PEASANTS_LEFT = np.int64(INDEX["peasants"]), np.int64(INDEX["peasants_left"])
CHESTS, CHESTS_LEFT = np.int64(INDEX["chests"]), np.int64(INDEX["chests_left"])
FOCUS, SIGHT, REACH = (np.int64(INDEX[name]) for name in ("focus", "sight", "reach"))
EVENT_COINS, EVENT_LOSSES = np.int64(INDEX["event_coins"]), np.int64(INDEX["event_losses"])
MILL_GUARD, RAMPART_GUARD = np.int64(INDEX["mill_guard"]), np.int64(INDEX["rampart_guard"])
EXPOSED, DENIED = np.int64(INDEX["exposed"]), np.int64(INDEX["denied"])
RESTORES, SCOUTS = np.int64(INDEX["restores"]), np.int64(INDEX["scouts"])
CHURCH_SLOT, PALACE_TOKEN = np.int64(INDEX["church_slot"]), np.int64(INDEX["palace_token"])
COLUMN, ORDER, HONOUR, FAR = (np.int64(INDEX[name]) for name in ("column", "order", "honour", "far"))
GROW, TILE, TILE_LEFT = (np.int64(INDEX[name]) for name in ("grow_field", "tile_field", "tile_field_left"))


class Growth(NamedTuple):
    """Score of one coin more in each Income, by Domain."""

    field: int
    mill: int
    village: int
    rampart: int
    market: int
    barracks: int
    church: int
    palace: int


class Outlook(NamedTuple):
    """What the options of one decision share."""

    left: int  # rounds left
    event: int  # first Event to come after the tile is placed, from 0
    pending: int  # Domain of the tile under the own Lord, -1 if none
    low: int  # the Incomes with that tile, as in PLAYER.income
    high: int
    peasants: int  # symbols in the Fief, with that tile
    chests: int
    supply: int  # eight 8-bit lanes: tiles by Domain in the two rows behind the next one
    losses: int  # eight 8-bit lanes: tiles by Domain that the Events to come bury
    peasant: int  # score of a symbol
    chest: int
    next_seat: int  # who places a Lord next, -1 if nobody
    order: int  # score of one column further right
    kept: int  # column that the own Scout keeps in the row at hand, -1 if none
    attackers: int  # opponents whose next Barracks would hit the seat
    leftmost: int  # first Domain that holds a tile, DOMAINS if none does


@inlined
def own_lord(rules, state, seat, row):
    """Column of a seat's Lord in a row, -1 if it is not there."""
    found = np.int64(-1)
    for column in range(rules.players + 1):
        here = (state.lords[row, column] == seat) & ((state.occupied[row] >> column & 1) == 1)
        found = np.int64(column) if here else found
    return found


@inlined
def count_row(rules, state, row):
    """Tiles of a row by Domain, in eight 8-bit lanes."""
    counts = NONE
    for column in range(rules.players + 1):
        domain = rules.tiles[state.tiles[row, column]].domain
        counts += ONE << np.uint64(8 * domain)
    return counts


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
def lead(rules, player, row, low, high, state):
    """Coins by which the best tile of a row beats the average one at once."""
    best = ZERO
    total = ZERO
    columns = np.int64(rules.players + 1)
    for column in range(columns):
        domain = np.int64(rules.tiles[state.tiles[row, column]].domain)
        coins = packed_lane(low, high, domain) + lane(player.gain[domain], domain)
        coins += np.int64(rules.penalty) if player.tiles[domain] == 0 else ZERO
        best = max(best, coins)
        total += coins
    return best - total // columns


@inlined
def look(rules, state, seat, weights):
    """Gather what the options of a decision about tiles share."""
    player = state.players[seat]
    decision = state.decision
    rnd = np.int64(state.round)
    placed = rnd + 1 if decision == LORD else rnd + 2 if decision == SCOUT else rnd
    left = ROUNDS - placed
    event = min((placed - 1) >> 2, EVENTS)
    row = np.int64(rnd - 1 if decision == LORD else rnd) & 3
    low = player.income[0]
    high = player.income[1]
    column = own_lord(rules, state, seat, row)
    pending = np.int64(-1)
    own_peasants = np.int64(player.peasants)
    own_chests = np.int64(player.chests)
    if column >= 0:
        face = rules.tiles[state.tiles[row, column]]
        pending = np.int64(face.domain)
        own_peasants += face.peasants
        own_chests += face.chests
        low += player.gain[pending, 0]
        high += player.gain[pending, 1]
    next_seat = np.int64(-1)
    order = ZERO
    kept = np.int64(-1)
    supply = NONE
    if rnd + 2 <= ROUNDS:
        supply = count_row(rules, state, (rnd + 1) & 3)
        if rnd + 3 <= ROUNDS:
            supply += count_row(rules, state, (rnd + 2) & 3)
    if decision == LORD:
        if rnd == 0:
            next_seat = np.int64(seat + 1 if seat + 1 < rules.players else -1)
        else:
            after = np.int64(state.occupied[row]) >> (column + 1)
            if after != 0:
                next_seat = np.int64(state.lords[row, column + 1 + lowest_bit(np.uint64(after))])
        if rnd + 2 <= ROUNDS:
            order = weights[COLUMN]
            if weights[ORDER] != 0:
                order += weights[ORDER] * lead(rules, player, (rnd + 1) & 3, low, high, state)
        if player.scout >= 0 and player.scout >> 3 == rnd & 3:
            kept = np.int64(player.scout & 7)
    peasants = ZERO
    chests = ZERO
    losses = NONE
    if weights[EVENT_COINS] != 0 or weights[EVENT_LOSSES] != 0:
        for number in range(event, EVENTS):
            card = rules.events[state.cards[number]]
            peasants += card.per_peasant
            chests += card.per_chest
            for entry in range(4):
                domain = np.int64(card.buries[entry])
                losses += ONE << np.uint64(8 * domain) if domain >= 0 else NONE
    peasant = weights[PEASANTS] + weights[PEASANTS_LEFT] * left + weights[EVENT_COINS] * peasants
    chest = weights[CHESTS] + weights[CHESTS_LEFT] * left + weights[EVENT_COINS] * chests
    attackers = ZERO
    leftmost = ZERO
    if weights[EXPOSED] != 0:
        for other in range(rules.players):
            attackers += (other != seat) & (state.players[other].tiles[BARRACKS] >= player.tiles[RAMPART])
        while leftmost < DOMAINS and player.tiles[leftmost] == 0:
            leftmost += 1
    return Outlook(
        left, event, pending, low, high, own_peasants, own_chests, supply, losses, peasant, chest, next_seat, order, kept,
        attackers, leftmost,
    )  # fmt: skip


@inlined
def grow_score(weights, outlook, domain):
    """Score of one coin more in each Income of a Domain."""
    score = weights[GROW + domain] * outlook.left
    score += (weights[FOCUS] * (packed_lane(outlook.low, outlook.high, domain) * outlook.left)) >> 4
    return score + weights[SIGHT] * byte_lane(outlook.supply, domain)


@inlined
def growth(weights, outlook):
    """Scores of one coin more in each Income."""
    return Growth(
        grow_score(weights, outlook, 0), grow_score(weights, outlook, 1), grow_score(weights, outlook, 2),
        grow_score(weights, outlook, 3), grow_score(weights, outlook, 4), grow_score(weights, outlook, 5),
        grow_score(weights, outlook, 6), grow_score(weights, outlook, 7),
    )  # fmt: skip


@inlined
def growth_of(grow, low, high):
    """Score of what two words of lanes add to the Incomes."""
    return (
        np.int64(low & LANE) * grow.field + np.int64((low >> np.uint64(16)) & LANE) * grow.mill
        + np.int64((low >> np.uint64(32)) & LANE) * grow.village + np.int64(low >> np.uint64(48)) * grow.rampart
        + np.int64(high & LANE) * grow.market + np.int64((high >> np.uint64(16)) & LANE) * grow.barracks
        + np.int64((high >> np.uint64(32)) & LANE) * grow.church + np.int64(high >> np.uint64(48)) * grow.palace
    )  # fmt: skip


@inlined
def card_coins(rules, state, outlook, seat, domain, first):
    """Coins that the Events to come pay for one more tile of a Domain, symbols apart."""
    coins = ZERO
    for number in range(outlook.event, EVENTS):
        card = rules.events[state.cards[number]]
        coins += card.per_tile[domain]
        if first:
            coins += card.per_domain
        if (domain == VILLAGE) & (state.players[seat].buried > 0):
            coins -= card.per_buried
    return coins


@inlined
def coins_for(rules, state, seat, domain, peasants, chests):
    """Coins that a tile would bring another seat at once, robbery apart."""
    player = state.players[seat]
    coins = lane(player.income, domain) + lane(player.gain[domain], domain)
    coins += np.int64(rules.penalty) if player.tiles[domain] == 0 else ZERO
    if domain == FIELD:
        coins += rules.per_peasant * (player.peasants + peasants)
    elif domain == MARKET:
        coins += rules.per_chest * (player.chests + chests)
    return coins


@inlined
def mill_score(rules, state, seat, weights, outlook):
    """Score of what a Mill takes from the opponents, now and later, and keeps from them."""
    mills = np.int64(state.players[seat].tiles[MILL]) + np.int64(outlook.pending == MILL)
    coins = ZERO
    guarded = ZERO
    for other in range(rules.players):
        victim = state.players[other]
        hit = (victim.tiles[MILL] <= mills) & (other != seat)
        coins += payable(rules, victim, np.int64(rules.mill_coins) if hit else ZERO)
        guarded += (victim.tiles[MILL] == mills) & (other != seat)
    return weights[ROBBED] * coins + weights[MILL_GUARD] * (guarded * outlook.left)


@inlined
def barracks_score(rules, state, seat, weights, outlook):
    """Score of what Barracks take from the opponents."""
    force = np.int64(state.players[seat].tiles[BARRACKS]) + np.int64(outlook.pending == BARRACKS)
    coins = ZERO
    burned = ZERO
    for other in range(rules.players):
        victim = state.players[other]
        hit = (victim.tiles[RAMPART] <= force) & (other != seat)
        coins += payable(rules, victim, np.int64(rules.barracks_coins) if hit else ZERO)
        burned += hit
    return weights[ROBBED] * coins + weights[BURNED] * (burned * rules.barracks_buries)


@inlined
def rampart_score(rules, state, seat, weights, outlook):
    """Score of the opponents that a Rampart keeps out, and of the Scout."""
    ramparts = np.int64(state.players[seat].tiles[RAMPART]) + np.int64(outlook.pending == RAMPART)
    guarded = ZERO
    for other in range(rules.players):
        guarded += (state.players[other].tiles[BARRACKS] == ramparts) & (other != seat)
    scouts = np.int64((outlook.left >= 2) & (rules.rampart_scouts != 0))
    return weights[RAMPART_GUARD] * (guarded * outlook.left) + weights[SCOUTS] * scouts


@inlined
def church_score(rules, state, seat, weights, outlook):
    """Score of the slots that a Church could raise."""
    player = state.players[seat]
    closed = player.extras | player.plots if rules.one_token_a_slot else player.extras
    most = ZERO
    if state.extra_left > 0:
        for slot in range(DOMAINS):
            if not closed >> slot & 1:
                most = max(most, packed_lane(outlook.low, outlook.high, slot))
    return (weights[CHURCH_SLOT] * (most * outlook.left)) >> 4


@inlined
def palace_score(rules, state, seat, weights, outlook):
    """Score of the Domains that a Palace could have counted once more."""
    player = state.players[seat]
    most = ZERO
    for token in range(DOMAINS):
        if state.plot_left[token] > 0 or rules.plot_unlimited:
            most = max(most, np.int64(player.tiles[token]))
    return weights[PALACE_TOKEN] * (most * outlook.left)


@inlined
def effect_score(rules, state, seat, weights, outlook, domain, peasants, chests):
    """Score of a tile's effect."""
    if domain == FIELD:
        return weights[EFFECT_COINS] * (rules.per_peasant * (outlook.peasants + peasants))
    if domain == MARKET:
        return weights[EFFECT_COINS] * (rules.per_chest * (outlook.chests + chests))
    if domain == MILL:
        return mill_score(rules, state, seat, weights, outlook)
    if domain == BARRACKS:
        return barracks_score(rules, state, seat, weights, outlook)
    if domain == RAMPART:
        return rampart_score(rules, state, seat, weights, outlook)
    if domain == CHURCH:
        return church_score(rules, state, seat, weights, outlook)
    if domain == PALACE:
        return palace_score(rules, state, seat, weights, outlook)
    return weights[RESTORES] * np.int64((state.players[seat].buried > 0) & (rules.village_restores != 0))


@inlined
def tile_score(rules, state, seat, weights, outlook, grow, move):
    """Score of a LORD, SCOUT or CEMETERY move."""
    player = state.players[seat]
    decision = state.decision
    face = rules.tiles[option_tile(state, seat, move)]
    domain = np.int64(face.domain)
    peasants = np.int64(face.peasants)
    chests = np.int64(face.chests)
    held = np.int64(player.tiles[domain]) + np.int64(outlook.pending == domain)
    score = weights[TILE + domain] + weights[TILE_LEFT + domain] * outlook.left
    score += peasants * outlook.peasant + chests * outlook.chest
    score += growth_of(grow, player.gain[domain, 0], player.gain[domain, 1])
    score += weights[HELD] * held + weights[SUPPLY] * byte_lane(outlook.supply, domain)
    score += weights[EVENT_LOSSES] * byte_lane(outlook.losses, domain)
    if held == 0:
        score += (weights[FILLS] + weights[FILLS_LEFT] * outlook.left) * rules.penalty
    if weights[EVENT_COINS] != 0:
        score += weights[EVENT_COINS] * card_coins(rules, state, outlook, seat, domain, held == 0)
    if domain <= outlook.leftmost:
        score += weights[EXPOSED] * outlook.attackers
    if decision == CEMETERY:
        coins = lane(player.gain[domain], VILLAGE) if state.slot < EVENTS else ZERO
        return score + weights[INCOME] * coins
    coins = packed_lane(outlook.low, outlook.high, domain) + lane(player.gain[domain], domain)
    score += weights[INCOME] * coins
    score += effect_score(rules, state, seat, weights, outlook, domain, peasants, chests)
    if decision == SCOUT:
        return score + weights[FAR] * np.int64(move >> 3)
    if outlook.next_seat >= 0 and weights[DENIED] != 0:
        score += weights[DENIED] * coins_for(rules, state, outlook.next_seat, domain, peasants, chests)
    return score + outlook.order * move + (weights[HONOUR] if outlook.kept == move else ZERO)


@inlined
def extra_score(rules, state, seat, weights, outlook, slot):
    """Score of an extra-coin token in a slot."""
    player = state.players[seat]
    coins = np.int64(rules.extra_coin) * counted_tiles(player, slot)
    reach = ZERO
    for domain in range(DOMAINS):
        reach += player.lists[slot] >> domain & 1
    score = grow_score(weights, outlook, slot) * coins
    score += weights[REACH] * (reach * rules.extra_coin * outlook.left)
    return score + (weights[INCOME] * coins if slot == CHURCH else ZERO)


@inlined
def plot_score(rules, state, seat, weights, outlook, slot, token):
    """Score of a plot token in a slot."""
    player = state.players[seat]
    rate = np.int64(slot_rate(rules, player, slot))
    coins = rate * player.tiles[token]
    score = grow_score(weights, outlook, slot) * coins + weights[REACH] * (rate * outlook.left)
    return score + (weights[INCOME] * coins if slot == PALACE else ZERO)


@inlined
def loss_score(rules, state, seat, weights, move):
    """Score of the tile given up."""
    face = rules.tiles[option_tile(state, seat, move)]
    left = ROUNDS - np.int64(state.round)
    peasant = weights[PEASANTS] + weights[PEASANTS_LEFT] * left
    chest = weights[CHESTS] + weights[CHESTS_LEFT] * left
    return -(np.int64(face.peasants) * peasant + np.int64(face.chests) * chest)


@inlined
def best_move(rules, lineup, state, seat, noisy):
    """The move with the highest score, the first in board order among equals."""
    weights = lineup.members[lineup.entry[seat]].weights
    decision = state.decision
    outlook = look(rules, state, seat, weights)
    grow = growth(weights, outlook)
    legal = state.legal
    best = ZERO
    most = LOWEST
    while legal != NONE:
        move = lowest_bit(legal)
        if decision <= CEMETERY:
            score = tile_score(rules, state, seat, weights, outlook, grow, move)
        elif decision == EXTRA:
            score = extra_score(rules, state, seat, weights, outlook, move)
        elif decision == PLOT:
            score = plot_score(rules, state, seat, weights, outlook, move >> 3, move & 7)
        else:
            score = loss_score(rules, state, seat, weights, move)
        if noisy:
            score = heated(lineup, state, seat, move, score)
        if score > most:
            most = score
            best = move
        legal &= legal - ONE
    return best


@kernel
def linear(rules, lineup, state, seat):
    """The move with the highest weighted sum of features."""
    return best_move(rules, lineup, state, seat, False)


@kernel
def noisy_linear(rules, lineup, state, seat):
    """`linear` with temperature and blunders."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    return best_move(rules, lineup, state, seat, True)
