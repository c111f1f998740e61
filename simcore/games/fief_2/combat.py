"""Fief 2: one fight: ground, allies, rounds, grace, and who holds the village afterwards."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import agrees
from simcore.games.fief_2.dice import dice_of, losses_of, pips_of, shown, throw, total_of
from simcore.games.fief_2.holding import set_holder, settle
from simcore.games.fief_2.log import begin_round, end_round
from simcore.games.fief_2.names import ASK_GRACE, GRANT_GRACE, JOIN, MARRIAGE, OPEN, RUNS, SORTIE, ZERO
from simcore.games.fief_2.pieces import first_of, ground_of, has, points_inside, points_of, seat_at, stands_in
from simcore.games.fief_2.sides import ATTACKER, DEFENDER, WHY, side_lords, side_loses, side_points, speaker, surrender
from simcore.games.fief_2.state import FIGHT, RESULT
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.trace import note

ENDLESS = 2
"""A fault: a fight went on for too many rounds."""


@kernel
def are_joined(state, seat, other):
    """Whether a marriage joins two families."""
    found = False
    lords = state.lords[seat]
    while lords:
        spouse = state.spouse[first_of(lords)]
        lords &= lords - 1
        found |= spouse >= 0 and has(state.lords[other], spouse)
    return found


@kernel
def joined_to(state, seat, seats):
    """Whether a marriage joins a family to one of some others."""
    found = False
    while seats:
        found |= are_joined(state, seat, first_of(seats))
        seats &= seats - 1
    return found


@kernel
def ask_allies(rules, lineup, state, trace, village, attacker, defender):
    """In turn order, let families join a side if a marriage joins them to it and none joins them to the other side."""
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        if (seat == attacker) | (seat == defender) or not stands_in(state, village, seat):
            continue
        for side in range(2):
            principal = attacker if side == 0 else defender
            friend = principal >= 0 and are_joined(state, seat, principal)
            if friend and not joined_to(state, seat, state.side[1 - side]):
                state.village, state.rival = village, defender if side == 0 else attacker
                if agrees(rules, lineup, state, trace, seat, JOIN):
                    state.side[side] |= 1 << seat


@kernel
def asks_grace(rules, lineup, state, trace, village, side, own, other):
    """Let a side that has lords ask for grace, and the other side grant it; return whether it did."""
    if side_lords(state, village, side) == 0:
        return False
    asker = speaker(rules, state, village, side, own)
    judge = speaker(rules, state, village, 1 - side, other)
    state.village, state.rival = village, judge
    state.own_points = side_points(state, village, side)
    state.their_points = side_points(state, village, 1 - side)
    if not agrees(rules, lineup, state, trace, asker, ASK_GRACE):
        return False
    state.rival = asker
    if not agrees(rules, lineup, state, trace, judge, GRANT_GRACE):
        return False
    surrender(rules, state, trace, village, side, other)
    return True


@kernel
def choose_ground(rules, lineup, state, trace, village, attacker, defender):
    """The ground on which a defender fights; a defender with pawns inside and outside its fort may make a sortie."""
    state.inside = 0
    ground = ground_of(state, village)
    if defender < 0 or state.holder[village] != defender or ground == OPEN:
        return OPEN
    inside = points_inside(state, village, defender)
    if inside == 0:
        return OPEN
    if inside < points_of(state, village, defender):
        state.village, state.rival = village, attacker
        state.their_points = points_of(state, village, attacker)
        if agrees(rules, lineup, state, trace, defender, SORTIE):
            return OPEN
        state.inside = 1
    return ground


@apart
def fight(rules, lineup, state, trace, village, attacker, defender):
    """Fight to the end; the seat of rebels, as attackers or defenders, is NOBODY."""
    ground = choose_ground(rules, lineup, state, trace, village, attacker, defender)
    state.side[0] = 1 << attacker if attacker >= 0 else ZERO
    state.side[1] = 1 << defender if defender >= 0 else ZERO
    if rules.alliances == MARRIAGE and ground == OPEN:
        ask_allies(rules, lineup, state, trace, village, attacker, defender)
    slot = state.turn << 11 | village << 6 | (attacker + 1) << 3 | (defender + 1)
    number = state.rolled[defender]
    attack, defence = side_points(state, village, ATTACKER), side_points(state, village, DEFENDER)
    note(trace, state.turn, attacker, FIGHT, village, defender, ground)
    strength = (attack, defence)
    for _ in range(RUNS):
        dice, enemy_dice = throw(state, slot, number)
        number += 1
        thrown, enemy_thrown = dice_of(rules, attack), dice_of(rules, defence)
        darc, enemy_darc = False, False
        if state.darc >= 0 and has(state.free_at[village], state.darc):
            darc = has(side_lords(state, village, ATTACKER), state.darc)
            enemy_darc = has(side_lords(state, village, DEFENDER), state.darc)
        total = total_of(rules, pips_of(dice, thrown), darc)
        enemy_total = total_of(rules, pips_of(enemy_dice, enemy_thrown), enemy_darc)
        place = begin_round(
            trace,
            village,
            attacker,
            defender,
            ground,
            attack,
            defence,
            shown(dice, thrown),
            shown(enemy_dice, enemy_thrown),
            total,
            enemy_total,
        )
        lost = side_loses(rules, state, trace, village, ATTACKER, attacker, losses_of(rules, enemy_total, OPEN))
        enemy_lost = side_loses(rules, state, trace, village, DEFENDER, defender, losses_of(rules, total, ground))
        end_round(trace, place, lost, enemy_lost)
        attack, defence = side_points(state, village, ATTACKER), side_points(state, village, DEFENDER)
        if (attack == 0) | (defence == 0):
            break
        if (attacker >= 0) & (defender >= 0):
            if asks_grace(rules, lineup, state, trace, village, DEFENDER, defender, attacker):
                defence = ZERO
                break
            if asks_grace(rules, lineup, state, trace, village, ATTACKER, attacker, defender):
                attack = ZERO
                break
    if (attack > 0) & (defence > 0):
        state.fault = ENDLESS
    state.rolled[defender] = number
    count_fight(state, attacker, defender, attack, defence)
    result = np.int64(attack > 0) | np.int64(defence > 0) << 1
    note(trace, state.turn, attacker, RESULT, strength[0], strength[1], result)
    taken = (defence == 0) & (attacker >= 0) & (defender >= 0)
    if taken and state.holder[village] == defender and stands_in(state, village, attacker):
        set_holder(rules, state, trace, village, attacker, WHY)
    settle(rules, state, trace, village, WHY)


@inlined
def count_fight(state, attacker, defender, attack, defence):
    """Count a fight in the rows of the families that fought it."""
    if attacker >= 0:
        state.rows[attacker].attacks += 1
        state.rows[attacker].won += np.int64((attack > 0) & (defence == 0))
    if defender >= 0:
        state.rows[defender].defences += 1
        state.rows[defender].held_out += np.int64((defence > 0) & (attack == 0))
