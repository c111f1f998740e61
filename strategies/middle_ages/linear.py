"""Middle-Ages: the policy `linear`, a weighted sum of the features in `features.py`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore.games.middle_ages.kernel import EVENT_SLOT, LANE, lane, slot_rate
from simcore.games.middle_ages.state import (
    BARRACKS,
    CEMETERY,
    CHURCH,
    DOMAINS,
    EVENTS,
    EXTRA,
    FIELD,
    LORD,
    MARKET,
    PALACE,
    PLOT,
    RAMPART,
    ROUNDS,
    SCOUT,
    VILLAGE,
)
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from strategies.middle_ages.outlook import (
    CHESTS, CHESTS_LEFT, COLUMN, DENIED, EFFECT, EFFECT_COINS, EVENT_COINS, EVENT_LOSSES, EXPOSED, FAR, FILLS,
    FILLS_LEFT, FILLS_SUPPLY, GROWTH, HELD, HONOUR, INCOME, NOBODY, ORDER, PEASANTS, PEASANTS_LEFT, POSITION, REACH,
    REACH_SUPPLY, SUPPLY, TILE, TILE_LEFT, ZERO, byte_lane, cards_to_come, look, opponents_ahead, packed_lane,
    weigh_effects, weigh_growth,
)  # fmt: skip
from simcore.games.middle_ages.search import counted_tiles, option_tile
from strategies.moves import NONE, NO_NOISE, ONE, blunder_move, blunders, heated_in_turn

LOWEST = np.int64(-(1 << 62))
_16, _32, _48 = np.uint64(16), np.uint64(32), np.uint64(48)


@inlined
def growth_of(growth, low, high):
    """Score of the growth of the Incomes that two words of lanes describe."""
    score = np.int64(low & LANE) * growth[0] + np.int64((low >> _16) & LANE) * growth[1]
    score += np.int64((low >> _32) & LANE) * growth[2] + np.int64(low >> _48) * growth[3]
    score += np.int64(high & LANE) * growth[4] + np.int64((high >> _16) & LANE) * growth[5]
    return score + np.int64((high >> _32) & LANE) * growth[6] + np.int64(high >> _48) * growth[7]


@inlined
def coins_for(rules, state, seat, face):
    """Coins that a tile would bring another seat at once, without robbery."""
    player = state.players[seat]
    domain = np.int64(face.domain)
    coins = lane(player.income, domain) + lane(player.gain[domain], domain)
    coins += np.int64(rules.empty_domain_penalty) if player.tiles[domain] == 0 else ZERO
    coins += (rules.per_peasant if domain == FIELD else 0) * (player.peasants + face.peasants)
    return coins + (rules.per_chest if domain == MARKET else 0) * (player.chests + face.chests)


@inlined
def weigh_exposed(rules, state, seat, weights):
    """Add the score of a tile that would be the next one for Barracks to bury."""
    player = state.players[seat]
    attackers = ZERO
    for other in range(rules.players):
        attackers += np.int64((other != seat) & (state.players[other].tiles[BARRACKS] >= player.tiles[RAMPART]))
    nearest = lowest_bit(np.uint64(player.built) | ONE << np.uint64(DOMAINS))
    for domain in range(min(nearest + 1, DOMAINS)):
        state.scratch[EFFECT + domain] += weights[EXPOSED] * attackers


class Rates(NamedTuple):
    """The worth of a tile's symbols at one decision; `state.scratch` has that of its Domain."""

    peasant: int
    chest: int
    field_peasant: int  # in addition, on a Field
    market_chest: int


