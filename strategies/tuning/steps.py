"""The optimiser's units: how far a weight must move to matter, and how wide margins are."""

from __future__ import annotations

import math

import numpy as np

from simcore.running.batch import Spec
from strategies.tuning.arena import Arena, Array, by_entry, fates, margins
from strategies.tuning.plan import clipped, moves
from strategies.tuning.tables import Field

EXPONENTS = (-8, 8)
"""Smallest and largest step, as powers of two of a coin or point."""

GAMES = 240


def measure_steps(arena: Arena, field: Field, seed: int) -> Array:
    """Return how far each weight must move to change half of the deals that it can change; 0 if it changes none.

    Weights that may not move count as such.

    arena: The arena in which games are played.
    field: Opponents.
    seed: Random seed of the deals.
    Returns numpy.ndarray: Shape (features,); powers of two, or zero.
    """
    start, names = arena.plan.weights, arena.plan.features
    free = np.flatnonzero([moves(name, arena.plan.only) for name in names])
    least, most = (np.full(len(free), exponent) for exponent in EXPONENTS)
    before = _courses(arena, field, start[None], seed)

    def moved(exponents: Array) -> Array:
        """Return the share of deals that change, by feature, when its weight goes up and when it goes down."""
        jumps = np.eye(len(start))[free] * 2.0 ** exponents[:, None]
        changed = _courses(arena, field, clipped(np.concatenate([start + jumps, start - jumps])), seed) != before
        return np.asarray(changed.mean(axis=1).reshape(2, -1).mean(axis=0))

    reach = moved(most)
    while (least < most).any():
        middle = (least + most + 1) // 2
        small = moved(middle) <= reach / 2
        least, most = np.where(small, middle, least), np.where(small, most, middle - 1)
    steps = np.zeros(len(names))
    steps[free] = np.where(reach == 0, 0.0, 2.0**least)
    return steps


def _courses(arena: Arena, field: Field, candidates: Array, seed: int) -> Array:
    """Return numbers that differ if the same deals go differently, shape (candidates, deals)."""
    tables = field.against(len(candidates), field.rivals()[:1], GAMES, field.ways[:1], range(1))
    courses: list[list[Array]] = [[] for _ in candidates]
    for table, played in zip(tables, arena.play(candidates, tables, seed, fates), strict=True):
        candidate = next(seat for seat in table.seats if isinstance(seat, int))
        courses[candidate].append(played[:, 0])
    return np.array([np.concatenate(some) for some in courses])


def measure_width(arena: Arena, field: Field, seed: int) -> float:
    """Return a quarter of the usual margin between the start and its first opponents; see `arena.nearly_won`."""

    def squares(spec: Spec, rows: Array) -> Array:
        return by_entry(spec, rows, margins(spec, rows) ** 2)

    tables = field.against(1, field.rivals()[:1], GAMES, field.ways[:1], range(1))
    mean = float(arena.means(arena.plan.weights[None], tables, seed, squares)[0])
    return math.sqrt(mean) / 4 or 1.0
