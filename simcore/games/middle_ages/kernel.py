"""Middle-Ages, whole games: set-up, rounds, the final count."""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages import log
from simcore.games.middle_ages.cards import resolve_event
from simcore.games.middle_ages.effects import effect
from simcore.games.middle_ages.fief import ONE, earn, lane, place
from simcore.games.middle_ages.log import log2, log4
from simcore.games.middle_ages.rows import BLUE, EVENT_DECK, fill_row, place_lord
from simcore.games.middle_ages.state import DOMAINS, EVENTS, REFILLS, ROUNDS, ROWS
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit, popcount
from simcore.kernel.ranking import rank_and_share
from simcore.kernel.streams import shuffle
from simcore.kernel.trace import has_room, put


@kernel
def start(rules, lineup, state, trace):
    """Shuffle, reveal four rows and four Events, and place the Lords in the top row."""
    state.round = 0
    state.circulation = 0
    state.peak_ones = 0
    state.extra_left = rules.extra_tokens
    for domain in range(DOMAINS):
        state.plot_left[domain] = rules.plot_tokens[domain]
    for seat in range(rules.players):
        welcome(rules, state, seat)
    state.peak_coins = state.circulation
    state.drawn = 0
    state.discarded = 0
    state.stacks = 1
    state.stack = rules.blue
    for i in range(rules.blue):
        state.deck[i] = np.uint8(i)
    shuffle(state.rng, BLUE, state.deck, rules.blue, min(rules.blue, ROUNDS * (rules.players + 1)))
    for i in range(rules.cards):
        state.cards[i] = rules.deck[i]
    shuffle(state.rng, EVENT_DECK, state.cards, rules.cards, EVENTS)
    if trace.on:
        put(trace, log.ORDER)
        for number in range(EVENTS):
            put(trace, state.cards[number])
    for row in range(ROWS):
        fill_row(rules, state, row, trace)
    for seat in range(rules.players):
        place_lord(rules, lineup, state, seat, 0, trace)


@kernel
def welcome(rules, state, seat):
    """Give a seat an empty Fief and its starting coins."""
    player = state.players[seat]
    row = player.row
    player.coins = 0
    earn(state, player, rules.coins[seat])
    player.income[0] = np.uint64(0)
    player.income[1] = np.uint64(0)
    player.built = 0
    player.peasants = 0
    player.chests = 0
    player.buried = 0
    player.scout = -1
    player.extras = 0
    player.plots = 0
    row.field_coins = 0
    row.market_coins = 0
    row.mill_robbed = 0
    row.mill_paid = 0
    row.barracks_robbed = 0
    row.barracks_paid = 0
    row.burials = 0
    row.restorations = 0
    row.scouts = 0
    row.scouts_honoured = 0
    row.turn_sum = 0
    for number in range(EVENTS):
        row.event_coins[number] = 0
    for other in range(rules.players):
        row.robbed_from[other] = 0
    for domain in range(DOMAINS):
        player.gain[domain, 0] = rules.gain[domain, 0]
        player.gain[domain, 1] = rules.gain[domain, 1]
        player.tiles[domain] = 0
        player.lists[domain] = rules.lists[domain]
        row.income[domain] = 0
        row.plot_on[domain] = 0


@inlined
def take_turn(rules, lineup, state, seat, column, position, trace):
    """Play one turn: move the Lord on, take the tile that it left, apply its effect, and collect its Income."""
    rnd = state.round
    if rnd < ROUNDS:
        place_lord(rules, lineup, state, seat, rnd & 3, trace)
    row = (rnd - 1) & 3
    player = state.players[seat]
    tile = state.tiles[row, column]
    domain = np.int64(rules.tiles[tile].domain)
    if trace.on:
        log4(trace, log.TAKE, rnd, seat, row, column)
        put(trace, tile)
        put(trace, domain)
    place(rules, player, tile)
    effect(rules, lineup, state, seat, domain, trace)
    collect_income(state, seat, domain, trace)
    own = player.row
    own.turn_sum += position
    own.taken[rnd - 1] = rules.tiles[tile].number
    own.turn[rnd - 1] = position
    own.column[rnd - 1] = column


