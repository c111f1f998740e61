"""How far a weight has to move before it matters: the optimiser's unit of length, by feature."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from strategies.tuning.arena import Arena, Array, Company, fates
from strategies.tuning.plan import clipped

EXPONENTS = (-8, 8)
"""Smallest and largest step, as powers of two of a coin or point."""

CHANGED = 0.5
"""Share of games that may go another way when a weight moves by its step."""

DEALS = 60


def measure_steps(arena: Arena, companies: Sequence[Company], seed: int) -> Array:
    """Return the largest step of every weight that leaves about half of the games as they were; 0 where none matters.

    Parameters
    ----------
    arena
        Where games are played.
    companies
        Tables.
    seed
        Key of the deals.

    Returns
    -------
    numpy.ndarray
        Shape (features,); a power of two, or 0 for a weight whose largest step changes no game.
    """
    start = arena.plan.weights
    least, most = (np.full(len(start), exponent) for exponent in EXPONENTS)
    before = np.concatenate(arena.play(start[None], companies, seed, DEALS, fates)[0])

    def moved(exponents: Array) -> Array:
        """Share of games that change, by feature, when its weight goes up and when it goes down."""
        jumps = np.diag(2.0**exponents)
        candidates = clipped(np.concatenate([start + jumps, start - jumps]))
        played = arena.play(candidates, companies, seed, DEALS, fates)
        changed = np.array([(np.concatenate(row) != before).mean() for row in played])
        return changed.reshape(2, len(start)).mean(axis=0)

    dead = moved(most) == 0
    while (least < most).any():
        middle = (least + most + 1) // 2
        small = moved(middle) <= CHANGED
        least, most = np.where(small, middle, least), np.where(small, most, middle - 1)
    return np.where(dead, 0.0, 2.0**least)  # type: ignore[no-any-return]
