"""Simulated results of tables whose level is known: for power, for predictions, and to check the posterior."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.playtest.evidence import CORRELATIONS, SHIFTS
from analysis.stats.moments import Floats


def groups_of(games: int, groups: int) -> NDArray[np.int64]:
    """Return the number of games of each group, as even as possible."""
    ends = np.linspace(0, games, groups + 1).astype(np.int64)
    return np.asarray(ends[1:] - ends[:-1])


def draw_wins(chance: np.random.Generator, shares: Floats, sizes: NDArray[np.int64]) -> Floats:
    """Return wins of each place by group, shape (sets, groups, places); the correlation of each set is drawn.

    chance: The random number generator.
    shares: Shares of the wins in each set, shape (sets, places).
    sizes: Number of games of each group.
    """
    correlation = chance.choice(CORRELATIONS, len(shares))
    strength = 1 / np.maximum(correlation, 1e-6) - 1
    alpha = np.repeat((strength[:, None] * shares)[:, None, :], len(sizes), axis=1)
    own = np.maximum(chance.standard_gamma(alpha), 1e-300)
    own = np.where(correlation[:, None, None] > 0, own / own.sum(axis=2, keepdims=True), shares[:, None, :])
    return np.asarray(chance.multinomial(sizes[None, :], own), np.float64)


def draw_scores(chance: np.random.Generator, mean: Floats, sd: Floats, sizes: NDArray[np.int64]) -> Floats:
    """Return number, sum and sum of squares of mean scores by group, shape (sets, groups, 3).

    chance: The random number generator.
    mean, sd: Mean and standard deviation of a table's mean score, by set.
    sizes: Number of games of each group.
    """
    shift = chance.choice(SHIFTS, len(mean))[:, None] * sd[:, None] * chance.standard_normal((len(mean), len(sizes)))
    count = np.broadcast_to(sizes, shift.shape).astype(np.float64)
    total = count * (mean[:, None] + shift) + np.sqrt(count) * sd[:, None] * chance.standard_normal(shift.shape)
    within = sd[:, None] ** 2 * chance.chisquare(np.maximum(count - 1, 1e-9))
    square = np.where(count > 0, total**2 / np.maximum(count, 1) + np.where(count > 1, within, 0), 0)
    return np.stack([count, total, square], axis=2)
