"""Fief 2: what a recorded game writes, with one kernel for each kind of record; `records.py` reads it back.

Every record is its code, the number of words that follow, and these words.
"""

from __future__ import annotations

import numpy as np

from simcore.kernel.decisions import next_legal
from simcore.games.fief_2.names import DISCARD, NOBODY, ONE, PLAY, VOTE
from simcore.kernel.compilation import apart, inlined
from simcore.kernel.trace import has_room, put

(TURN, DECIDED, CHANCE, MOVED, PAID, PAWNS, LORD, RED, BUILT, HOLDER, MARRIED, ROUND, INCOME, TURN_END, OVER) = map(
    np.int64, range(15)
)

LORDS_DEALT, DECK_MADE, RESHUFFLED, PLAGUE_DIE, REVOLT_DIE, CALM_DIE = map(np.int64, range(6))
CHANCES = ("lords", "deck", "reshuffle", "plague", "revolt", "calm")

DECK_ZONE, DISCARD_ZONE, HAND_ZONE, PLAY_ZONE, BOX_ZONE = map(np.int64, range(5))
ZONES = ("deck", "discard", "hand", "play", "box")

SOLDIERS, KINGS_GUARD, QUEENS_GUARD, REBELS = map(np.int64, range(4))
PAWN_KINDS = ("soldiers", "king_guard", "queen_guard", "rebels")

FREE, PRISONER, DEAD = map(np.int64, range(3))
STATUSES = ("free", "prisoner", "dead")

KING, QUEEN, PRINCE, CARDINAL = map(np.int64, range(4))
RED_CARDS = ("king", "queen", "prince", "cardinal")
FIRST_TITLE = np.int64(len(RED_CARDS))


@apart
def _put(trace, code, size, a, b, c, d, e, f):
    put(trace, code)
    put(trace, size)
    put(trace, a)
    put(trace, b)
    put(trace, c)
    put(trace, d)
    put(trace, e)
    put(trace, f)
    trace.used -= np.uint64(6 - size)


@inlined
def log_turn(state, trace):
    """Log that a phase of a turn begins."""
    if trace.on:
        _put(trace, TURN, np.int64(2), state.turn, state.phase, ONE, ONE, ONE, ONE)


@inlined
def log_move(trace, card, source, source_seat, goal, goal_seat, why):
    """Log that a card moves between zones; the seat of a zone that is not a hand is NOBODY."""
    if trace.on:
        _put(trace, MOVED, np.int64(6), card, source, source_seat, goal, goal_seat, why)


@inlined
def log_paid(trace, payer, payee, amount, why):
    """Log a payment; NOBODY is the bank."""
    if trace.on:
        _put(trace, PAID, np.int64(4), payer, payee, amount, why, ONE, ONE)


@inlined
def log_pawns(trace, seat, village, what, delta, why):
    """Log that pawns come or go; NOBODY means rebels."""
    if trace.on:
        _put(trace, PAWNS, np.int64(5), seat, village, what, delta, why, ONE)


@inlined
def log_lord(trace, lord, seat, village, status, captor, why):
    """Log a change of a lord's place or status."""
    if trace.on:
        _put(trace, LORD, np.int64(6), lord, seat, village, status, captor, why)


@inlined
def log_red(trace, card, lord, keeper, why):
    """Log that a red card has a new owner; the bank if both are NOBODY."""
    if trace.on:
        _put(trace, RED, np.int64(4), card, lord, keeper, why, ONE, ONE)


@inlined
def log_built(trace, village, what, before, after, why):
    """Log that a building is built or destroyed."""
    if trace.on:
        _put(trace, BUILT, np.int64(5), village, what, before, after, why, ONE)


@inlined
def log_holder(trace, village, seat):
    """Log that a village has another holder."""
    if trace.on:
        _put(trace, HOLDER, np.int64(2), village, seat, ONE, ONE, ONE, ONE)


@inlined
def log_married(trace, man, woman, on):
    """Log that a marriage begins or ends."""
    if trace.on:
        _put(trace, MARRIED, np.int64(3), man, woman, on, ONE, ONE, ONE)


@inlined
def log_die(trace, what, lord, die):
    """Log a throw of a die, perhaps for a lord."""
    if trace.on:
        _put(trace, CHANCE, np.int64(3), what, lord, die, ONE, ONE, ONE)


@apart
def log_order(trace, what, items, start, end):
    """Log that lords are dealt, or that a deck is made."""
    if trace.on:
        put(trace, CHANCE)
        put(trace, end - start + 1)
        put(trace, what)
        for place in range(start, end):
            put(trace, items[place])


@apart
def log_decision(state, trace, seat, kind, move):
    """Log a decision with more than one option, and all of its options."""
    has_room(trace)
    if not trace.on:
        return
    put(trace, DECIDED)
    size = trace.used
    put(trace, 0)
    put(trace, seat)
    put(trace, kind)
    put(trace, _value(state, seat, kind, move))
    option = next_legal(state, NOBODY)
    while option >= 0:
        put(trace, _value(state, seat, kind, option))
        option = next_legal(state, option)
    trace.words[size] = np.int32(trace.used - size - np.uint64(1))


@inlined
def _value(state, seat, kind, move):
    """Return a move; a position in a list is replaced by the item there: 1 + card or lord, or 0."""
    if move == 0:
        return np.int64(0)
    if (kind == PLAY) | (kind == DISCARD):
        return 1 + state.hand[seat, move - 1]
    return 1 + state.candidate[move - 1] if kind == VOTE else move


@inlined
def begin_round(trace, village, attacker, defender, ground, points, enemy_points, first, second, total, enemy_total):
    """Log a round of a fight, with the dice as three digits in base 7; return where the losses will be written."""
    place = np.uint64(0)
    if trace.on:
        put(trace, ROUND)
        put(trace, 12)
        put(trace, village)
        put(trace, attacker)
        put(trace, defender)
        put(trace, ground)
        put(trace, points)
        put(trace, enemy_points)
        put(trace, first)
        put(trace, second)
        put(trace, total)
        put(trace, enemy_total)
        place = np.uint64(trace.used)
        put(trace, 0)
        put(trace, 0)
    return place


@inlined
def end_round(trace, place, lost, enemy_lost):
    """Write the losses of a round into their place."""
    if trace.on:
        trace.words[place] = np.int32(lost)
        trace.words[place + np.uint64(1)] = np.int32(enemy_lost)


@apart
def log_income(trace, seat, land, industry, tithe, taille, pension):
    """Log what a family collects."""
    if trace.on:
        _put(trace, INCOME, np.int64(6), seat, land, industry, tithe, taille, pension)
