"""Conditional logit, against Agresti's baseball data."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.choice import Model, Separated

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
# Agresti, Categorical Data Analysis, American League 1987: home wins-losses against each other team, in the order above
HOME = (
    "4-3 4-2 4-3 6-1 4-2 6-0", "3-3 4-2 4-3 6-0 6-1 4-3", "2-5 4-3 2-4 4-3 4-2 6-0", "3-3 5-1 2-5 4-3 4-2 6-1",
    "5-1 2-5 3-3 4-2 5-2 6-0", "2-5 3-3 3-4 4-3 4-2 2-4", "2-5 1-5 1-6 2-4 1-6 3-4",
)  # fmt: skip


def season() -> tuple[np.ndarray, np.ndarray]:
    """Return who met whom, home team first, and their wins."""
    pairs, wins = [], []
    for home, line in enumerate(HOME):
        others = [team for team in range(7) if team != home]
        for away, record in zip(others, line.split(), strict=True):
            pairs.append((home, away))
            wins.append([int(number) for number in record.split("-")])
    return np.array(pairs), np.array(wins, float)


def test_abilities_without_home_advantage() -> None:
    pairs, wins = season()
    fit = Model(pairs, 7, np.zeros_like(pairs), (1,)).fit(wins)
    abilities = fit.strength - fit.strength[TEAMS.index("Baltimore")]
    assert abilities == pytest.approx([1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0], abs=0.005)


def test_home_advantage_and_its_error() -> None:
    pairs, wins = season()
    fit = Model(pairs, 7, np.tile([0, 1], (len(pairs), 1)), (2,)).fit(wins)
    line = np.zeros(9)
    line[7:] = 1, -1
    assert fit.seat[0] - fit.seat[1] == pytest.approx(0.302, abs=5e-4)
    assert np.sqrt(line @ fit.covariance @ line) == pytest.approx(0.131, abs=5e-4)


def test_the_gradient_vanishes_at_the_fit() -> None:
    pairs, wins = season()
    model = Model(pairs, 7, np.tile([0, 1], (len(pairs), 1)), (2,))
    assert model.scores(model.fit(wins), wins).sum(axis=0) == pytest.approx(np.zeros(9), abs=1e-8)


def test_strengths_come_out_of_expected_wins() -> None:
    """Fed with the very chances of a model, with three at the table and two, the fit returns the model."""
    strength, three, two = np.array([1.0, 0.2, -1.2]), np.array([0.3, 0.1, -0.4]), np.array([0.25, -0.25])
    lineups = [(0, 1, 2), (2, 1, 0), (1, 1, 0), (2, 0, 0), (0, 1), (1, 2)]
    strategy = np.array([(*seats, 0)[:3] for seats in lineups])
    seats = np.array([(0, 1, 2) if len(seats) == 3 else (3, 4, -1) for seats in lineups])
    advantage = np.concatenate([three, two, [-np.inf]])
    odds = np.exp(strength[strategy] + advantage[seats])
    wins = odds / odds.sum(axis=1, keepdims=True) * 1000
    fit = Model(strategy, 3, seats, (3, 2)).fit(wins)
    assert fit.strength == pytest.approx(strength, abs=1e-8)
    assert fit.seat == pytest.approx([*three, *two], abs=1e-8)


@pytest.mark.parametrize("wins", [[[5.0, 0.0], [0.0, 5.0]], [[0.0, 0.0], [0.0, 0.0]]], ids=["always wins", "no games"])
def test_data_without_a_maximum_are_told(wins: list[list[float]]) -> None:
    pairs = np.array([(0, 1), (1, 0)])
    with pytest.raises(Separated):
        Model(pairs, 2, np.tile([0, 1], (2, 1)), (2,)).fit(np.array(wins))


def test_seats_that_never_change_cannot_be_told_from_strategies() -> None:
    with pytest.raises(Separated):
        Model(np.array([(0, 1)]), 2, np.array([(0, 1)]), (2,)).fit(np.array([[70.0, 30.0]]))


def test_reduced_coefficients_have_the_length_of_those_that_they_stand_for() -> None:
    """So that bounds on them mean the same for few strategies and for many; a lone seat has no coefficient."""
    gauge = Model(np.array([(0, 1, 2)]), 3, np.zeros((1, 3), int), (1, 4)).gauge
    assert gauge.shape == (8, 2 + 0 + 3)
    assert gauge.T @ gauge == pytest.approx(np.eye(5))
