"""Fief 2: what a player can be forbidden, and the wrapper that makes a policy obey."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simcore.games.fief_2.state import ATTACK, BLANK, BUY, BUYS, CARD_KINDS, PLAY, PROPOSE, STAND
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from strategies.moves import NONE, ONE, later_moves
from strategies.restrained import decide_without
from strategies.restrictions import AVOIDS, Restriction

FIRST_CARD = np.int64(len(BUY))  # bits of `avoids`: purchases, cards to play, then the rest
ATTACKING, STANDING, PROPOSING = (FIRST_CARD + len(CARD_KINDS) + number for number in range(3))
OTHERS = {"attack": ATTACKING, "stand": STANDING, "propose": PROPOSING}


def restrictions(rules: Any) -> Iterator[Restriction]:
    """Yield each kind of purchase and of card, attacks on families, candidates and proposals of marriage."""
    for number, name in enumerate((*BUY, *CARD_KINDS)):
        yield Restriction(name, AVOIDS, name, 1 << number)
    for name, bit in OTHERS.items():
        yield Restriction(name, AVOIDS, name, 1 << int(bit))


@inlined
def bit_of(rules, state, seat, move):
    """The bit of `avoids` that forbids a move; 63 if none does."""
    if move > 0:
        if state.decision == BUYS:
            return move - 1
        if state.decision == PLAY:
            kind = rules.kind[state.hand[seat, move - 1]]
            return FIRST_CARD + kind if kind < BLANK else np.int64(63)
        if state.decision == ATTACK and move > 1:
            return ATTACKING
        if state.decision == STAND:
            return STANDING
        if state.decision == PROPOSE:
            return PROPOSING
    return np.int64(63)


@kernel
def restrained(rules, lineup, state, seat):
    """Return the move of the wrapped policy, which sees only the moves that it may make."""
    avoids = lineup.members[lineup.seated[seat]].avoids
    avoided = NONE
    rest = state.legal
    while rest != NONE:
        move = np.int64(lowest_bit(rest))
        avoided |= ((avoids >> np.uint64(bit_of(rules, state, seat, move))) & ONE) << np.uint64(move)
        rest = later_moves(rest)
    return decide_without(rules, lineup, state, seat, avoided)
