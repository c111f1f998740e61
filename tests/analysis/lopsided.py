"""Shares of games with known chances, equal or lopsided: how often their intervals hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analysis.stats.intervals import bonferroni, max_t, share_interval
from analysis.stats.moments import Floats


def held(parts: Floats, truth: Floats, constant: float) -> float:
    """Return how often all intervals hold at once; `parts` has shape (experiments, deals, shares)."""
    deals = parts.shape[1]
    low, high = share_interval(parts.mean(axis=1), parts.std(axis=1, ddof=1) / np.sqrt(deals), deals, constant)
    return float(((low <= truth + 1e-12) & (truth <= high + 1e-12)).all(axis=-1).mean())


def coverage(chances: Sequence[float], deals: int, experiments: int, seed: int) -> float:
    """Return how often the intervals of all seats hold at once, for games of equal players."""
    rng = np.random.default_rng(seed)
    won = rng.multinomial(1, chances, size=(experiments, deals)).astype(float)
    return held(won, np.array(chances), max_t(len(chances)))


def chances_of(strong: Sequence[float], rest: Sequence[float]) -> Floats:
    """Return the chance of each seat by the seat of the strong player; `rest` weighs the seats of the others."""
    seats = len(strong)
    found = np.array(rest) * (1 - np.eye(seats))
    found *= ((1 - np.array(strong)) / found.sum(axis=1))[:, None]
    return found + np.diag(strong)


def coverages(chance: Floats, deals: int, experiments: int, seed: int) -> Iterator[tuple[str, float]]:
    """Yield how often the intervals of all seats, of all strategies by seat, and of both strategies hold at once.

    One strong player and others who are alike change seats, and a deal has one game for each seat of the strong one.
    """
    rng, seats = np.random.default_rng(seed), len(chance)
    draw = rng.random((experiments, deals, seats, 1))
    won = np.eye(seats)[(draw > chance.cumsum(axis=1)).sum(axis=-1).clip(0, seats - 1)]  # by game and seat
    yield "seats", held(won.mean(axis=2), chance.mean(axis=0), max_t(seats))
    own = np.eye(seats, dtype=bool)

    def split(values: Floats) -> Floats:
        weak = np.where(own, 0, values).sum(axis=-2) / (seats - 1)
        return np.concatenate([values[..., own], weak], axis=-1)

    yield "strategies by seat", held(split(won), split(chance), bonferroni(0.95, 2 * seats))
    wins, truth = won[..., own].mean(axis=-1), np.diag(chance).mean()
    yield "strategies", held(np.stack([wins, 1 - wins], axis=-1), np.array([truth, 1 - truth]), bonferroni(0.95, 2))
