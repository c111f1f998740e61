"""Middle-Ages: decision functions."""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages.kernel import lane, payable, slot_rate
from simcore.games.middle_ages.state import (
    BARRACKS, CEMETERY, DOMAINS, EXTRA, FIELD, LORD, LOSS, MARKET, MILL, PLOT, RAMPART, RULES, SCOUT, STATE,
)  # fmt: skip
from simcore.jit import Policy, inlined, kernel, lowest_bit, popcount
from simcore.lineup import LINEUP
from simcore.streams import decide

ONE = np.uint64(1)


@inlined
def nth_move(legal, n):
    """The n-th legal move, counted from 0."""
    for step in range(6):
        legal = legal & (legal - ONE) if step < n else legal
    for _ in range(6, n):
        legal &= legal - ONE
    return lowest_bit(legal)


@kernel
def uniform(rules, lineup, state, seat):
    """Any legal move, all equally likely."""
    return nth_move(state.legal, decide(state.rng, seat, state.slot, state.lane, popcount(state.legal)))


@inlined
def robbable(rules, state, seat, domain):
    """Coins that the opponents hit by one more Mill or Barracks would pay now."""
    guard = MILL if domain == MILL else RAMPART
    amount = np.int64(rules.mill_coins if domain == MILL else rules.barracks_coins)
    limit = state.players[seat].tiles[domain] + 1
    coins = 0
    for other in range(rules.players):
        victim = state.players[other]
        hit = (victim.tiles[guard] < limit) & (other != seat)
        coins += payable(rules, victim, amount if hit else np.int64(0))
    return coins


@inlined
def worth(rules, state, seat, tile):
    """Coins that a tile would bring at once if it were placed now."""
    player = state.players[seat]
    face = rules.tiles[tile]
    domain = np.int64(face.domain)
    coins = lane(player.income, domain) + lane(player.gain[domain], domain)
    if player.tiles[domain] == 0:
        coins += rules.penalty
    coins += (rules.per_peasant if domain == FIELD else 0) * (player.peasants + face.peasants)
    coins += (rules.per_chest if domain == MARKET else 0) * (player.chests + face.chests)
    if domain == MILL or domain == BARRACKS:
        coins += robbable(rules, state, seat, domain)
    return coins


@inlined
def counted_tiles(player, slot):
    """Tiles that a Domain's Income counts now."""
    counted = 0
    for domain in range(DOMAINS):
        if player.lists[slot] >> domain & 1:
            counted += player.tiles[domain]
    return counted


@inlined
def option_tile(state, seat, move):
    """The tile that a LORD, SCOUT, CEMETERY or LOSS move is about."""
    player = state.players[seat]
    if state.decision == LORD:
        return state.tiles[state.round & 3, move]
    if state.decision == SCOUT:
        return state.tiles[(state.round + 1 + (move >> 3)) & 3, move & 7]
    if state.decision == CEMETERY:
        return player.cemetery[move]
    return player.column[state.domain, move]


@inlined
def immediate(rules, state, seat, move):
    """Score of a move to `greedy`: coins at once."""
    decision = state.decision
    player = state.players[seat]
    if decision == EXTRA:
        return np.int64(counted_tiles(player, move))
    if decision == PLOT:
        return np.int64(player.tiles[move & 7] * slot_rate(rules, player, move >> 3))
    tile = option_tile(state, seat, move)
    if decision == LOSS:
        return -np.int64(rules.tiles[tile].peasants + rules.tiles[tile].chests)
    return np.int64(worth(rules, state, seat, tile))


@kernel
def greedy(rules, lineup, state, seat):
    """The move worth most coins at once, the first in board order among equals."""
    legal = state.legal
    best = lowest_bit(legal)
    most = immediate(rules, state, seat, best)
    legal &= legal - ONE
    while legal != np.uint64(0):
        move = lowest_bit(legal)
        score = immediate(rules, state, seat, move)
        if score > most:
            most = score
            best = move
        legal &= legal - ONE
    return best


RECORDS = (RULES, LINEUP, STATE)
RANDOM = Policy(uniform, RECORDS, cached=True)
GREEDY = Policy(greedy, RECORDS, cached=True)
