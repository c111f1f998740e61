"""Middle-Ages: what tiles and slots bring at once, for policies."""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages.kernel import lane, payable, slot_rate
from simcore.games.middle_ages.state import BARRACKS, CEMETERY, DOMAINS, FIELD, LORD, MARKET, MILL, RAMPART, SCOUT
from simcore.jit import inlined

__all__ = ["counted_tiles", "lane", "option_tile", "robbable", "slot_rate", "worth"]


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
