"""Fief 2: what plague, revolt, escape, assassination and justice do."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import pick, pick_or_none, up_to
from simcore.games.fief_2.crown import die
from simcore.games.fief_2.holding import set_free, settle
from simcore.games.fief_2.log import PLAGUE_DIE, PLAY_ZONE, REBELS, REVOLT_DIE, log_die, log_pawns
from simcore.games.fief_2.names import ESCAPE_TO, FROM_CARDS, JUSTICE, JUSTICE_CARD, NOBODY
from simcore.games.fief_2.pieces import (
    add_soldiers,
    first_of,
    has,
    leave_hand,
    lose_kings_guard,
    lose_queens_guard,
    rebel_points,
    seat_at,
    throw_away,
)
from simcore.kernel.compilation import kernel
from simcore.kernel.streams import DICE, bounded

SIDES = np.int64(6)
PLAGUE_NUMBER, REVOLT_NUMBER, CALM_NUMBER = map(np.int64, (1 << 20, 2 << 20, 3 << 20))
"""Numbers of draws that no round of a fight reaches; the slot says what they are for."""


@kernel
def spread_plague(rules, state, trace, card, region, why):
    """Kill half of all soldiers in a region, and every lord for whom a die shows 1 to 3."""
    area = rules.area[region]
    while area:
        village = first_of(area)
        area &= area - 1
        for seat in range(rules.players):
            add_soldiers(state, trace, village, np.int64(seat), -(state.soldiers[village, seat] // 2), why)
        lords = state.free_at[village]
        if state.king >= 0 and has(lords, state.king):
            lose_kings_guard(state, trace, state.kings_guard // 2, why)
        if state.queen >= 0 and has(lords, state.queen):
            lose_queens_guard(state, trace, state.queens_guard // 2, why)
        lords |= state.captive_at[village]
        while lords:
            lord = first_of(lords)
            lords &= lords - 1
            die_cast = 1 + bounded(state.rng, DICE, state.turn << 10 | card << 4 | lord, PLAGUE_NUMBER, SIDES)
            log_die(trace, PLAGUE_DIE, lord, die_cast)
            if die_cast <= 3:
                die(rules, state, trace, lord, why)
        settle(rules, state, trace, village, why)


@kernel
def stir_revolt(rules, state, trace, card, village, why):
    """Let rebels rise in a village."""
    number = 1 + bounded(state.rng, DICE, state.turn << 5 | village, REVOLT_NUMBER, SIDES)
    log_die(trace, REVOLT_DIE, NOBODY, number)
    state.revolt[village] = card
    points = min(number, rules.rebels - rebel_points(state))
    state.revolts |= 1 << village
    state.rebels[village] = points
    log_pawns(trace, NOBODY, village, REBELS, points, why)


@kernel
def release(rules, lineup, state, trace, seat, village, why):
    """Let all lords of a family who are prisoners in a village escape to another village."""
    state.village = village
    goal = pick(rules, lineup, state, trace, seat, ESCAPE_TO, up_to(rules.villages))
    lords = state.captive_at[village] & state.lords[seat]
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        set_free(state, trace, lord, goal, why)
    settle(rules, state, trace, goal, why)


@kernel
def kill(rules, state, trace, lord, why):
    """Let a single lord die, and settle the village where he was."""
    village = state.where[lord]
    die(rules, state, trace, lord, why)
    settle(rules, state, trace, village, why)


@kernel
def murder(rules, lineup, state, trace, seat, lord, why):
    """Murder a lord; another family may then have one of the murderer's lords condemned."""
    family = state.family[lord]
    kill(rules, state, trace, lord, why)
    for number in range(rules.players):
        other = seat_at(rules, state, number)
        place = place_of(rules, state, other, JUSTICE_CARD)
        if (other != seat) & (place >= 0):
            state.rival, state.goal, state.other = seat, family, lord
            victim = pick_or_none(rules, lineup, state, trace, other, JUSTICE, guilty(state, seat))
            if victim >= 0:
                card = leave_hand(state, trace, other, place, PLAY_ZONE, JUSTICE)
                state.rows[other].played[JUSTICE_CARD] += 1
                kill(rules, state, trace, victim, FROM_CARDS + JUSTICE_CARD)
                throw_away(state, trace, card, FROM_CARDS + JUSTICE_CARD)
                return


@kernel
def place_of(rules, state, seat, kind):
    """The position of a family's first card of a kind in its hand, or NOBODY."""
    for place in range(state.cards[seat]):
        if rules.kind[state.hand[seat, place]] == kind:
            return np.int64(place)
    return NOBODY


@kernel
def guilty(state, seat):
    """Set of the lords of a family who may be condemned: not the King, the Regent or the Prince."""
    found = state.lords[seat]
    if state.king >= 0:
        found &= ~(1 << state.king)
    if state.regency:
        found &= ~(1 << state.queen)
    if state.prince >= 0:
        found &= ~(1 << state.prince)
    return found
