"""Seigneurial: pawns on squares, and what they do there."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.asking import NONE, ONE, ask, tell
from simcore.games.seigneurial.cards import visit_church
from simcore.games.seigneurial.needs import is_barred
from simcore.games.seigneurial.piles import clear_front, draw, in_order
from simcore.games.seigneurial.state import CHURCH, MILL, NOTHING, PLACE, SQUARES, TYPES, WHAT
from simcore.kernel.compilation import apart, inlined, kernel

EACH_TYPE = np.uint64((1 << TYPES) - 1)
EACH_SQUARE = np.uint64((1 << SQUARES) - 1)
FROM_MILL = np.int64(99)
"""Value of `state.op`: the chosen type is that of a card drawn at the Mill."""

# --- positioning ---


@kernel
def place_pawns(rules, lineup, state, seat, trace):
    """Let a tenant place the healthy pawns; for pawns that are ill, one season of waiting is over."""
    player = state.players[seat]
    player.pawns = player.there = 0
    open_squares = EACH_SQUARE & ~np.uint64(player.barred)
    for pawn in range(rules.pawns):
        if player.ill[pawn] > 0:
            player.ill[pawn] -= 1
        elif open_squares != NONE:
            square = ask(rules, lineup, state, seat, PLACE, open_squares)
            open_squares &= ~(ONE << np.uint64(square))
            player.placed[player.pawns] = square
            player.pawns += 1
            player.there |= 1 << square
            state.rows[seat].squares[square] += 1
    if trace.on:
        log.log_squares(trace, seat, player)


# --- what a pawn does ---


@inlined
def land_cards(rules, player, land):
    """Cards that a pawn draws on a land."""
    cards = np.int64(rules.land_cards) + player.yields[land]
    if rules.improvement_needs_pawn and player.improved == land:
        cards += rules.improvement
    return min(max(cards, rules.yield_limits[0]), rules.yield_limits[1])


@apart
def grind(rules, lineup, state, seat, trace):
    """Discard a tenant's zeros, type by type, and let the tenant draw as many cards."""
    for kind in range(TYPES):
        zeros = clear_front(state, seat, kind, trace)
        if rules.mill_redraw == 0:
            if zeros > 0:
                draw(rules, state, seat, np.int64(kind), zeros, log.MILLED, trace)
        else:
            for _ in range(zeros):
                before, state.op = state.op, FROM_MILL
                chosen = tell(rules, lineup, state, seat, WHAT, EACH_TYPE, trace)
                state.op = before
                draw(rules, state, seat, chosen, np.int64(1), log.MILLED, trace)


@kernel
def act(rules, lineup, state, seat, square, trace):
    """Carry out what one of a tenant's pawns does on a square."""
    player = state.players[seat]
    if is_barred(player, square):
        return
    if square == CHURCH:
        visit_church(rules, lineup, state, seat, trace)
    elif square == MILL:
        grind(rules, lineup, state, seat, trace)
    else:
        draw(rules, state, seat, square, land_cards(rules, player, square), log.HARVESTED, trace)


@kernel
def harvest(rules, lineup, state, trace):
    """Let all pawns act, tenant by tenant."""
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        player = state.players[seat]
        for pawn in range(player.pawns):
            act(rules, lineup, state, seat, np.int64(player.placed[pawn]), trace)
        if not rules.improvement_needs_pawn and player.improved != NOTHING:
            draw(rules, state, seat, np.int64(player.improved), np.int64(rules.improvement), log.HARVESTED, trace)
