"""Seigneurial: the due of winter."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.asking import NONE, ONE, tell
from simcore.games.seigneurial.effects import part_with, sicken
from simcore.games.seigneurial.log import log_fact
from simcore.games.seigneurial.piles import discard_from, in_order
from simcore.games.seigneurial.state import FACES, PAY_DUE, VALUES
from simcore.kernel.compilation import inlined, kernel

REFUSE_OR_PAY = np.uint64(3)


@inlined
def sums(player, without):
    """The sums that some cards of a hand can make, as bits; one card of a given face may be left out."""
    found = ONE
    for face in range(FACES):
        for _ in range(player.hand[face] - np.int64(face == without)):
            found |= found << np.uint64(face % VALUES)
    return found


@inlined
def makes(sums, points):
    """Whether a sum is one of those that the cards can make."""
    return (sums >> np.uint64(points)) & ONE != NONE


@kernel
def payable(player, owed):
    """Faces with which a tenant can continue to pay, as moves: an exact sum stays possible, or one card exceeds it."""
    found = NONE
    exact = makes(sums(player, np.int64(-1)), owed)
    for face in range(FACES):
        if player.hand[face] > 0:
            value = face % VALUES
            if exact:
                fits = value <= owed and makes(sums(player, np.int64(face)), owed - value)
            else:
                fits = value > owed
            found |= np.uint64(fits) << np.uint64(face)
    return found


@inlined
def pay_due(rules, lineup, state, seat, trace):
    """Let a tenant pay card by card."""
    while state.owed > 0:
        legal = payable(state.players[seat], np.int64(state.owed))
        face = part_with(rules, lineup, state, seat, legal, trace)
        state.owed -= face % VALUES
        discard_from(state, seat, face, log.WINTERED, trace)


@inlined
def fall_ill(rules, state, seat, trace):
    """Let a healthy pawn, if there is one, of a tenant who did not pay fall ill."""
    if sicken(rules, state, seat, rules.illness):
        log_fact(trace, log.ILL, seat, rules.illness, 0)


@kernel
def winter(rules, lineup, state, trace):
    """Let each tenant pay the due of winter or refuse."""
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        player = state.players[seat]
        if player.waived:
            continue
        state.owed = rules.due
        if payable(player, np.int64(rules.due)) == NONE:
            state.rows[seat].unable += 1
            fall_ill(rules, state, seat, trace)
        elif tell(rules, lineup, state, seat, PAY_DUE, REFUSE_OR_PAY, trace):
            pay_due(rules, lineup, state, seat, trace)
        else:
            state.rows[seat].refusals += 1
            fall_ill(rules, state, seat, trace)
