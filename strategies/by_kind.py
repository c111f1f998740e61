"""What players of any game can be forbidden without code of its own: the moves of its kinds of decisions."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from simcore.game import Decision, Game
from simcore.kernel.compilation import inlined
from simcore.kernel.pointers import Policy
from simcore.kernel.templates import instantiate
from strategies.restrained import decide_avoiding

BITS = 64
"""Number of moves, of all kinds together, for which a member of a line-up has room."""

# Names that `instantiate` fills in for a game.
FIRST: Any = None
is_forbidden: Any = None


def moves_by_kind(game: Game) -> dict[str, int]:
    """Return the bits of every move of every kind of decision that there is room for, by name.

    A move has the name that its `Decision` gives it, such as "bet", or the kind with the number, such as "bid:3".  A
    name that several moves have forbids all of them.
    """
    bits: dict[str, int] = {}
    for decision, first in zip(game.decisions, first_bits(game), strict=True):
        for move in range(decision.options if first < BITS else 0):
            name = name_of(decision, move)
            bits[name] = bits.get(name, 0) | 1 << first + move
    return bits


def name_of(decision: Decision, move: int) -> str:
    """Return the name by which a move is forbidden."""
    return decision.moves[move] if decision.moves else f"{decision.name}:{move}"


def first_bits(game: Game) -> list[int]:
    """Return the bit of the first move of each kind; 64 for a kind for which there is no room."""
    firsts, used = [], 0
    for decision in game.decisions:
        fits = used + decision.options <= BITS
        firsts.append(used if fits else BITS)
        used += decision.options * fits
    return firsts


def forbidden_here(rules, lineup, state, seat, move):
    """Whether a player may not make a move in a decision of this kind."""
    first = FIRST[state.decision]
    avoids = lineup.members[lineup.seated[seat]].avoids
    return first < BITS and (avoids >> np.uint64(first + move)) & np.uint64(1) != np.uint64(0)


def without_forbidden(rules, lineup, state, seat):
    """Return the move of the wrapped policy, which sees only the moves that it may make."""
    return decide_avoiding(is_forbidden, rules, lineup, state, seat)


@cache
def restrained_by_kind(game: Game) -> Policy:
    """Return the wrapper that makes a policy obey what it is forbidden."""
    avoids = inlined(instantiate(forbidden_here, game.step, FIRST=np.array(first_bits(game), np.int64)))
    return Policy(instantiate(without_forbidden, game.step, is_forbidden=avoids), game.policy_records, cached=True)
