"""Fief 2: the movement of lords and of the soldiers that go with them."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import agrees, decide, pick_or_none, up_to
from simcore.games.fief_2.holding import leave, settle, stand
from simcore.games.fief_2.log import FREE, log_lord
from simcore.games.fief_2.names import ESCORT, MOVE_LORD, NOBODY, STEP, TAKE
from simcore.games.fief_2.pieces import add_soldiers, first_of, forts, has, seat_at, stands_in
from simcore.kernel.compilation import inlined, kernel


@kernel
def move_all(rules, lineup, state, trace):
    """Let every family move, in turn order."""
    for number in range(rules.players):
        move_family(rules, lineup, state, trace, seat_at(rules, state, number))


@inlined
def movable(rules, state, seat):
    """Set of a family's lords who can move now."""
    found = np.int64(0)
    lords = state.lords[seat] & state.free & ~state.moved
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        if not has(state.stormy, state.where[lord]):
            found |= 1 << lord
    return found


@inlined
def is_contested(rules, state, village, seat):
    """Whether there are rebels or other families' pawns in a village."""
    found = has(state.revolts, village)
    for other in range(rules.players):
        found |= (other != seat) & stands_in(state, village, other)
    return found


@kernel
def move_family(rules, lineup, state, trace, seat):
    """Let a family move its lords one by one."""
    for village in range(rules.villages):
        state.unmoved[village] = state.soldiers[village, seat]
    state.moved &= ~state.lords[seat]
    while True:
        able = movable(rules, state, seat)
        lord = pick_or_none(rules, lineup, state, trace, seat, MOVE_LORD, able)
        if lord < 0:
            return
        party = np.int64(1) << lord
        most = rules.steps
        state.lord = lord
        if lord == state.darc:
            most = rules.darc_steps
            others = able & state.free_at[state.where[lord]] & ~party
            if others and agrees(rules, lineup, state, trace, seat, ESCORT):
                party |= others
        state.moved |= party
        move_lord(rules, lineup, state, trace, seat, lord, party, most)


@kernel
def move_lord(rules, lineup, state, trace, seat, lord, party, most):
    """Let a lord move from village to village, with the lords and soldiers that come along."""
    state.escort = 0
    for done in range(most):
        village = state.where[lord]
        state.lord, state.village, state.steps = lord, village, done
        goal = pick_or_none(rules, lineup, state, trace, seat, STEP, rules.near[village])
        if goal < 0:
            return
        state.goal = goal
        along = state.unmoved[village] if done == 0 else state.escort
        taken = decide(rules, lineup, state, trace, seat, TAKE, up_to(along + 1))
        if done == 0:
            state.unmoved[village] -= taken
        state.escort = taken
        contested = is_contested(rules, state, goal, seat)
        outside = contested & (state.holder[goal] == seat) & has(forts(state), goal)
        add_soldiers(state, trace, village, seat, -taken, TAKE)
        add_soldiers(state, trace, goal, seat, taken, TAKE)
        walkers = party
        while walkers:
            walker = first_of(walkers)
            walkers &= walkers - 1
            leave(state, walker)
            stand(state, walker, goal)
            log_lord(trace, walker, seat, goal, FREE, NOBODY, STEP)
        if outside:
            state.outside[goal] += taken
            state.out_lords |= party
        settle(rules, state, trace, village, STEP)
        settle(rules, state, trace, goal, STEP)
        if contested | has(state.stormy, goal):
            return
