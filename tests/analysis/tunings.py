"""Tuned columns whose truth is known: how often their ranges hold for all seats at once."""

from __future__ import annotations

import numpy as np

from analysis.stats.intervals import MAX_T, bonferroni, widened

SHAPES = {"all seats alike": np.eye(4) - 1 / 4, "two seats trade places": np.outer([1, -1, 0, 0], [1, 0, 0, 0])}
"""How the seats of one tuning differ from the mean of all that could have been found, of which the truth is 0."""


def held(tunings: int, shape: str, ratio: float, runs: int) -> float:
    """Return how often the ranges of all four seats hold.

    ratio: Variance of the column between tunings over that of sampling, on average.
    """
    rng = np.random.default_rng([tunings, int(ratio), runs])
    drawn = rng.standard_normal((runs, tunings, 4)) @ SHAPES[shape].T
    error = np.sqrt((SHAPES[shape] ** 2).sum() / 4 / tunings / ratio)
    value = drawn.mean(axis=1) + error * rng.standard_normal((runs, 4))
    spread = np.sqrt(drawn.var(axis=1, ddof=1).mean(axis=1, keepdims=True) / tunings)
    reach = MAX_T[4] * error
    low, high = widened(value, value - reach, value + reach, spread, tunings, bonferroni(0.95, 4))
    return float(((low <= 0) & (high >= 0)).all(axis=1).mean())
