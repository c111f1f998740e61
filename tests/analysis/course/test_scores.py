"""The distribution of scores: exact where they lie close, and in bins, not in memory, where they lie far apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from analysis.course.standings import MOST_BINS, Scores
from analysis.data.source import Block


@dataclass
class Source:
    players: int = 3
    score: str = "coins"


def taken(parts: list[np.ndarray]) -> Scores:
    """Return what comes of parts that are taken in one by one."""
    whole = Scores(Source())
    for part in parts:
        one = Scores(Source())
        one.add(Block(1, {"coins": part}))
        whole.merge(one)
    return whole


def at_most(scores: Scores, seat: int, value: int) -> float:
    """Return how many games a seat ended with a score of at most the last of the bin that a value lies in."""
    return float(scores.counts[seat, : value // scores.width - scores.first + 1].sum())


@pytest.mark.parametrize("spread", [10, 4000, 5000, 10**6, 2 * 10**9])
def test_every_bin_holds_its_games_and_there_are_not_too_many(spread: int) -> None:
    draw = np.random.default_rng(spread)
    score = draw.integers(-spread // 3, spread - spread // 3, (3000, 3))
    parts = np.array_split(score, 7)
    found, other = taken(parts), taken(parts[::-1])
    assert (found.first, found.width) == (other.first, other.width)
    assert (found.counts == other.counts).all()
    assert found.counts.shape[1] <= MOST_BINS
    assert (found.width == 1) == (spread <= MOST_BINS)
    assert found.width == 1 or spread / found.width > MOST_BINS / 4
    for seat in range(3):
        for value in (score[:50, seat]).tolist():
            edge = (value // found.width + 1) * found.width - 1
            assert at_most(found, seat, value) == (score[:, seat] <= edge).sum()
