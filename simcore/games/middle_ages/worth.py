"""Middle-Ages: what tiles and slots bring at once, for policies and for what a seat sees.

The code does not branch on the options: a wrong guess of the processor costs more than computing an option.
"""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages.fief import lane, payable, slot_rate
from simcore.games.middle_ages.state import BARRACKS, CEMETERY, DOMAINS, FIELD, LORD, MARKET, MILL, RAMPART, SCOUT
from simcore.kernel.compilation import inlined

__all__ = ["counted_tiles", "lane", "option_tile", "raids", "slot_rate", "worth", "worth_given"]


@inlined
def raids(rules, state, seat):
    """Coins that the opponents hit by one more Mill, and by one more Barracks, would pay now."""
    player = state.players[seat]
    mills = 0
    barracks = 0
    for other in range(rules.players):
        victim = state.players[other]
        fewer_mills = (victim.tiles[MILL] <= player.tiles[MILL]) & (other != seat)
        fewer_ramparts = (victim.tiles[RAMPART] <= player.tiles[BARRACKS]) & (other != seat)
        mills += payable(rules, victim, np.int64(rules.mill_coins)) * np.int64(fewer_mills)
        barracks += payable(rules, victim, np.int64(rules.barracks_coins)) * np.int64(fewer_ramparts)
    return mills, barracks


@inlined
def worth_given(rules, player, tile, mills, barracks):
    """Coins that a tile would bring at once if a player placed it now, given the result of `raids`."""
    face = rules.tiles[tile]
    domain = np.int64(face.domain)
    return (
        lane(player.income, domain)
        + lane(player.gain[domain], domain)
        + rules.empty_domain_penalty * np.int64(player.tiles[domain] == 0)
        + mills * np.int64(domain == MILL)
        + barracks * np.int64(domain == BARRACKS)
        + rules.per_peasant * np.int64(domain == FIELD) * (player.peasants + face.peasants)
        + rules.per_chest * np.int64(domain == MARKET) * (player.chests + face.chests)
    )


@inlined
def worth(rules, state, seat, tile):
    """Coins that a tile would bring at once if it were placed now."""
    mills, barracks = raids(rules, state, seat)
    return worth_given(rules, state.players[seat], tile, mills, barracks)


@inlined
def counted_tiles(player, slot):
    """Tiles that a Domain's Income counts now."""
    counted = 0
    for domain in range(DOMAINS):
        counted += (np.int64(player.lists[slot]) >> domain & 1) * player.tiles[domain]
    return counted


@inlined
def option_tile(state, seat, move):
    """The tile that a LORD, SCOUT, CEMETERY or LOSS move concerns."""
    player = state.players[seat]
    if state.decision == LORD:
        return state.tiles[state.round & 3, move]
    if state.decision == SCOUT:
        return state.tiles[(state.round + 1 + (move >> 3)) & 3, move & 7]
    if state.decision == CEMETERY:
        return player.cemetery[move]
    return player.column[state.domain, move]
