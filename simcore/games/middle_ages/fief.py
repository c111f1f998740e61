"""Middle-Ages: money, and the tiles in front of a player."""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages.state import CEMETERY, DEBT
from simcore.kernel.decisions import choose
from simcore.kernel.compilation import inlined, kernel

ONE = np.uint64(1)
LANE = np.uint64(0xFFFF)
OUT_OF_TILES = 2
EVENT_SLOT = np.int64(8)  # decision slots of the four Events; below them, one for four rounds


@inlined
def lane(words, domain):
    """One 16-bit lane of a pair of words."""
    return np.int64((words[domain >> 2] >> np.uint64((domain & 3) * 16)) & LANE)


@inlined
def add_lane(words, domain, value):
    words[domain >> 2] += np.uint64(value) << np.uint64((domain & 3) * 16)


@inlined
def earn(state, player, amount):
    player.coins += amount
    state.circulation += amount


@inlined
def payable(rules, player, amount):
    """What a player who must give an amount really gives."""
    return amount if rules.shortfall == DEBT else max(min(amount, np.int64(player.coins)), 0)


@inlined
def rob(rules, state, seat, other, amount):
    """Move coins to a seat from another one; return their number."""
    victim = state.players[other]
    coins = payable(rules, victim, amount)
    victim.coins -= coins
    state.players[seat].coins += coins
    state.players[seat].row.robbed_from[other] += coins
    return coins


@inlined
def slot_rate(rules, player, slot):
    """The coins that a Domain's Income pays for a counted tile."""
    if player.extras >> slot & 1:
        return rules.per_domain[slot] + rules.extra_coin
    return np.int64(rules.per_domain[slot])


@inlined
def place(rules, player, tile):
    """Put a tile on its column of the Fief."""
    face = rules.tiles[tile]
    domain = face.domain
    player.column[domain, player.tiles[domain]] = tile
    player.tiles[domain] += 1
    player.built |= 1 << domain
    player.peasants += face.peasants
    player.chests += face.chests
    player.income[0] += player.gain[domain, 0]
    player.income[1] += player.gain[domain, 1]


@kernel
def bury(rules, state, seat, domain, index):
    """Move a tile from a seat's Fief to its Cemetery."""
    player = state.players[seat]
    column = player.column[domain]
    tile = column[index]
    left = player.tiles[domain] - 1
    player.tiles[domain] = left
    player.built &= ~(np.int64(left == 0) << domain)
    for above in range(index, left):
        column[above] = column[above + 1]
    face = rules.tiles[tile]
    player.peasants -= face.peasants
    player.chests -= face.chests
    player.income[0] -= player.gain[domain, 0]
    player.income[1] -= player.gain[domain, 1]
    player.cemetery[player.buried] = tile
    player.buried += 1
    player.row.burials += 1
    return tile


@kernel
def restore(rules, lineup, state, seat, slot, index):
    """Let a seat take one tile back from its Cemetery; return the tile."""
    legal = (ONE << np.uint64(state.players[seat].buried)) - ONE
    return dig_up(rules, state, seat, choose(rules, lineup, state, seat, CEMETERY, legal, slot, index))


@inlined
def dig_up(rules, state, seat, picked):
    """Put a tile of the Cemetery back into the Fief; return the tile."""
    player = state.players[seat]
    tile = player.cemetery[picked]
    player.buried -= 1
    for later in range(picked, player.buried):
        player.cemetery[later] = player.cemetery[later + 1]
    place(rules, player, tile)
    player.row.restorations += 1
    return tile
