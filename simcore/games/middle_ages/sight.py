"""Middle-Ages: what a seat sees at a safe point, in whole numbers."""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages.cards import event_coins
from simcore.games.middle_ages.fief import lane
from simcore.games.middle_ages.model import DOMAIN_NAMES
from simcore.games.middle_ages.state import BARRACKS, COLUMNS, DOMAINS, EVENTS, MILL, RAMPART, ROUNDS, ROWS
from simcore.games.middle_ages.worth import raids, worth_given
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import popcount
from simcore.kernel.looking import Look

OF_TABLE = ["rounds left", "rounds to the next Event", "extra-coin tokens left"]
OF_TABLE += [f"{name} open" for name in DOMAIN_NAMES]
OF_PLAYER = [
    "coins less the penalty",
    "empty Domains",
    "peasants",
    "chests",
    "buried tiles",
    "extra-coin tokens",
    "plot tokens",
    "a Scout is out",
    "coins of the next Event",
    "coins of later Events",
    "worth of the Lord's tile",
    "Income from the Lord's tile",
    "column of the Lord",
    "coins from a Mill",
    "coins from Barracks",
    "rivals with more Mills",
    "rivals with more Barracks than own Ramparts",
]
OF_PLAYER += [f"tiles of {name}" for name in DOMAIN_NAMES]
OF_PLAYER += [f"Income of {name}" for name in DOMAIN_NAMES]
TILES, INCOME = np.int64(OF_PLAYER.index("tiles of field")), np.int64(OF_PLAYER.index("Income of field"))
OPEN = np.int64(OF_TABLE.index("field open"))


@kernel
def see_table(rules, state, seat, out):
    """Write the numbers about the table."""
    left = ROUNDS - np.int64(state.round)
    out[0] = left
    out[1] = left & 3
    out[2] = state.extra_left
    for domain in range(DOMAINS):
        out[OPEN + domain] = 0
    for ahead in range(min(ROWS, left)):
        row = (state.round + ahead) & 3
        for column in range(rules.players + 1):
            out[OPEN + np.int64(rules.tiles[state.tiles[row, column]].domain)] += 1


@kernel
def see_player(rules, state, seat, other, out, at):
    """Write the numbers about a player; everything lies open."""
    player = state.players[other]
    empty = DOMAINS - popcount(np.uint64(player.built))
    mills, barracks = raids(rules, state, other)
    out[at] = player.coins - rules.empty_domain_penalty * empty
    out[at + 1] = empty
    out[at + 2] = player.peasants
    out[at + 3] = player.chests
    out[at + 4] = player.buried
    out[at + 5] = popcount(np.uint64(player.extras))
    out[at + 6] = popcount(np.uint64(player.plots))
    out[at + 7] = np.int64(player.scout >= 0)
    see_events(rules, state, player, out, at)
    see_lord(rules, state, player, other, mills, barracks, out, at)
    out[at + 13] = mills
    out[at + 14] = barracks
    out[at + 15] = 0
    out[at + 16] = 0
    for number in range(rules.players):
        rival = state.players[number]
        out[at + 15] += np.int64(rival.tiles[MILL] > player.tiles[MILL])
        out[at + 16] += np.int64(rival.tiles[BARRACKS] > player.tiles[RAMPART] and number != other)
    for domain in range(DOMAINS):
        out[at + TILES + domain] = player.tiles[domain]
        out[at + INCOME + domain] = lane(player.income, domain)


@inlined
def see_events(rules, state, player, out, at):
    """Write what the Events to come would pay now."""
    out[at + 8] = 0
    out[at + 9] = 0
    first = np.int64(state.round) >> 2
    for number in range(first, EVENTS):
        coins = event_coins(rules.events[state.cards[number]], player)
        if number == first:
            out[at + 8] = coins
        else:
            out[at + 9] += coins


@inlined
def see_lord(rules, state, player, other, mills, barracks, out, at):
    """Write what the tile under a Lord would bring, and where the Lord stands."""
    out[at + 10] = 0
    out[at + 11] = 0
    out[at + 12] = 0
    row = state.round & 3
    for column in range(COLUMNS):
        if state.occupied[row] >> column & 1 and state.lords[row, column] == other:
            tile = np.int64(state.tiles[row, column])
            domain = np.int64(rules.tiles[tile].domain)
            grown = np.int64(0)
            for paid in range(DOMAINS):
                grown += lane(player.gain[domain], paid)
            out[at + 10] = worth_given(rules, player, tile, mills, barracks)
            out[at + 11] = grown
            out[at + 12] = column


LOOK = Look(see_table, see_player, tuple(OF_TABLE), tuple(OF_PLAYER))
