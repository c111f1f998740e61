"""Conditional logit with several effects: known answers, other libraries, and errors by cluster."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.choice import PRIOR, SEAT_PRIOR, Choice, Fit, Games, Model

SEATS = 3


def played(games: int, people: int, seed: int = 1) -> Games:
    chance = np.random.Generator(np.random.PCG64(seed))
    who = np.argsort(chance.random((games, people)), axis=1)[:, :SEATS]
    strength, seat = np.linspace(-0.5, 0.5, people), np.array([0.4, 0.0, -0.4])
    won = (strength[who] + seat + chance.gumbel(size=who.shape)).argmax(axis=1)
    effects = np.stack([np.broadcast_to(np.arange(SEATS), who.shape), who + SEATS], axis=2)
    return Games(effects, np.eye(SEATS)[won], np.arange(games), who)


def test_effects_and_errors_are_those_of_the_other_model() -> None:
    """`analysis.stats.choice`, which has no prior, on so many games that a prior does not matter."""
    games = played(6000, 5)
    found = Choice([games], [SEATS, 5], [SEAT_PRIOR, PRIOR]).fit()
    model = Model(games.effects[:, :, 1] - SEATS, 5, np.broadcast_to(np.arange(SEATS), games.won.shape), [SEATS])
    other = model.fit(games.won)
    assert found.effect[:SEATS] == pytest.approx(other.seat, abs=2e-3)
    assert found.effect[SEATS:] == pytest.approx(other.strength, abs=2e-3)
    lines = np.hstack([np.eye(SEATS) - 1 / SEATS, np.zeros((SEATS, 5))])
    hessian = np.sqrt(np.diag(lines @ found.covariance @ lines.T))
    assert hessian == pytest.approx(np.sqrt(np.diag(other.covariance)[5:]), rel=5e-3)


def test_without_people_a_seat_s_effect_is_the_logarithm_of_its_wins() -> None:
    won = np.repeat(np.eye(2), [30, 10], axis=0)
    effects = np.broadcast_to(np.arange(2)[None, :, None], (40, 2, 1))
    found = Choice([Games(effects, won, np.arange(40))], [2], [SEAT_PRIOR]).fit()
    assert found.effect[0] - found.effect[1] == pytest.approx(np.log(3), rel=0.01)
    error = np.sqrt(np.array([1, -1]) @ found.clustered @ np.array([1, -1]))
    assert error == pytest.approx(np.sqrt(1 / 30 + 1 / 10) * np.sqrt(40 / 39), rel=0.01)


def test_games_of_one_cluster_count_as_one() -> None:
    """Every game ten times in a cluster of its own says as much as every game once."""
    games = played(400, 6)
    again = Games(*(np.repeat(item, 10, axis=0) for item in (games.effects, games.won, games.cluster)))
    lines = np.zeros((1, SEATS + 6))
    lines[0, :2] = 1, -1
    once = Choice([Games(games.effects, games.won, games.cluster)], [SEATS, 6], [SEAT_PRIOR, PRIOR]).fit()
    ten = Choice([again], [SEATS, 6], [SEAT_PRIOR, PRIOR]).fit()
    error = [float(np.sqrt((lines @ fit.clustered @ lines.T)[0, 0])) for fit in (once, ten)]
    assert error[1] == pytest.approx(error[0], rel=0.02)
    assert np.sqrt((lines @ ten.covariance @ lines.T)[0, 0]) < 0.4 * error[1]


def test_somebody_who_never_won_has_a_finite_strength() -> None:
    games = played(200, 5)
    won = np.where(games.effects[:, :, 1] == SEATS, 0.0, games.won)
    kept = won.sum(axis=1) > 0
    own = Games(games.effects[kept], won[kept], games.cluster[kept], None)
    found = Choice([own], [SEATS, 5], [SEAT_PRIOR, PRIOR]).fit()
    assert found.effect[SEATS] == found.effect[SEATS:].min() and -6 < found.effect[SEATS] < -1.5


def test_a_seat_that_always_won_has_a_finite_effect() -> None:
    effects = np.broadcast_to(np.arange(2)[None, :, None], (40, 2, 1))
    won = np.tile([1.0, 0.0], (40, 1))
    found = Choice([Games(effects, won, np.arange(40))], [2], [SEAT_PRIOR]).fit()
    assert 3 < found.effect[0] - found.effect[1] < 15


@pytest.mark.parametrize(
    ("clustered", "kept"),
    [([0.25, 0.04], [1.0, 0.04]), ([0.25, 0.0], [1.0, 0.01]), ([4.0, 0.04], [4.0, 0.04])],
)
def test_the_larger_of_both_variances_is_taken(clustered: list[float], kept: list[float]) -> None:
    """Of the first effect the games alone say 1, of the second 0.01; a cluster that shows no variance says nothing."""
    fit = Fit(np.zeros(2), np.diag([1.0, 0.01]), np.diag(clustered), 10, np.zeros((2, 0)))
    assert fit.variance(np.eye(2)) == pytest.approx(np.diag(kept))
