"""Fief 2: what policies need to know about the table: who leads, what regions are worth, where a lord could go."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.state import NOBODY
from simcore.games.fief_2.pieces import (
    first_of,
    forts,
    has,
    is_banked,
    pawns_of,
    points_of,
    scores_now,
    size_of,
    stands_in,
)
from simcore.kernel.compilation import inlined, kernel

FAR, NEVER = np.int64(9), np.int64(1 << 40)


@kernel
def standing(rules, state, seat):
    """A family's score plus what it would score now."""
    return state.score[seat] + scores_now(rules, state, seat)


@kernel
def leader(rules, state, seat):
    """The other family with the highest standing; the next seat among equals."""
    best, most = NOBODY, -NEVER
    for step in range(1, rules.players):
        other = (seat + step) % rules.players
        points = standing(rules, state, other)
        if points > most:
            best, most = other, points
    return best


@inlined
def industry(state, villages):
    """Mills and presses in some villages."""
    return size_of(state.mills & villages) + size_of(state.presses & villages)


@kernel
def all_held(rules, state):
    """The set of all villages that somebody holds."""
    found = np.int64(0)
    for seat in range(rules.players):
        found |= state.held[seat]
    return found


@kernel
def points_in(state, area, seat):
    """Points of a family in some villages."""
    points = np.int64(0)
    area &= pawns_of(state, seat)
    while area:
        points += points_of(state, first_of(area), seat)
        area &= area - 1
    return points


@inlined
def is_whole(rules, state, seat, region):
    """Whether a family holds all villages of a region whose title is in the bank."""
    return (rules.area[region] & ~state.held[seat] == 0) & is_banked(state, region)


@kernel
def most_soldiers_at(state, seat, villages):
    """The village with the most own soldiers in a set that is not empty."""
    best, most = NOBODY, NOBODY
    while villages:
        village = first_of(villages)
        villages &= villages - 1
        if state.soldiers[village, seat] > most:
            best, most = village, state.soldiers[village, seat]
    return best


@kernel
def best_home(state, seat, villages):
    """The village with the most own soldiers among the own forts in some villages, or else among these villages."""
    own = villages & state.held[seat] & forts(state)
    return most_soldiers_at(state, seat, own if own else villages)


@inlined
def others_in(rules, state, village, seat):
    """Points of all other families in a village."""
    points = np.int64(0)
    for other in range(rules.players):
        if other != seat:
            points += points_of(state, village, np.int64(other))
    return points


@inlined
def is_clear(rules, state, village, seat):
    """Whether there are neither rebels nor other families' pawns in a village."""
    clear = not has(state.revolts, village)
    for other in range(rules.players):
        clear &= (other == seat) | (not stands_in(state, village, np.int64(other)))
    return clear


@inlined
def spare_at(state, village, seat, first):
    """Own soldiers who may leave a village: on the first step, only those who have not moved; some must stay."""
    there = state.unmoved[village] if first else state.soldiers[village, seat]
    return there - (np.int64(3) if has(forts(state), village) else np.int64(1))


@kernel
def goal_from(rules, state, seat, village, spare):
    """The village to go to: in the region with the fewest missing villages, then the nearest one; or NOBODY."""
    goal, least = NOBODY, NEVER
    held = all_held(rules, state)
    for region in range(rules.regions):
        area = rules.area[region]
        own = size_of(area & state.held[seat])
        missing = (rules.size[region] - own if own else FAR) * 64
        if missing > least:
            continue
        places = area & ~state.revolts & ~state.stormy & ~state.held[seat]
        while places:
            place = first_of(places)
            places &= places - 1
            rank = missing + rules.way[village, place]
            if rank < least:
                fit = True
                if has(held, place):
                    weaker = own > size_of(area & state.held[state.holder[place]])
                    fit = weaker & (not has(forts(state), place))
                if fit and 3 * others_in(rules, state, place, seat) <= spare + 1:
                    goal, least = place, rank
    return goal


@kernel
def goal_of(rules, state, seat, village, first):
    """The village to which the soldiers of a village should be led; NOBODY if they stay."""
    spare = spare_at(state, village, seat, first)
    if spare < 1 or (first and not is_clear(rules, state, village, seat)):
        return NOBODY
    return goal_from(rules, state, seat, village, spare)


@kernel
def step_towards(rules, state, seat, village, goal):
    """The neighbour nearest to a goal: the goal itself or one without others or rebels; NOBODY if there is none."""
    best, least = NOBODY, NEVER
    places = rules.near[village]
    while places:
        place = first_of(places)
        places &= places - 1
        if rules.way[place, goal] < least and (place == goal or is_clear(rules, state, place, seat)):
            best, least = place, rules.way[place, goal]
    return best
