"""Fief 2: the combat phase: bishops calm revolts, families attack, and rebels attack in the end."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import pick_or_none, up_to
from simcore.games.fief_2.cards import CALM_NUMBER, SIDES, kill
from simcore.games.fief_2.combat import are_joined, fight
from simcore.games.fief_2.log import CALM_DIE, log_built, log_die
from simcore.games.fief_2.names import ATTACK, CALM, MARRIAGE, MILL, NOBODY, ONE, PRESS, ZERO
from simcore.games.fief_2.pieces import (
    first_of,
    forts,
    has,
    own_free,
    pawns_of,
    pawns_of_others,
    pay_bank,
    seat_at,
    stands_in,
)
from simcore.games.fief_2.sides import WHY, lose_rebels
from simcore.kernel.compilation import kernel
from simcore.kernel.streams import DICE, bounded

CALMED = np.int64(4)
"""The number that a die and the conviction have to reach together."""


@kernel
def fight_all(rules, lineup, state, trace):
    """Let each family fight in its villages, and then rebels attack holders without a fort."""
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        contested = pawns_of_others(rules, state, seat) | state.revolts
        places = pawns_of(state, seat) & contested & ~state.stormy
        while places:
            visit(rules, lineup, state, trace, first_of(places), seat)
            places &= places - 1
            if state.fault:
                return
    angry = state.revolts & ~state.stormy & ~forts(state)
    while angry:
        village = first_of(angry)
        angry &= angry - 1
        rise(rules, lineup, state, trace, village)


@kernel
def visit(rules, lineup, state, trace, village, seat):
    """Let a family calm rebels and attack in a village."""
    bishops = own_free(state, village, seat) & state.bishops if has(state.revolts, village) else ZERO
    while bishops and has(state.revolts, village):
        calm(rules, lineup, state, trace, village, seat, first_of(bishops))
        bishops &= bishops - 1
    for against in range(state.rolled.shape[0]):
        state.rolled[against] = 0
    for _ in range(rules.attacks):
        foes = np.int64(has(state.revolts, village))
        for other in range(rules.players):
            friend = rules.alliances == MARRIAGE and are_joined(state, seat, np.int64(other))
            if other != seat and not friend and stands_in(state, village, other):
                foes |= 2 << other
        if foes == 0 or not stands_in(state, village, seat):
            return
        state.village = village
        foe = pick_or_none(rules, lineup, state, trace, seat, ATTACK, foes)
        if foe < 0:
            return
        fight(rules, lineup, state, trace, village, seat, foe - 1)


@kernel
def calm(rules, lineup, state, trace, village, seat, lord):
    """Let a bishop try to calm rebels; if he fails, they stone him to death."""
    price = rules.calm_price
    most = min(state.money[seat] // price, np.int64(3)) if price else np.int64(3)
    state.village, state.lord = village, lord
    points = pick_or_none(rules, lineup, state, trace, seat, CALM, up_to(most + 1))
    if points < 0:
        return
    if points * price > 0:
        pay_bank(state, trace, seat, points * price, CALM)
    thrown = 1 + bounded(state.rng, DICE, state.turn << 4 | lord, CALM_NUMBER, SIDES)
    log_die(trace, CALM_DIE, lord, thrown)
    if thrown + points >= CALMED:
        lose_rebels(state, trace, village, state.rebels[village], CALM)
    else:
        kill(rules, state, trace, lord, CALM)


@kernel
def rise(rules, lineup, state, trace, village):
    """Let rebels attack the holder of a village; if none of the holder's pawns is left, the mill and the press burn."""
    holder = state.holder[village]
    if holder < 0:
        return
    state.rolled[holder] = 0
    fight(rules, lineup, state, trace, village, NOBODY, holder)
    if not stands_in(state, village, holder):
        if has(state.mills, village):
            state.mills &= ~(1 << village)
            log_built(trace, village, MILL, ONE, ZERO, WHY)
        if has(state.presses, village):
            state.presses &= ~(1 << village)
            log_built(trace, village, PRESS, ONE, ZERO, WHY)
