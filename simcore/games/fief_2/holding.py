"""Fief 2: who holds a village, what happens to prisoners whose captor has gone, and lords who come and go."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.log import (
    FIRST_TITLE,
    FREE,
    KINGS_GUARD,
    PRISONER,
    QUEENS_GUARD,
    log_holder,
    log_lord,
    log_pawns,
    log_red,
)
from simcore.games.fief_2.names import NOBODY, WITH_CITY, ZERO
from simcore.games.fief_2.pieces import (
    first_of,
    has,
    lose_kings_guard,
    lose_queens_guard,
    points_of,
    seat_at,
    stands_in,
)
from simcore.kernel.compilation import inlined, kernel


@kernel
def set_holder(rules, state, trace, village, seat, why):
    """Give a village another holder, or none (NOBODY); whoever takes another family's city takes its title away."""
    before = state.holder[village]
    if before == seat:
        return
    if before >= 0:
        state.held[before] &= ~(1 << village)
    state.holder[village] = seat
    state.outside[village] = 0
    state.out_lords &= ~state.free_at[village]
    log_holder(trace, village, seat)
    if seat < 0:
        return
    state.held[seat] |= 1 << village
    if rules.title_loss == WITH_CITY and has(state.cities, village):
        region = rules.region[village]
        owner = state.owner[region]
        family = state.family[owner] if owner >= 0 else state.keeper[region]
        if family >= 0 and family != seat:
            if owner >= 0:
                state.crowns[owner] &= ~(1 << region)
            state.owner[region] = state.keeper[region] = NOBODY
            log_red(trace, FIRST_TITLE + region, NOBODY, NOBODY, why)


@kernel
def strongest(rules, state, village):
    """The family with the most points in a village, the first in turn order among equals; NOBODY if there is none."""
    best, most = NOBODY, ZERO
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        points = points_of(state, village, seat)
        if points > most:
            best, most = seat, points
    return best


@kernel
def settle(rules, state, trace, village, why):
    """Settle who holds a village, after settling who holds its prisoners."""
    holder = state.holder[village]
    stays = holder >= 0 and stands_in(state, village, holder)
    captives = state.captive_at[village]
    if stays and captives == 0:
        return
    if not stays:
        holder = strongest(rules, state, village)
    freed = False
    while captives:
        lord = first_of(captives)
        captives &= captives - 1
        captor = state.captor[lord]
        if not stands_in(state, village, captor):
            family = state.family[lord]
            if (holder < 0) | (holder == family):
                set_free(state, trace, lord, village, why)
                freed = True
            else:
                state.captor[lord] = holder
                state.captors[lord] = 1 << holder
                log_lord(trace, lord, family, village, PRISONER, holder, why)
    if freed and holder < 0:
        holder = strongest(rules, state, village)
    set_holder(rules, state, trace, village, holder, why)


@kernel
def set_free(state, trace, lord, village, why):
    """Free a prisoner, in a village."""
    bit = np.int64(1) << lord
    state.captive_at[state.where[lord]] &= ~bit
    state.captive &= ~bit
    state.captor[lord] = NOBODY
    state.captors[lord] = 0
    stand(state, lord, village)
    log_lord(trace, lord, state.family[lord], village, FREE, NOBODY, why)


@inlined
def stand(state, lord, village):
    """Put a free lord into a village."""
    bit = np.int64(1) << lord
    state.where[lord] = village
    state.free |= bit
    state.free_at[village] |= bit


@inlined
def leave(state, lord):
    """Take a free lord out of his village."""
    bit = np.int64(1) << lord
    state.free &= ~bit
    state.free_at[state.where[lord]] &= ~bit
    state.out_lords &= ~bit


@kernel
def capture(state, trace, lord, captor, captors, why):
    """Take a free lord prisoner where he is; his guards die."""
    if lord == state.king:
        lose_kings_guard(state, trace, state.kings_guard, why)
    if lord == state.queen:
        lose_queens_guard(state, trace, state.queens_guard, why)
    leave(state, lord)
    bit = np.int64(1) << lord
    state.captive |= bit
    state.captive_at[state.where[lord]] |= bit
    state.captor[lord] = captor
    state.captors[lord] = captors
    state.rows[state.family[lord]].captured += 1
    log_lord(trace, lord, state.family[lord], state.where[lord], PRISONER, captor, why)


@inlined
def guard_king(rules, state, trace, why):
    """Give a new King his guard, unless he is a prisoner."""
    if has(state.free, state.king):
        state.kings_guard = rules.king_guard
        log_pawns(trace, state.family[state.king], state.where[state.king], KINGS_GUARD, state.kings_guard, why)


@inlined
def guard_queen(rules, state, trace, why):
    """Give a new Queen her guard, unless she is a prisoner."""
    if has(state.free, state.queen):
        state.queens_guard = rules.queen_guard
        log_pawns(trace, state.family[state.queen], state.where[state.queen], QUEENS_GUARD, state.queens_guard, why)
