"""Win shares by seat and strategy, and their intervals."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from analysis.seats.advantage import seat_advantage
from analysis.seats.shares import exchangeable, seat_shares, standard_error, strategy_shares
from simcore.running.executors import execute
from simcore.running.tally import Tally
from tests.specs import make_spec


def test_standard_error_is_that_of_deals() -> None:
    values = np.random.default_rng(1).integers(0, 61, 500)
    expected = values.std(ddof=1) / math.sqrt(500) / 60
    assert standard_error(int(values.sum()), int((values**2).sum()), 500, 60) == pytest.approx(expected)


def test_few_deals_have_no_interval() -> None:
    spec = make_spec(2, games=29)
    shares = seat_shares(spec, execute(spec, 1).tally)
    assert all(math.isnan(estimate.low) and math.isnan(estimate.high) for estimate in shares.estimates)


def test_who_always_wins_has_an_interval() -> None:
    """Champion against random, 30 deals of two games: the rule of three, and no `100.00% to 100.00%`."""
    spec = make_spec(2, ["champion", "random"], design="rotate", games=60)
    result = execute(spec, 1)
    best = strategy_shares(spec, result.tally).estimates[0]
    assert best.share == 1
    assert best.low == pytest.approx(0.025 ** (1 / 30), rel=1e-4)
    for seat in seat_shares(spec, result.tally).estimates:  # every deal shares its wins evenly among the seats
        assert seat.share == 0.5
        assert 0.4 < seat.low < 0.47


@pytest.mark.parametrize(("players", "constant"), [(2, 1.960), (3, 2.344), (4, 2.469), (5, 2.555), (8, 2.721)])
def test_constants_hold_for_all_seats_at_once(players: int, constant: float) -> None:
    """METHODS: 95 % max-|t| constants. Here the coverage of exchangeable normal means that sum to a constant."""
    draws = np.random.default_rng(7).standard_normal((200_000, players))
    draws = (draws - draws.mean(axis=1, keepdims=True)) / math.sqrt(1 - 1 / players)
    covered = (np.abs(draws).max(axis=1) <= constant).mean()
    assert covered == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / 200_000) + 3e-4)
    assert players > 2 or constant == pytest.approx(norm.ppf(0.975), abs=1e-3)
    judged = make_spec(2, "random").judged
    assert exchangeable(players, 0.95, 1.0, judged) == constant
    # Where nobody wins some games, shares do not sum to a constant, and Bonferroni's bound holds.
    assert exchangeable(players, 0.95, 0.8, judged) == pytest.approx(norm.ppf(1 - 0.025 / players))


def test_shares_and_scores_are_means_over_whole_deals() -> None:
    spec = make_spec(3, ["greedy", "random", "random"], design="rotate", games=3_001)
    shares = seat_shares(spec, execute(spec, 1).tally)
    assert (shares.games, shares.deals) == (3_001, 1_000)
    assert sum(estimate.share for estimate in shares.estimates) == pytest.approx(1)
    assert [estimate.name for estimate in shares.estimates] == ["seat 1", "seat 2", "seat 3"]
    assert all(estimate.par == pytest.approx(1 / 3) for estimate in shares.estimates)
    by_strategy = strategy_shares(spec, execute(spec, 1).tally).estimates
    assert [estimate.name for estimate in by_strategy] == ["greedy", "random"]
    assert [estimate.par for estimate in by_strategy] == pytest.approx([1 / 3, 2 / 3])
    assert sum(estimate.share for estimate in by_strategy) == pytest.approx(1)
    assert by_strategy[0].par_normalised == pytest.approx(3 * by_strategy[0].share)


def test_no_whole_deal_says_nothing() -> None:
    spec = make_spec(4, ["greedy", "random", "random", "random"], design="rotate", games=3)
    shares = seat_shares(spec, execute(spec, 1).tally)
    assert (shares.games, shares.deals) == (3, 0)
    assert all(math.isnan(estimate.share) and math.isnan(estimate.half_width) for estimate in shares.estimates)


def test_intervals_cover_the_truth() -> None:
    """Deals of three rotations each, made up so that one seat wins 40 %: the intervals of all seats at once cover it in
    95 % of 2,000 runs, which deals treated as independent games would not."""
    rng = np.random.default_rng(3)
    truth = np.array([0.4, 0.35, 0.25])
    covered, spec = 0, make_spec(3)
    for _ in range(2_000):
        # All three games of a deal go to the same seat: the deal is the unit of analysis.
        winner = rng.choice(3, size=400, p=truth)
        won = np.zeros((400, 3), np.int64)
        won[np.arange(400), winner] = 180
        tally: Any = Tally.__new__(Tally)
        vars(tally).update(
            players=3,
            per_deal=3,
            games=1200,
            deals=400,
            seat_sum=won.sum(axis=0),
            seat_square=(won**2).sum(axis=0),
            score_sum=np.zeros(3, np.int64),
            unit=60,
            divisor=1,
        )
        estimates = seat_shares(spec, tally).estimates
        covered += all(estimate.low <= true <= estimate.high for estimate, true in zip(estimates, truth, strict=True))
    assert covered / 2_000 == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / 2_000))


def test_scores_in_parts_are_divided() -> None:
    """A kernel that counts half points: the totals of a run and its table agree on the mean score."""
    spec = make_spec(3, ["greedy", "random", "random"], games=600)
    halved = tuple(
        replace(column, divisor=2, type="Float32") if column.name == spec.game.score else column
        for column in spec.game.columns
    )
    shares = seat_shares(halves := replace(spec, game=replace(spec.game, columns=halved)), execute(halves, 1).tally)
    whole = seat_shares(spec, execute(spec, 1).tally)
    assert [one.score for one in shares.estimates] == pytest.approx([one.score / 2 for one in whole.estimates])
    assert [one.share for one in shares.estimates] == [one.share for one in whole.estimates]
    table = seat_advantage(halves).table
    assert table["score"].to_list() == pytest.approx([one.score for one in shares.estimates])
