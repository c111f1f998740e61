"""Seigneurial: the policy `random`, and what the other policies share."""

from __future__ import annotations


from simcore.games.seigneurial.state import LAY, PART, PASS, PLAY, STOP
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import count_legal, is_legal, nth_legal
from simcore.kernel.streams import decide


@inlined
def drawn(state, seat, number, bound):
    """Draw from 0..bound-1; a decision has two such draws, 0 and 1."""
    return decide(state.rng, seat, state.slot, state.lane + number, bound)


@inlined
def half_or_any(state, seat, none):
    """Return no move in half of the cases, and otherwise a random one of the other moves, all equally likely."""
    if drawn(state, seat, 0, 2) == 0:
        return none
    return nth_legal(state, drawn(state, seat, 1, count_legal(state) - 1))


@kernel
def uniform(rules, lineup, state, seat):
    """Return a random legal option of every choice, with the probabilities that the rulings give."""
    decision = state.decision
    if decision == PLAY:
        return half_or_any(state, seat, PASS)
    if decision == LAY or (decision == PART and is_legal(state, STOP)):
        return half_or_any(state, seat, STOP)
    return nth_legal(state, drawn(state, seat, 0, count_legal(state)))
