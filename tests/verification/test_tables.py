"""Do the intervals of seats cover the truth if strong people like one seat?"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtrit

from analysis.stats.choice import PRIOR, SEAT_PRIOR, Choice, Games

SEATS = np.array([0.3, 0.0, -0.1, -0.2])
TABLES = 100


def drawn(chance: np.random.Generator, games: int, people: int, taste: float) -> Games:
    """Return games in which strong people like the last seat; with `taste`, people also do better in some seats."""
    strength, own = chance.normal(0, 0.6, people), chance.normal(0, taste, (people, 4))
    who = np.argsort(chance.random((games, people)), axis=1)[:, :4]
    who = np.take_along_axis(who, np.argsort(strength[who] + chance.gumbel(0, 0.3, who.shape), axis=1), axis=1)
    lines = strength[who] + SEATS + own[who, np.arange(4)] + chance.gumbel(size=who.shape)
    effects = np.stack([np.broadcast_to(np.arange(4), who.shape), who + 4], axis=2)
    return Games(effects, np.eye(4)[lines.argmax(axis=1)], np.arange(games), who)


def coverage(tables: int, games: int, people: int, taste: float, seed: int) -> dict[str, float]:
    """Return how often intervals of 95 % cover the true effects of seats: of raw shares, and of two kinds of errors."""
    chance = np.random.Generator(np.random.PCG64(seed))
    true = SEATS - SEATS.mean()
    lines = np.hstack([np.eye(4) - 0.25, np.zeros((4, people))])
    covered: dict[str, list[bool]] = {"raw": [], "independent": [], "people": []}
    for _ in range(tables):
        table = drawn(chance, games, people, taste)
        fit = Choice([table], [4, people], [SEAT_PRIOR, PRIOR]).fit()
        wide = abs(float(stdtrit(fit.clusters - 1, 0.025)))
        off = np.abs(lines @ fit.effect - true)
        covered["people"] += list(off <= wide * np.sqrt(np.diag(fit.variance(lines))))
        covered["independent"] += list(off <= 1.96 * np.sqrt(np.diag(lines @ fit.covariance @ lines.T)))
        wins = table.won.sum(axis=0)
        raw = np.log(wins / wins.sum())
        error = lines[:, :4] * np.sqrt(1 / wins)
        covered["raw"] += list(np.abs(raw - raw.mean() - true) <= 1.96 * np.sqrt((error**2).sum(axis=1)))
    return {name: float(np.mean(values)) for name, values in covered.items()}


@pytest.mark.parametrize(
    ("games", "people", "taste", "least"), [(2000, 24, 0.0, 0.93), (200, 12, 0.0, 0.93), (2000, 24, 0.3, 0.85)]
)
def test_intervals_cover_the_true_effect_of_a_seat(games: int, people: int, taste: float, least: float) -> None:
    """0.93 is 1.8 standard errors below 95 % for 400 values; people with tastes are few clusters, and cover less."""
    rates = coverage(TABLES, games, people, taste, seed=7)
    print(f"{games} games, {people} people, tastes {taste}: {rates}")
    assert rates["people"] >= least
    assert rates["raw"] < 0.7
