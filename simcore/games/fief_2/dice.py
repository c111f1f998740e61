"""Fief 2: dice, totals and losses; exact odds are computed with the same functions as fights (`odds.py`)."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.names import CAP, CASTLE, ONE, OPEN, TWO, ZERO
from simcore.kernel.compilation import inlined
from simcore.kernel.philox import WORD
from simcore.kernel.streams import DICE, block

THREE_DICE = np.uint64(216)
REJECTED = np.uint64((1 << 32) % 216)


@inlined
def dice_of(rules, points):
    """The number of dice that a side throws."""
    return 1 + np.int64(points >= rules.two_dice) + np.int64(points >= rules.three_dice)


@inlined
def total_of(rules, pips, with_darc):
    """The total of a throw."""
    total = pips + (rules.darc_bonus if with_darc else ZERO)
    return min(total, np.int64(18)) if rules.darc_over_18 == CAP else total


@inlined
def losses_of(rules, total, ground):
    """The points that a side on some ground loses to the other side's total."""
    return total // (rules.open_loss if ground == OPEN else rules.castle_loss if ground == CASTLE else rules.city_loss)


@inlined
def die_at(dice, place):
    """One of three dice, from 1 to 6."""
    return 1 + (dice if place == 0 else dice // 6 if place == 1 else dice // 36) % 6


@inlined
def pips_of(dice, count):
    """The sum of the first dice of three."""
    pips = die_at(dice, ZERO)
    pips += die_at(dice, ONE) if count > 1 else ZERO
    return pips + (die_at(dice, TWO) if count > 2 else ZERO)


@inlined
def shown(dice, count):
    """The same dice as digits in base 7, for the log; 0 for a die that was not thrown."""
    digits = die_at(dice, ZERO)
    digits += 7 * die_at(dice, ONE) if count > 1 else ZERO
    return digits + (49 * die_at(dice, TWO) if count > 2 else ZERO)


@inlined
def throw(state, slot, number):
    """Throw three dice for each side, as numbers below 216; words that would favour some throws are drawn again."""
    words = block(state.rng, DICE, slot, ZERO, number)
    first, second = words[0] * THREE_DICE, words[1] * THREE_DICE
    attempt = ZERO
    while (first & WORD < REJECTED) | (second & WORD < REJECTED):
        attempt += 1
        words = block(state.rng, DICE, slot, attempt, number)
        first = words[0] * THREE_DICE if first & WORD < REJECTED else first
        second = words[1] * THREE_DICE if second & WORD < REJECTED else second
    return np.int64(first >> np.uint64(32)), np.int64(second >> np.uint64(32))
