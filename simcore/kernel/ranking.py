"""The winner: places from a comparison of seats, and equal shares for all seats in first place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simcore.kernel.compilation import inlined, instantiate, kernel
from simcore.kernel.intrinsics import set_share, whole_share

# Names that `instantiate` fills in for a game.
SCORE: Any = None
scores_more: Any = None


@inlined
def rank_and_share(state, players, ahead):
    """Write each row's place, 1 + the number of seats ahead of it, and share the win equally among the rows in place 1.

    `ahead(state, seat, other)` is a kernel: whether a seat ranks better than another.
    """
    for seat in range(players):
        state.rows[seat].place = 1
        for other in range(seat):
            if ahead(state, other, seat):
                state.rows[seat].place += 1
            elif ahead(state, seat, other):
                state.rows[other].place += 1
    winners = 0
    for seat in range(players):
        winners += np.int64(state.rows[seat].place == 1)
    for seat in range(players):
        row = state.rows[seat]
        set_share(row, np.int64(whole_share(row) // winners if row.place == 1 else 0))


def more(state, seat, other):
    """Whether a seat has a higher score than another."""
    return state.rows[seat][SCORE] > state.rows[other][SCORE]


def fewer(state, seat, other):
    """Whether a seat has a lower score than another."""
    return state.rows[seat][SCORE] < state.rows[other][SCORE]


def by_score(rules, lineup, state, trace):
    """Rank the seats by their score; those in first place share the win."""
    rank_and_share(state, rules.players, scores_more)


def settle_by(field: str, beside: Callable[..., Any], lowest: bool = False) -> Callable[..., Any]:
    """Return the `settle` of a game in which the score alone decides.

    field: Field of the row with the score.
    beside: A kernel of the game.
    lowest: Whether the lowest score wins, rather than the highest.
    """
    ahead = kernel(instantiate(fewer if lowest else more, beside, SCORE=field))
    return kernel(instantiate(by_score, beside, scores_more=ahead))
