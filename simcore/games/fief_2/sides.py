"""Fief 2: the two sides of a fight: who fights, with how many points, and what they lose."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.crown import die
from simcore.games.fief_2.holding import capture
from simcore.games.fief_2.log import REBELS, log_pawns
from simcore.games.fief_2.names import COMBAT, FROM_PHASES, GRANT_GRACE, NOBODY, ONE, ZERO
from simcore.games.fief_2.pieces import (
    add_soldiers,
    first_of,
    guards,
    has,
    lord_worth,
    lose_kings_guard,
    lose_queens_guard,
    own_free,
    points_inside,
    points_of,
    seat_at,
    stands_in,
    throw_away,
)
from simcore.kernel.compilation import inlined, kernel

ATTACKER, DEFENDER = map(np.int64, range(2))  # sides
WHY = FROM_PHASES + COMBAT


@inlined
def fighting_points(state, village, seat, inside):
    """Points with which a family fights."""
    return points_inside(state, village, seat) if inside else points_of(state, village, seat)


@inlined
def fighting_lords(state, village, seat, inside):
    """Set of the lords with which a family fights."""
    return own_free(state, village, seat) & (~state.out_lords if inside else np.int64(-1))


@kernel
def side_points(state, village, side):
    """Points of a side; a side without a family is the rebels."""
    seats = state.side[side]
    if seats == 0:
        return state.rebels[village]
    points = np.int64(0)
    while seats:
        points += fighting_points(state, village, first_of(seats), (side == DEFENDER) & (state.inside != 0))
        seats &= seats - 1
    return points


@kernel
def side_lords(state, village, side):
    """Set of the lords who fight on a side."""
    found = np.int64(0)
    seats = state.side[side]
    while seats:
        found |= fighting_lords(state, village, first_of(seats), (side == DEFENDER) & (state.inside != 0))
        seats &= seats - 1
    return found


@kernel
def speaker(rules, state, village, side, principal):
    """The family that decides for a side: the principal or, if it has no pawns left, the first ally that has some."""
    if stands_in(state, village, principal):
        return principal
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        if has(state.side[side], seat) and stands_in(state, village, seat):
            return seat
    return principal


# --- losses ---


@kernel
def next_to_die(rules, state, lords):
    """The lord of a set who dies first: those outside first, then the lowest worth, then the highest number."""
    if lords & state.out_lords:
        lords &= state.out_lords
    best, least = NOBODY, np.int64(1 << 40)
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        worth = lord_worth(rules, state, lord)
        if worth <= least:
            best, least = lord, worth
    return best


@kernel
def lose(rules, state, trace, village, seat, count, inside):
    """Take points from a family: soldiers, guards, then lords; return how many it had to lose."""
    lost = np.int64(0)
    while lost < count:
        outside = state.outside[village] if state.holder[village] == seat else ZERO
        soldiers = state.soldiers[village, seat] - (outside if inside else ZERO)
        left = count - lost
        if soldiers > 0:
            fallen = min(soldiers, left)
            add_soldiers(state, trace, village, seat, -fallen, WHY)
            if not inside and outside > 0:
                state.outside[village] = max(outside - fallen, ZERO)
            state.rows[seat].soldiers_lost += fallen
            lost += fallen
            continue
        lords = fighting_lords(state, village, seat, inside)
        if lords == 0:
            break
        if guards(state, lords) == 0:
            die(rules, state, trace, next_to_die(rules, state, lords), WHY)
            lost += 1
        elif state.queen >= 0 and has(lords, state.queen) and state.queens_guard > 0:
            fallen = min(state.queens_guard, left)
            lose_queens_guard(state, trace, fallen, WHY)
            lost += fallen
        else:
            fallen = min(state.kings_guard, left)
            lose_kings_guard(state, trace, fallen, WHY)
            lost += fallen
    return lost


@kernel
def lose_rebels(state, trace, village, count, why):
    """Remove rebels; without rebels, the revolt is over.  Return how many there were to remove."""
    lost = min(count, state.rebels[village])
    if lost > 0:
        state.rebels[village] -= lost
        log_pawns(trace, NOBODY, village, REBELS, -lost, why)
        if state.rebels[village] == 0:
            state.revolts &= ~(1 << village)
            throw_away(state, trace, state.revolt[village], why)
            state.revolt[village] = NOBODY
    return lost


@kernel
def side_loses(rules, state, trace, village, side, principal, count):
    """Take points from a side, one at a time in turn if it has allies, the principal first; return how many."""
    seats = state.side[side]
    inside = (side == DEFENDER) & (state.inside != 0)
    if principal < 0:
        return lose_rebels(state, trace, village, count, WHY)
    if seats & (seats - 1) == 0:
        return lose(rules, state, trace, village, principal, count, inside)
    lost, found = ZERO, ONE
    while (lost < count) & (found > 0):
        found = lose(rules, state, trace, village, principal, ONE, inside)
        for number in range(rules.players):
            seat = seat_at(rules, state, number)
            if (seat != principal) & has(seats, seat) and lost + found < count:
                found += lose(rules, state, trace, village, seat, ONE, inside)
        lost += found
    return lost


@kernel
def surrender(rules, state, trace, village, side, captor):
    """Let a side surrender: its soldiers and guards die, and its lords become prisoners."""
    seats = state.side[side]
    inside = (side == DEFENDER) & (state.inside != 0)
    while seats:
        seat = first_of(seats)
        seats &= seats - 1
        lords = fighting_lords(state, village, seat, inside)
        soldiers = state.soldiers[village, seat] - (state.outside[village] if inside else ZERO)
        state.rows[seat].soldiers_lost += soldiers
        add_soldiers(state, trace, village, seat, -soldiers, GRANT_GRACE)
        while lords:
            lord = first_of(lords)
            lords &= lords - 1
            capture(state, trace, lord, captor, state.side[1 - side], GRANT_GRACE)
