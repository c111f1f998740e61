"""One verdict on seats for every command: its margin, what it says of lopsided tables, and how many deals it names."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.seats.advantage import seat_advantage
from analysis.seats.shares import Lines, StrategySeats, among_equals, judge_lines, judge_totals
from analysis.stats.intervals import max_t, share_interval
from analysis.stats.margin import FAIR
from reports.words import ENGLISH
from simcore.running.executors import execute
from tests.analysis.lopsided import chances_of
from tests.analysis.made import Made, finals
from tests.specs import make_spec

CHAMPIONS = (0.51, 0.23, 0.15, 0.11)
"""What the seats of four equal players win."""


def lopsided(odds: float, deals: int, seats: tuple[float, ...] = CHAMPIONS, seed: int = 1) -> Made:
    """Return games of one strong player who changes seats with three weak ones, by a logit of strength and seat."""
    weight = np.array(seats)
    strong = [odds * weight[seat] / (odds * weight[seat] + weight.sum() - weight[seat]) for seat in range(4)]
    chance = chances_of(strong, seats)
    rng = np.random.default_rng(seed)
    winner = [(rng.random(deals)[:, None] > chance[seat].cumsum()).sum(axis=1) for seat in range(4)]
    scores = np.eye(4, dtype=int)[np.stack(winner, axis=1).ravel()]
    spec = make_spec(4, ["champion", "greedy", "greedy", "greedy"], design="rotate", games=4 * deals)
    strategy = np.array([[(seat - turn) % 4 for seat in range(4)] for turn in range(4)])
    return Made(finals(scores, np.tile(strategy, (deals, 1))), spec)


def test_a_player_who_always_wins_does_not_make_the_seats_fair() -> None:
    """The seats differ as 51 to 11; yet every seat wins its par at this table, for the strong player sits in each."""
    found = seat_advantage(lopsided(200.0, 20_000))
    assert found.table["share"].to_list() == pytest.approx([0.25] * 4, abs=0.02)
    assert found.verdict.code == "seats_mixed_tilted_high"
    assert "seat 1" in ENGLISH.verdict(found.verdict)


def test_the_odds_of_the_strong_player_give_the_shares_of_equal_players() -> None:
    """Exact under the logit: the strong player wins 95 % of its games, and its seats are as 51, 23, 15 and 11."""
    source = lopsided(60.0, 40_000)
    table = seat_advantage(source).by_strategy.filter(pl.col("strategy") == "champion")
    seen = table["par_normalised"].to_numpy() / 4
    cells = StrategySeats(["champion"] * 4, [1, 2, 3, 4], seen, seen, seen, np.full(4, 40_000.0), 2.4977)
    assert among_equals(source.spec, cells, FAIR).share == pytest.approx(CHAMPIONS, abs=0.02)


def test_the_odds_of_level_seats_keep_shares_ranges_and_errors() -> None:
    """2.4977 standard errors hold for four seats at once: the normal quantile of 1 - .05 / 8."""
    seen = np.full(4, 0.25)
    cells = StrategySeats(["champion"] * 4, [1, 2, 3, 4], seen, seen - 0.02, seen + 0.02, np.full(4, 40_000.0), 2.4977)
    lines = among_equals(lopsided(1.0, 40).spec, cells, FAIR)
    for one, expected in ((lines.share, 0.25), (lines.low, 0.23), (lines.high, 0.27), (lines.se, 0.02 / 2.4977)):
        assert one == pytest.approx(np.full(4, expected), rel=1e-4)


@pytest.mark.parametrize("level", [0.95, 0.999])
def test_the_error_of_a_strategys_seats_does_not_depend_on_the_level(level: float) -> None:
    result = seat_advantage(lopsided(3.0, 2_000, (1, 1, 1, 1)), level)
    lines = result.verdict.lines
    assert lines is not None
    share, error = (result.by_strategy[f"par_normalised{end}"].to_numpy() / 4 for end in ("", "_se"))
    by_odds = lines.share * (1 - lines.share) / share / (1 - share)
    assert lines.se == pytest.approx(error * by_odds, rel=0.03)


def test_seats_are_level_within_each_strategy() -> None:
    found = seat_advantage(lopsided(3.0, 40_000, (1, 1, 1, 1)))
    assert found.verdict.code == "seats_mixed_fair"


def test_among_equal_players_the_odds_give_back_the_shares() -> None:
    """One strategy under two names: judged within each name, the first seat wins what it wins at the whole table."""
    found = seat_advantage(lopsided(1.0, 40_000))
    assert found.verdict.values["share"] == pytest.approx(0.51, abs=0.02)


def test_few_deals_of_a_lopsided_table_are_not_fair() -> None:
    for seed in range(4):
        assert seat_advantage(lopsided(500.0, 50, seed=seed)).verdict.status != "fair"


@pytest.mark.parametrize("strategies", [["champion"], ["champion", "greedy", "greedy", "greedy"]])
def test_simulate_gives_the_verdict_of_the_report(strategies: list[str]) -> None:
    spec = make_spec(4, strategies, design="rotate", games=2_000)
    (said,) = judge_totals(spec, execute(spec, 1).tally)
    found = seat_advantage(spec).verdict
    if len(strategies) == 1:
        assert said.code == found.code
        assert ENGLISH.verdict(said) == ENGLISH.verdict(found)
    else:  # the totals of a run do not tell the seats of each strategy
        assert (said.code, said.status) == ("seats_hidden", "unknown")
        assert found.code.startswith("seats_mixed")


def test_a_third_of_a_point_does_not_stand_out() -> None:
    """25.3 % of a million wins are surely above 25 %, and fair."""
    tosses = np.random.default_rng(1).choice(4, 1_000_000, p=[0.253, 0.249, 0.249, 0.249])
    found = seat_advantage(Made(finals(np.eye(4, dtype=int)[tosses]), make_spec(4, games=1_000_000)))
    assert found.table["share_low"][0] > 0.25
    assert found.verdict.status == "fair"
    assert "each wins 22.0% to 28.0% of the games" in ENGLISH.verdict(found.verdict)


def told(share: float, deals: int, runs: int) -> float:
    """Return how often runs of two players, of whom the first wins with some chance, are fair or tilted by 2 points."""
    found = 0
    for first in np.random.default_rng(5).binomial(deals, share, runs) / deals:
        shares = np.array([first, 1 - first])
        se = np.sqrt(shares * (1 - shares) / (deals - 1))
        low, high = share_interval(shares, se, deals, max_t(2))
        lines = Lines([{"seat": 1}, {"seat": 2}], shares, se, low, high, np.full(2, 0.5), np.full(2, 0.02))
        found += judge_lines("seats", lines, deals, {}).status in ("fair", "tilted")
    return found / runs


@pytest.mark.parametrize("share", [0.5, 0.512, 0.53])
def test_so_many_deals_show_a_fair_game_in_nine_runs_of_ten(share: float) -> None:
    """As many deals as the sentence names, wherever the shares happened to lie: a fair game gives all of these."""
    first = np.arange(500) < round(500 * share)
    verdict = seat_advantage(Made(finals(np.stack([first, ~first], axis=1).astype(int))), margin="2pp").verdict
    assert verdict.code == "seats_unclear"
    assert verdict.values["needed"] > 500
    assert told(0.5, verdict.values["needed"], 400) >= 0.87
    assert told(0.5, verdict.values["needed"] // 3, 400) <= 0.75


def test_more_deals_do_not_settle_what_lies_at_the_margin() -> None:
    first = np.arange(100_000) < 52_010
    verdict = seat_advantage(Made(finals(np.stack([first, ~first], axis=1).astype(int))), margin="2pp").verdict
    assert (verdict.code, verdict.status) == ("seats_near", "unclear")
    assert "is too close to the limit to call" in ENGLISH.verdict(verdict)
