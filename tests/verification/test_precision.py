"""Do the intervals of runs to a precision hold?  `pytest tests/verification/test_precision.py -s` prints how often.

Every experiment looks at its games after the numbers that `simulate --precision` looks at, and ends when that does.
docs/statistics.md records the figures; the share of 2,000 experiments has an error of half a point.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.seats.precision import Goal, read_goal, stages
from analysis.seats.shares import seat_shares
from simcore.running.batch import Spec
from simcore.running.tally import Tally
from tests.specs import make_spec

EXPERIMENTS = 2_000

CHANCES = {
    "four equal seats": (0.25, 0.25, 0.25, 0.25),
    "the seats of a skilled line-up": (0.378, 0.218, 0.197, 0.207),
    "two seats, Pig": (0.5347, 0.4653),
    "a seat that wins 97 of 100": (0.97, 0.01, 0.01, 0.01),
}


def counted(spec: Spec, wins: np.ndarray) -> Tally:
    """Return the tally of games by who won them."""
    tally = Tally(spec)
    tally.games = tally.deals = int(wins.sum())
    tally.seat_sum[:] = tally.unit * wins
    tally.seat_square[:] = tally.unit**2 * wins
    return tally


def experiment(spec: Spec, goal: Goal, chances: tuple[float, ...], rng: np.random.Generator) -> tuple[bool, int]:
    """Play to a precision; return whether all intervals hold, and how many games that took."""
    wins, before = np.zeros(len(chances), np.int64), 0
    for stage in stages(spec, goal):
        wins += rng.multinomial(stage.games - before, chances)
        before = stage.games
        tally = counted(spec, wins)
        if goal.reached(spec, tally):
            found = seat_shares(spec, tally).estimates
            return all(one.low <= chance <= one.high for one, chance in zip(found, chances, strict=True)), before
    raise AssertionError("no precision was reached")


@pytest.mark.parametrize("points", ["3pp", "1pp", "0.3pp"])
@pytest.mark.parametrize("name", CHANCES)
def test_intervals_hold_where_the_run_ended(name: str, points: str) -> None:
    chances, goal = CHANCES[name], read_goal(points)
    spec = make_spec(len(chances), ["random"] * len(chances))
    rng = np.random.default_rng(1)
    held, games = zip(*(experiment(spec, goal, chances, rng) for _ in range(EXPERIMENTS)), strict=True)
    least, most = min(games), max(games)
    print(f"\n{name}, ±{points}: {np.mean(held):.2%} of {EXPERIMENTS:,}; {least:,} to {most:,} games")
    assert np.mean(held) >= 0.94