@inlined
def rate(rules, state, seat, weights, outlook):
    """Collect the worth of a tile's symbols, and add all that a Domain is worth to the score of its effect."""
    player = state.players[seat]
    left = outlook.left
    active = state.decision != CEMETERY
    effect_coins = weights[EFFECT_COINS] if active else ZERO
    fills = (weights[FILLS] + weights[FILLS_LEFT] * left) * rules.empty_domain_penalty
    peasant = weights[PEASANTS] + weights[PEASANTS_LEFT] * left
    chest = weights[CHESTS] + weights[CHESTS_LEFT] * left
    if weights[EVENT_COINS] != 0:
        per_peasant, per_chest, per_domain, per_buried = cards_to_come(rules, state, outlook.event)
        peasant += weights[EVENT_COINS] * per_peasant
        chest += weights[EVENT_COINS] * per_chest
        fills += weights[EVENT_COINS] * per_domain
        if player.buried > 0:
            state.scratch[EFFECT + VILLAGE] -= weights[EVENT_COINS] * per_buried
        for number in range(outlook.event, EVENTS):
            card = rules.events[state.cards[number]]
            for domain in range(DOMAINS):
                state.scratch[EFFECT + domain] += weights[EVENT_COINS] * card.per_tile[domain]
    if weights[EXPOSED] != 0:
        weigh_exposed(rules, state, seat, weights)
    income = weights[INCOME] if active else ZERO
    restored = weights[INCOME] if not active and state.slot < EVENT_SLOT else ZERO
    fills_supply = weights[FILLS_SUPPLY] * rules.empty_domain_penalty
    some = state.scratch
    growth = (some[0], some[1], some[2], some[3], some[4], some[5], some[6], some[7])
    for domain in range(DOMAINS):  # without branches and look-ups, so that the compiler takes several at a time
        low, high = player.gain[domain, 0], player.gain[domain, 1]
        held = np.int64(player.tiles[domain]) + np.int64(outlook.pending == domain)
        supply = byte_lane(outlook.supply, domain)
        score = growth_of(growth, low, high)
        score += weights[TILE + domain] + weights[TILE_LEFT + domain] * left
        score += income * (packed_lane(outlook.low, outlook.high, domain) + packed_lane(low, high, domain))
        score += restored * packed_lane(low, high, VILLAGE) + weights[HELD] * held + weights[SUPPLY] * supply
        score += fills + fills_supply * supply if held == 0 else ZERO
        state.scratch[EFFECT + domain] += score + weights[EVENT_LOSSES] * byte_lane(outlook.losses, domain)
    return Rates(
        np.int64(peasant),
        np.int64(chest),
        np.int64(effect_coins * rules.per_peasant),
        np.int64(effect_coins * rules.per_chest),
    )


@inlined
def tile_score(rules, state, rates, tile):
    """Score of a tile, regardless of its place."""
    face = rules.tiles[tile]
    domain = np.int64(face.domain)
    score = state.scratch[EFFECT + domain]
    score += np.int64(face.peasants) * (rates.peasant + (rates.field_peasant if domain == FIELD else ZERO))
    return score + np.int64(face.chests) * (rates.chest + (rates.market_chest if domain == MARKET else ZERO))


@inlined
def lead(rules, state, rates):
    """Score by which the best tile of the row behind the next one beats the average one."""
    row = (state.round + 1) & 3
    best = LOWEST
    total = ZERO
    columns = np.int64(rules.players + 1)
    for column in range(columns):
        score = tile_score(rules, state, rates, state.tiles[row, column])
        best = max(best, score)
        total += score
    return best - total // columns


