"""Médiévallons: the wrapper for restricted members of a line-up."""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons.cards import count
from simcore.games.medievallons.state import ACTION, FIT, JESTER, JESTERS, LAY, MEMBERS, REINFORCE, TYPES
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from strategies.moves import NONE, ONE, later_moves
from strategies.restrained import decide_without

FIRST_ACTION = np.int64(TYPES)  # bits of `avoids`: the types, then the actions


@inlined
def forbidden_action(rules, state, seat, avoids, move):
    """Return 1 if an action, or a type that it takes, is forbidden."""
    player = state.players[seat]
    action = move & 3
    kind = move >> 2
    if action >= REINFORCE:
        kind = np.int64(player.guild[kind].type)
    elif action == LAY and count(player.hand, kind) < rules.guild_size:
        avoids |= ((avoids >> np.uint64(JESTER)) & ONE) << np.uint64(kind)  # it takes a Jester
    return (avoids >> np.uint64(kind) | avoids >> np.uint64(FIRST_ACTION + action)) & ONE


@inlined
def more_jesters(rules, state):
    """The numbers of cards with which a guild would get more Jesters than it needs."""
    if state.decision == JESTERS:
        return later_moves(state.legal)
    laying = state.decision == MEMBERS and state.action == LAY
    return (ONE << np.uint64(rules.guild_size)) - ONE if laying else NONE


@inlined
def moves_of(rules, state, seat, avoids):
    """The legal moves that play, lay, add or use some types, or that are some actions."""
    found = NONE
    if avoids == NONE:
        return found
    if state.decision != ACTION and state.decision != FIT:
        return more_jesters(rules, state) if (avoids >> np.uint64(JESTER)) & ONE else found
    rest = state.legal
    while rest != NONE:
        move = np.int64(lowest_bit(rest))
        forbidden = (avoids >> np.uint64(move >> 2)) & ONE
        if state.decision == ACTION:
            forbidden = forbidden_action(rules, state, seat, avoids, move)
        found |= forbidden << np.uint64(move)
        rest = later_moves(rest)
    return found


@kernel
def restrained(rules, lineup, state, seat):
    """Return the move of the wrapped policy, which sees only the moves that it may make."""
    avoids = lineup.members[lineup.seated[seat]].avoids
    return decide_without(rules, lineup, state, seat, moves_of(rules, state, seat, avoids))
