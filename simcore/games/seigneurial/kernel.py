"""Seigneurial: set-up, the steps of a season, the due of winter, and the end."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.cards import (
    FIRST_DICE, NONE, ONE, ask, ask_and_tell, deal_objective, discard_card, discard_from, draw_lord_card, fill_piles,
    in_order, missing, rent_short, set_up_cards, several,
)  # fmt: skip
from simcore.games.seigneurial.effects import EACH_TYPE, harvest, open_window, part_with, place_pawns, sicken
from simcore.games.seigneurial.rent import ask_for_rent, clear_table, collect, pay, reward
from simcore.games.seigneurial.state import (
    BY_LIMIT, BY_OBJECTIVE, BY_TRACK, COURSE, CROWN, DRAWS, FACES, HARVEST, IMPROVE, KINDS, LORD, NOTHING, PAYMENT,
    PAY_DUE, PROGRESS, RENT, SEASON, SEASON_NOTE, SPRING, STANDING, TYPES, VALUES, WINTER,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.streams import DICE, bounded
from simcore.kernel.trace import NO_SEAT, has_room, note, tell


# --- The due of winter ---


REFUSE_OR_PAY = np.uint64(3)


@inlined
def sums(player, without):
    """The sums that some cards of a hand can make, as bits; one card of a given face may be left out."""
    made = ONE
    for face in range(FACES):
        cards, value = player.hand[face] - np.int64(face == without), np.uint64(face % VALUES)
        for copy in range(2):  # most hands have no more of a face, and a number of turns is hard to guess
            made |= made << (value if cards > copy else np.uint64(0))
        for _ in range(2, cards):
            made |= made << value
    return made


@inlined
def makes(sums, points):
    """Whether a sum is one of those that the cards can make."""
    return (sums >> np.uint64(points)) & ONE != NONE


@kernel
def payable(player, owed):
    """Faces with which a tenant can continue to pay, as moves: an exact sum stays possible, or one card exceeds it."""
    found = NONE
    exact = makes(sums(player, np.int64(-1)), owed)
    for face in range(FACES):
        if player.hand[face] > 0:
            value = face % VALUES
            if exact:
                fits = value <= owed and makes(sums(player, np.int64(face)), owed - value)
            else:
                fits = value > owed
            found |= np.uint64(fits) << np.uint64(face)
    return found


@inlined
def pay_due(rules, lineup, state, seat, trace):
    """Let a tenant pay card by card."""
    while state.owed > 0:
        legal = payable(state.players[seat], np.int64(state.owed))
        face = part_with(rules, lineup, state, seat, legal, trace)
        state.owed -= face % VALUES
        discard_from(state, seat, face, log.WINTERED, trace)


@inlined
def fall_ill(rules, state, seat, trace):
    """Let a healthy pawn, if there is one, of a tenant who did not pay fall ill."""
    if sicken(rules, state, seat, rules.illness):
        tell(trace, log.ILL, seat, rules.illness)


@kernel
def winter(rules, lineup, state, trace):
    """Let each tenant pay the due of winter or refuse."""
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        player = state.players[seat]
        if player.waived:
            continue
        state.owed = rules.due
        if payable(player, np.int64(rules.due)) == NONE:
            state.rows[seat].unable += 1
            fall_ill(rules, state, seat, trace)
        elif ask_and_tell(rules, lineup, state, seat, PAY_DUE, REFUSE_OR_PAY, trace):
            pay_due(rules, lineup, state, seat, trace)
        else:
            state.rows[seat].refusals += 1
            fall_ill(rules, state, seat, trace)


# --- Set-up, the steps of a season, and the end ---


# --- set-up ---


@kernel
def start(rules, lineup, state, trace):
    """Shuffle everything, and deal each tenant an Objective."""
    state.season = state.dice = state.over = state.halfway = state.after = state.obtained = 0
    state.phase = SEASON
    state.square = rules.start_square
    state.window = state.card = state.op = state.target = state.winner = state.type = NOTHING
    state.n = state.owed = state.quarter = 0
    state.first = 1
    state.seen[:] = NOTHING
    state.order[:] = 0
    state.scratch[:] = 0
    for seat in range(rules.players):
        state.rows[seat] = state.no_row
        state.players[seat] = state.no_player
        state.players[seat].improved = NOTHING
    begin_counts(state)
    fill_piles(rules, state, trace)
    set_up_cards(rules, state, trace)
    for seat in range(1, rules.players):
        deal_objective(state, np.int64(seat), trace)


@inlined
def begin_counts(state):
    """Clear the rent of the previous season."""
    state.asked[:] = 0
    state.demand[:] = 0
    state.got[:] = 0
    state.dice = state.changed = state.rent = state.lays = state.keeps = 0


# --- steps of a season ---


@inlined
def begin_season(rules, state, trace):
    """Draw the first tenant, and clear the effects that lasted for the previous season."""
    state.season += 1
    state.quarter = (state.season - 1) % 4
    state.after = state.halfway
    tenants = np.int64(rules.players) - 1
    if rules.first_tenant == 0:
        state.first = 1 + bounded(state.rng, DICE, FIRST_DICE, np.int64(state.season), tenants)
    else:
        state.first = 1 + ((state.season - 1) % tenants if rules.first_tenant == 1 else 0)
    begin_counts(state)
    for seat in range(1, rules.players):
        player = state.players[seat]
        player.pawns = player.there = player.barred = player.shelter = player.inspected = player.draws = 0
        player.gagged = player.warded = player.waived = player.plays = player.lays = player.passed = 0
        for kind in range(TYPES):
            player.yields[kind] = player.laid[kind] = player.given[kind] = 0
    has_room(trace)
    tell(trace, log.SEASON_BEGINS, state.quarter, state.first)


@inlined
def open_season(rules, lineup, state, trace):
    """Begin a season: the lord draws in spring, and the due is paid in winter."""
    begin_season(rules, state, trace)
    if state.quarter == SPRING:
        for _ in range(rules.players - rules.lord_draw):
            draw_lord_card(state, log.YEAR, trace)
    open_window(rules, lineup, state, SEASON, trace)
    if state.quarter == WINTER and rules.due > 0:
        winter(rules, lineup, state, trace)


@inlined
def take_positions(rules, lineup, state, trace):
    """Let all tenants place their pawns."""
    for number in range(rules.players - 1):
        place_pawns(rules, lineup, state, in_order(rules, state, number), trace)
    open_window(rules, lineup, state, HARVEST, trace)


@inlined
def levy(rules, lineup, state, trace):
    """Let the lord draw cards for the missing rent, and clear the table."""
    open_window(rules, lineup, state, DRAWS, trace)
    if rent_short(state):
        collect(rules, lineup, state, trace)
    state.obtained = np.int32(not rent_short(state))
    clear_table(rules, state, trace)


@apart
def improve_lands(rules, lineup, state, trace):
    """Let each tenant improve a land."""
    state.halfway = 1
    state.rows[LORD].half = state.season
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        land = ask_and_tell(rules, lineup, state, seat, IMPROVE, EACH_TYPE, trace)
        state.players[seat].improved = land
        state.rows[seat].improved = 1 + land


@inlined
def leading(rules, state):
    """The tenants who have met their Objectives and have the most, as bits."""
    most = np.int64(-1)
    found = NONE
    for seat in range(1, rules.players):
        player = state.players[seat]
        if missing(rules, player) == 0:
            points = np.int64(player.points[0]) + player.points[1] + player.points[2]
            held = np.int64(player.resources) if rules.most else points
            if held > most:
                most, found = held, NONE
            if held == most:
                found |= ONE << np.uint64(seat)
    return found


@inlined
def find_winner(rules, lineup, state, trace):
    """Find out whether the lord or a tenant has won."""
    if state.square >= rules.end:
        state.over, state.winner = BY_TRACK, LORD
        return
    tied = leading(rules, state)
    if tied != NONE:
        state.over = BY_OBJECTIVE
        state.winner = ask(rules, lineup, state, LORD, CROWN, tied)
        if several(tied):
            tell(trace, log.ACTION, LORD, CROWN, state.winner)


@inlined
def end_year(state, trace):
    """Let the lord discard his hand."""
    player = state.players[LORD]
    for kind in range(KINDS):
        for _ in range(player.own[kind]):
            discard_card(state, LORD, np.int64(kind), log.YEAR, trace)


@inlined
def close_season(rules, lineup, state, trace):
    """Let the lord advance, and end the season."""
    open_window(rules, lineup, state, PROGRESS, trace)
    row = state.rows[LORD]
    if state.obtained:
        state.square = min(state.square + rules.step, rules.end)
        row.obtained += 1
    else:
        row.failed += 1
    tell(trace, log.ADVANCED, state.obtained, state.square)
    if not state.halfway and state.square >= rules.middle:
        improve_lands(rules, lineup, state, trace)
    find_winner(rules, lineup, state, trace)
    if not state.over:
        if state.quarter == WINTER:
            end_year(state, trace)
        if state.season >= rules.max_seasons:
            state.over = BY_LIMIT
    keep_course(rules, state)
    if trace.on:
        log.log_season_end(rules, state, trace)
    if trace.noting:
        note_season(rules, state, trace)


@inlined
def keep_course(rules, state):
    """Store how a season ended, for the first seasons."""
    if state.season <= COURSE:
        state.rows[LORD].course[state.season - 1] = state.square
        for seat in range(1, rules.players):
            state.rows[seat].course[state.season - 1] = missing(rules, state.players[seat])


@apart
def note_season(rules, state, trace):
    """Record the events at the end of a season."""
    note(trace, state.season, NO_SEAT, SEASON_NOTE, state.square, state.obtained, state.rent)
    for seat in range(1, rules.players):
        player = state.players[seat]
        points = player.points[0] + player.points[1] + player.points[2]
        note(trace, state.season, seat, STANDING, missing(rules, player), points, player.favour)


@kernel
def step(rules, lineup, state, trace):
    """Play one step of the season; the steps have the numbers of their windows."""
    phase = state.phase
    if phase == SEASON:
        open_season(rules, lineup, state, trace)
    elif phase == HARVEST:
        take_positions(rules, lineup, state, trace)
    elif phase == RENT:
        harvest(rules, lineup, state, trace)
        open_window(rules, lineup, state, RENT, trace)
        ask_for_rent(rules, lineup, state, trace)
    elif phase == PAYMENT:
        open_window(rules, lineup, state, PAYMENT, trace)
        pay(rules, lineup, state, trace)
        reward(rules, lineup, state, trace)
    elif phase == DRAWS:
        levy(rules, lineup, state, trace)
    else:
        close_season(rules, lineup, state, trace)
    if trace.on:
        has_room(trace)
    state.phase = phase + 1 if phase < PROGRESS else SEASON
    return state.over == 0 and state.fault == 0


@kernel
def settle(rules, lineup, state, trace):
    """Give the win to the winner, or equal parts of it to everybody if nobody won."""
    for seat in range(rules.players):
        row, player = state.rows[seat], state.players[seat]
        won = seat == state.winner
        if state.winner == NOTHING:
            row.place, row.share60 = 1, 60 // rules.players
        else:
            row.place, row.share60 = 1 if won else 2, 60 if won else 0
        row.ending, row.seasons, row.square = state.over, state.season, state.square
        row.half = state.rows[LORD].half
        if seat != LORD:
            row.objective = 1 + player.objective
            row.missing = missing(rules, player)
            row.resources = player.resources
            row.held = player.points[0] + player.points[1] + player.points[2]
            for kind in range(TYPES):
                row.points[kind] = player.points[kind]
    tell(trace, log.END, state.over, state.winner)
    for seat in range(rules.players):
        tell(trace, state.rows[seat].share60)
