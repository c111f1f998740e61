"""Do the intervals of runs to a precision hold?  `pytest tests/verification/test_precision.py -s` prints how often.

Every experiment looks at its games after the numbers that `simulate --precision` looks at, and ends when that does.
docs/reference/methods.md records the figures; the share of 2,000 experiments has an error of half a point.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis.measures.requested import measured
from analysis.precision import Goal, read_goal, stages
from analysis.seats.shares import seat_shares
from simcore.running.batch import Spec
from simcore.running.tally import Totals
from tests.specs import make_spec

EXPERIMENTS = 2_000

CHANCES = {
    "four equal seats": (0.25, 0.25, 0.25, 0.25),
    "the seats of a skilled line-up": (0.378, 0.218, 0.197, 0.207),
    "two seats, Pig": (0.5347, 0.4653),
    "a seat that wins 97 of 100": (0.97, 0.01, 0.01, 0.01),
}


def counted(spec: Spec, wins: np.ndarray) -> Totals:
    """Return the totals of games by who won them."""
    totals = Totals(spec)
    tally = totals.tally
    tally.games = tally.deals = int(wins.sum())
    tally.seat_sum[:] = tally.unit * wins
    tally.seat_square[:] = tally.unit**2 * wins
    return totals


def experiment(spec: Spec, goal: Goal, chances: tuple[float, ...], rng: np.random.Generator) -> tuple[bool, int]:
    """Play to a precision; return whether all intervals hold, and how many games that took."""
    wins, before = np.zeros(len(chances), np.int64), 0
    for stage in stages(spec, goal):
        wins += rng.multinomial(stage.games - before, chances)
        before = stage.games
        totals = counted(spec, wins)
        if goal.reached(spec, totals):
            found = seat_shares(spec, totals.tally).estimates
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


def scores(rng: np.random.Generator, games: int) -> np.ndarray:
    """Scores of four seats that share the luck of the deal."""
    return np.rint(40 + 8 * rng.standard_normal((games, 1)) + [10, 8, 12, 9] * rng.standard_normal((games, 4)))


MEASURES: dict[str, tuple[Callable[[np.random.Generator, int], np.ndarray], float]] = {
    "score": (scores, 40.0),
    "margin": (lambda rng, games: np.floor(rng.exponential(9.0, (games, 1))), 1 / (np.exp(1 / 9.0) - 1)),
    "lead_changes": (lambda rng, games: rng.poisson(2.3, (games, 1)), 2.3),
    "ties": (lambda rng, games: rng.random((games, 1)) < 0.03, 0.03),
    "comeback": (lambda rng, games: rng.random((games, 1)) < 0.3, 0.3),
}
"""What games come to in a measure, and its true mean."""


@pytest.mark.parametrize(
    "wish",
    ["score=1", "score=0.5", "margin=0.5", "margin=0.2", "lead_changes=0.1", "lead_changes=0.03", "ties=1pp",
     "ties=0.3pp", "comeback=3pp", "comeback=1pp"],
)  # fmt: skip
def test_intervals_of_measures_hold_where_the_run_ended(wish: str) -> None:
    draw, truth = MEASURES[wish.partition("=")[0]]
    goal, spec, rng = read_goal(wish), make_spec(4, ["random"] * 4), np.random.default_rng(1)
    held, ends = 0, []
    for _ in range(EXPERIMENTS):
        totals, before = Totals(spec, goal.also(spec)), 0
        (own,) = totals.more.filled.values()
        for stage in stages(spec, goal):
            own.moments.add(draw(rng, stage.games - before))
            totals.tally.games = before = stage.games
            if goal.reached(spec, totals):
                break
        held += all(one.low <= truth <= one.high for one in measured(totals))
        ends.append(before)
    print(f"\n{wish}: {held / EXPERIMENTS:.2%} of {EXPERIMENTS:,}; {min(ends):,} to {max(ends):,} games")
    assert held / EXPERIMENTS >= 0.94