@inlined
def collect_income(state, seat, domain, trace):
    """Pay the Income of a Domain."""
    player = state.players[seat]
    income = lane(player.income, domain)
    earn(state, player, income)
    player.row.income[domain] += income
    if trace.on:
        counted = 0
        for listed in range(DOMAINS):
            if player.lists[domain] >> listed & 1:
                counted += player.tiles[listed]
        log2(trace, log.INCOME, counted, income)
    state.peak_coins = max(state.peak_coins, state.circulation)


@kernel
def step(rules, lineup, state, trace):
    """Play one round: discard the empty tile, play the turns from left to right, and end the round."""
    state.round += 1
    has_room(trace)
    row = (state.round - 1) & 3
    lords = np.uint64(state.occupied[row])
    empty = lowest_bit(~lords)
    state.discards[state.discarded] = state.tiles[row, empty]
    state.discarded += 1
    log4(trace, log.DISCARD, state.round, row, empty, state.tiles[row, empty])
    for position in range(1, rules.players + 1):
        column = lowest_bit(lords)
        lords &= lords - ONE
        take_turn(rules, lineup, state, np.int64(state.lords[row, column]), column, position, trace)
    end_round(rules, lineup, state, trace)
    return state.round < ROUNDS


@inlined
def end_round(rules, lineup, state, trace):
    """Refill the row, resolve the Event, and record the coins."""
    row = (state.round - 1) & 3
    state.occupied[row] = 0
    if state.round <= REFILLS:
        fill_row(rules, state, row, trace)
    if row == ROWS - 1:
        resolve_event(rules, lineup, state, (state.round >> 2) - 1, trace)
    ones = 0
    if trace.on:
        put(trace, log.ROUND_END)
    for seat in range(rules.players):
        player = state.players[seat]
        player.row.after_round[state.round - 1] = player.coins
        ones += max(player.coins, 0) % 5
        if trace.on:
            put(trace, player.coins)
    state.peak_ones = max(state.peak_ones, ones)


@kernel
def ranking_gap(state, seat, other):
    """Compare two seats: 1, 0 or -1 if the first ranks better, equal or worse, and what decided, as in `tie_break`."""
    first = state.players[seat]
    second = state.players[other]
    if first.coins != second.coins:
        return (1 if first.coins > second.coins else -1), 0
    for step in range(DOMAINS):
        domain = DOMAINS - 1 - step
        if first.tiles[domain] != second.tiles[domain]:
            return (1 if first.tiles[domain] > second.tiles[domain] else -1), step + 1
    return 0, DOMAINS + 1


@kernel
def ahead(state, seat, other):
    """Whether a seat ranks better than another."""
    return ranking_gap(state, seat, other)[0] > 0


@kernel
def settle(rules, lineup, state, trace):
    """Take the penalty, rank the seats and share the win."""
    if trace.on:
        put(trace, log.END)
    for seat in range(rules.players):
        player = state.players[seat]
        row = player.row
        for domain in range(DOMAINS):
            row.tiles[domain] = player.tiles[domain]
            row.extra_on[domain] = player.extras >> domain & 1
        row.penalty = rules.empty_domain_penalty * (DOMAINS - popcount(np.uint64(player.built)))
        if trace.on:
            put(trace, player.coins)
            put(trace, row.penalty)
        player.coins -= row.penalty
        if rules.final_floor:
            player.coins = max(player.coins, 0)
        row.coins = player.coins
        row.extra_tokens = popcount(np.uint64(player.extras))
        row.plot_tokens = popcount(np.uint64(player.plots))
        row.peak_coins = state.peak_coins
        row.peak_ones = state.peak_ones
        for number in range(EVENTS):
            row.events[number] = state.cards[number]
    for seat in range(rules.players):
        row = state.players[seat].row
        row.tie_break = 0
        for other in range(seat):
            decided = ranking_gap(state, seat, other)[1]
            row.tie_break = max(row.tie_break, decided)
            state.players[other].row.tie_break = max(state.players[other].row.tie_break, decided)
    for seat in range(rules.players):
        state.rows[seat] = state.players[seat].row
    rank_and_share(state, rules.players, ahead)
    if trace.on:
        for seat in range(rules.players):
            row = state.rows[seat]
            put(trace, row.coins)
            put(trace, row.place)
            put(trace, row.share60)
