"""Middle-Ages: the special effects of the eight Domains."""

from __future__ import annotations

import numpy as np

from simcore.kernel.decisions import choose
from simcore.games.middle_ages import log
from simcore.games.middle_ages.fief import add_lane, bury, earn, restore, rob, slot_rate
from simcore.games.middle_ages.log import log1, log2
from simcore.games.middle_ages.state import (
    ONE_A_SLOT,
    UNLIMITED,
    BARRACKS,
    CEMETERY,
    CHURCH,
    DOMAINS,
    EXTRA,
    FIELD,
    MARKET,
    MILL,
    PLOT,
    RAMPART,
    ROBBERY,
    ROUNDS,
    SCOUT,
    VILLAGE,
)
from simcore.kernel.compilation import inlined
from simcore.kernel.intrinsics import lowest_bit
from simcore.kernel.lineup import forgoes
from simcore.kernel.trace import put


@inlined
def effect(rules, lineup, state, seat, domain, trace):
    """Apply the special effect of the tile just placed."""
    player = state.players[seat]
    if domain == FIELD:
        coins = rules.per_peasant * player.peasants
        earn(state, player, coins)
        player.row.field_coins += coins
        log1(trace, log.COINS, coins)
    elif domain == MILL:
        raid_mills(rules, lineup, state, seat, trace)
    elif domain == VILLAGE:
        tile = -1
        if player.buried > 0 and rules.village_restores and not forgoes(lineup, seat, CEMETERY):
            tile = restore(rules, lineup, state, seat, state.round >> 2, 4 + (state.round & 3))
        log1(trace, log.RESTORED, tile)
    elif domain == RAMPART:
        send_scout(rules, lineup, state, seat, trace)
    elif domain == MARKET:
        coins = rules.per_chest * player.chests
        earn(state, player, coins)
        player.row.market_coins += coins
        log1(trace, log.COINS, coins)
    elif domain == BARRACKS:
        attack(rules, lineup, state, seat, trace)
    elif domain == CHURCH:
        add_extra_coin(rules, lineup, state, seat, trace)
    else:
        add_plot(rules, lineup, state, seat, trace)


@inlined
def raid_mills(rules, lineup, state, seat, trace):
    """Take coins from every opponent with fewer Mills."""
    player = state.players[seat]
    mills = 0 if forgoes(lineup, seat, ROBBERY) else player.tiles[MILL]
    if trace.on:
        put(trace, log.PAID)
    for other in range(rules.players):
        victim = state.players[other]
        hit = victim.tiles[MILL] < mills
        coins = rob(rules, state, seat, other, rules.mill_coins if hit else np.int64(0))
        player.row.mill_robbed += coins
        victim.row.mill_paid += coins
        if trace.on and hit:
            put(trace, other)
            put(trace, coins)
    if trace.on:
        put(trace, -1)


@inlined
def attack(rules, lineup, state, seat, trace):
    """Take a tile and coins from every opponent who has fewer Ramparts than the seat has Barracks."""
    player = state.players[seat]
    force = 0 if forgoes(lineup, seat, ROBBERY) else player.tiles[BARRACKS]
    if trace.on:
        put(trace, log.HIT)
    for other in range(rules.players):
        victim = state.players[other]
        if victim.tiles[RAMPART] < force and other != seat:
            tile = -1
            if rules.barracks_buries and victim.built:
                domain = lowest_bit(np.uint64(victim.built))
                tile = np.int64(bury(rules, state, other, domain, victim.tiles[domain] - 1))
            coins = rob(rules, state, seat, other, rules.barracks_coins)
            player.row.barracks_robbed += coins
            victim.row.barracks_paid += coins
            if trace.on:
                put(trace, other)
                put(trace, tile)
                put(trace, coins)
    if trace.on:
        put(trace, -1)


@inlined
def scout_options(rules, state):
    """Free tiles of the two rows after next, as moves."""
    board = (1 << (rules.players + 1)) - 1
    legal = 0
    for ahead in range(2):
        if state.round + 2 + ahead <= ROUNDS:
            row = (state.round + 1 + ahead) & 3
            legal |= (board & ~state.reserved[row] & ~state.occupied[row]) << (8 * ahead)
    return np.uint64(legal)


