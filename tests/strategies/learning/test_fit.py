"""Fits find what outcomes were made of: weights, and a bend that no weighted sum can follow."""

from __future__ import annotations

import numpy as np
import pytest

from strategies.learning.fit import fit_net, fit_sum, predict, r_squared, wins_alone
from strategies.learning.self_play import Samples
from strategies.searching import MOST_POINTS
from strategies.value import Value

ROWS = 40_000


def rows(bend: float = 0.0, noise: float = 1.0) -> Samples:
    """Return rows whose lead is 3 a - 0.5 b t + 2, with t the time left, and perhaps a bend in a."""
    draw = np.random.default_rng(1)
    numbers = np.stack(
        [draw.integers(0, 10, ROWS), draw.integers(-20, 20, ROWS), draw.integers(0, 8, ROWS), np.full(ROWS, 6)], axis=1
    ).astype(np.int32)
    left, one, other = numbers[:, 0], numbers[:, 1], numbers[:, 2]
    lead = 3 * one - 0.5 * other * left + 2 + bend * np.abs(one) + noise * draw.normal(size=ROWS)
    share = np.zeros(ROWS, np.float32)
    return Samples(numbers, np.zeros(ROWS, np.int32), share, lead.astype(np.float32))


def test_a_sum_finds_the_weights_that_made_the_outcomes() -> None:
    fit = fit_sum(rows(), 60.0)
    weights = fit.parts.weights[0]
    assert weights[1] == pytest.approx(3, abs=0.02)  # a
    assert weights[4 + 2] == pytest.approx(-0.5, abs=0.02)  # b times the time left
    assert abs(weights[4 + 1]) < 0.02
    assert fit.r2 > 0.99
    assert predict(fit.parts, np.array([[0, 0, 0, 6]], np.int32))[0] == pytest.approx(2, abs=0.2)
    assert np.isfinite(weights).all() and weights[3] == weights[7] - weights[7] == 0  # what never varies says nothing


def test_a_win_counts_as_so_many_points() -> None:
    samples = rows()
    with_wins = samples._replace(share=(samples.numbers[:, 1] > 0).astype(np.float32))
    assert fit_sum(with_wins, 100.0).parts.weights[0][1] > fit_sum(with_wins, 0.0).parts.weights[0][1] + 2


def test_hidden_units_follow_a_bend_that_a_sum_cannot() -> None:
    samples = rows(bend=3.0)
    flat = fit_sum(samples, 60.0)
    bent = fit_net(samples, 60.0, 8, 1, flat.parts)
    assert flat.r2 < 0.92
    assert bent.r2 > 0.97
    assert r_squared(Value.of(bent.parts).floats, samples, 60.0) == pytest.approx(bent.r2, abs=0.01)


@pytest.mark.parametrize(("win", "alone"), [(20.0, 200.0), (900.0, 2000.0), (10_000.0, 10_000.0)])
def test_a_win_alone_stays_within_what_a_file_may_say(win: float, alone: float) -> None:
    assert wins_alone(win) == alone <= MOST_POINTS


def test_few_rows_are_enough_for_a_sum() -> None:
    few = Samples(*(part[:1500] for part in rows()))
    assert fit_sum(few, 60.0).parts.weights[0][1] == pytest.approx(3, abs=0.2)


def test_the_same_rows_and_seed_give_the_same_fit() -> None:
    samples = rows(bend=3.0)
    first, second = (fit_net(samples, 60.0, 4, 7, fit_sum(samples, 60.0).parts) for _ in range(2))
    assert np.array_equal(first.parts.weights, second.parts.weights)