@inlined
def best_tile(rules, lineup, state, seat, weights):
    """The LORD, SCOUT or CEMETERY move with the highest score."""
    player = state.players[seat]
    decision = state.decision
    outlook = look(rules, state, seat, weights)
    weigh_growth(state, weights, outlook)
    weigh_effects(rules, state, seat, weights, outlook)
    rates = rate(rules, state, seat, weights, outlook)
    choosing = decision == LORD
    rightwards = ZERO
    behind = ZERO
    kept = NOBODY
    if choosing:
        if state.round + 2 <= ROUNDS:
            rightwards = weights[COLUMN]
            behind = weights[POSITION]
            if weights[ORDER] != 0:
                behind += (weights[ORDER] * (lead(rules, state, rates) >> 6)) >> 10
        if player.scout >> 3 == state.round & 3:
            kept = np.int64(player.scout & 7)
    legal = state.legal
    best = ZERO
    most = LOWEST
    noise = NO_NOISE
    while legal != NONE:
        move = lowest_bit(legal)
        tile = option_tile(state, seat, move)
        score = tile_score(rules, state, rates, tile)
        if outlook.next_seat >= 0:
            score += weights[DENIED] * coins_for(rules, state, outlook.next_seat, rules.tiles[tile])
        if choosing:
            score += rightwards * move + (weights[HONOUR] if kept == move else ZERO)
            if behind != 0:
                score += (behind * opponents_ahead(rules, state, move)) >> 4
        elif decision == SCOUT:
            score += weights[FAR] * (move >> 3)
        score, noise = heated_in_turn(lineup, state, seat, move, score, noise)
        if score > most:
            most = score
            best = move
        legal &= legal - ONE
    return best


@inlined
def extra_score(rules, state, seat, weights, outlook, slot):
    """Score of an extra-coin token in a slot."""
    player = state.players[seat]
    coins = np.int64(rules.extra_coin) * counted_tiles(player, slot)
    listed = ZERO
    supply = ZERO
    for domain in range(DOMAINS):
        counted = np.int64(player.lists[slot] >> domain & 1)
        listed += counted
        supply += counted * byte_lane(outlook.supply, domain)
    score = state.scratch[GROWTH + slot] * coins + weights[REACH] * (listed * rules.extra_coin * outlook.left)
    score += weights[REACH_SUPPLY] * (supply * rules.extra_coin)
    return score + (weights[INCOME] * coins if slot == CHURCH else ZERO)


@inlined
def plot_score(rules, state, seat, weights, outlook, slot, token):
    """Score of a plot token in a slot."""
    player = state.players[seat]
    rate = np.int64(slot_rate(rules, player, slot))
    coins = rate * player.tiles[token]
    score = state.scratch[GROWTH + slot] * coins + weights[REACH] * (rate * outlook.left)
    score += weights[REACH_SUPPLY] * (rate * byte_lane(outlook.supply, token))
    return score + (weights[INCOME] * coins if slot == PALACE else ZERO)


@inlined
def loss_score(rules, state, seat, weights, left, move):
    """Score of giving up a tile."""
    face = rules.tiles[option_tile(state, seat, move)]
    peasant = weights[PEASANTS] + weights[PEASANTS_LEFT] * left
    chest = weights[CHESTS] + weights[CHESTS_LEFT] * left
    return -(np.int64(face.peasants) * peasant + np.int64(face.chests) * chest)


@kernel
def best_other(rules, lineup, state, seat, weights):
    """The EXTRA, PLOT or LOSS move with the highest score."""
    decision = state.decision
    outlook = look(rules, state, seat, weights)
    weigh_growth(state, weights, outlook)
    legal = state.legal
    best = ZERO
    most = LOWEST
    noise = NO_NOISE
    while legal != NONE:
        move = lowest_bit(legal)
        if decision == EXTRA:
            score = extra_score(rules, state, seat, weights, outlook, move)
        elif decision == PLOT:
            score = plot_score(rules, state, seat, weights, outlook, move >> 3, move & 7)
        else:
            score = loss_score(rules, state, seat, weights, outlook.left, move)
        score, noise = heated_in_turn(lineup, state, seat, move, score, noise)
        if score > most:
            most = score
            best = move
        legal &= legal - ONE
    return best


@kernel
def linear(rules, lineup, state, seat):
    """Return the move with the highest weighted sum of features; the first in board order among equals."""
    member = lineup.members[lineup.seated[seat]]
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    if state.decision <= CEMETERY:
        return best_tile(rules, lineup, state, seat, member.weights)
    return best_other(rules, lineup, state, seat, member.weights)