@inlined
def send_scout(rules, lineup, state, seat, trace):
    """Let a seat reserve a tile with its Scout."""
    legal = scout_options(rules, state)
    if legal != np.uint64(0) and rules.rampart_scouts and not forgoes(lineup, seat, SCOUT):
        move = choose(rules, lineup, state, seat, SCOUT, legal, state.round >> 2, 4 + (state.round & 3))
        post_scout(state, seat, move, trace)
    else:
        log2(trace, log.SCOUT, -1, -1)


@inlined
def post_scout(state, seat, move, trace):
    """Reserve the tile of a SCOUT move."""
    player = state.players[seat]
    if player.scout >= 0:
        state.reserved[player.scout >> 3] &= ~(1 << (player.scout & 7))
    row = (state.round + 1 + (move >> 3)) & 3
    column = move & 7
    state.reserved[row] |= 1 << column
    player.scout = row * 8 + column
    player.row.scouts += 1
    log2(trace, log.SCOUT, row, column)


@inlined
def add_extra_coin(rules, lineup, state, seat, trace):
    """Let a seat put an extra-coin token under a Domain."""
    player = state.players[seat]
    closed = player.extras | player.plots if rules.slot_capacity == ONE_A_SLOT else player.extras
    legal = np.uint64(~closed & 0xFF)
    if state.extra_left > 0 and legal != np.uint64(0) and not forgoes(lineup, seat, EXTRA):
        slot = choose(rules, lineup, state, seat, EXTRA, legal, state.round >> 2, 4 + (state.round & 3))
        lay_extra_coin(rules, state, seat, slot, trace)
    else:
        log1(trace, log.EXTRA, -1)


@inlined
def lay_extra_coin(rules, state, seat, slot, trace):
    """Put an extra-coin token in a slot."""
    player = state.players[seat]
    state.extra_left -= 1
    player.extras |= 1 << slot
    counted = 0
    for domain in range(DOMAINS):
        if player.lists[slot] >> domain & 1:
            counted += player.tiles[domain]
            add_lane(player.gain[domain], slot, rules.extra_coin)
    add_lane(player.income, slot, rules.extra_coin * counted)
    log1(trace, log.EXTRA, slot)


@inlined
def plot_options(rules, state, player):
    """Legal (slot, token) pairs, as moves."""
    closed = player.extras | player.plots if rules.slot_capacity == ONE_A_SLOT else player.plots
    supply = 0
    for domain in range(DOMAINS):
        if state.plot_left[domain] > 0 or rules.plot_token_supply == UNLIMITED:
            supply |= 1 << domain
    legal = np.uint64(0)
    for slot in range(DOMAINS):
        if not closed >> slot & 1:
            legal |= np.uint64(supply & ~player.lists[slot] & 0xFF) << np.uint64(8 * slot)
    return legal


@inlined
def add_plot(rules, lineup, state, seat, trace):
    """Let a seat put a plot token under a Domain."""
    player = state.players[seat]
    legal = plot_options(rules, state, player)
    if legal != np.uint64(0) and not forgoes(lineup, seat, PLOT):
        move = choose(rules, lineup, state, seat, PLOT, legal, state.round >> 2, 4 + (state.round & 3))
        lay_plot(rules, state, seat, move, trace)
    else:
        log2(trace, log.PLOT, -1, -1)


@inlined
def lay_plot(rules, state, seat, move, trace):
    """Put the plot token of a PLOT move in its slot."""
    player = state.players[seat]
    slot = move >> 3
    token = move & 7
    if rules.plot_token_supply != UNLIMITED:
        state.plot_left[token] -= 1
    player.plots |= 1 << slot
    player.lists[slot] |= np.uint8(1 << token)
    rate = slot_rate(rules, player, slot)
    add_lane(player.gain[token], slot, rate)
    add_lane(player.income, slot, rate * player.tiles[token])
    player.row.plot_on[slot] = 1 + token
    log2(trace, log.PLOT, slot, token)
