"""Seat advantage: shares, intervals, verdicts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from analysis.data.results import Note
from analysis.seats.advantage import seat_advantage
from analysis.seats.by_skill import seats_by_skill
from analysis.seats.distance import DISTANCE
from analysis.seats.shares import seat_shares
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.running.executors import execute
from tests.analysis.made import Made, finals
from tests.specs import make_spec


def coin_tosses(games: int, chance: float, seed: int = 1) -> np.ndarray:
    """Two-player games that the first seat wins with some chance."""
    first = np.random.default_rng(seed).random(games) < chance
    return np.stack([first, ~first], axis=1).astype(int)


def test_shares_and_errors_by_hand() -> None:
    """First seat wins 60 of 100: .6, and sd sqrt(.24 * 100/99) over sqrt(100).

    The interval is Clopper and Pearson's of as many games as the error implies (two deals more, of variance .24), fewer
    by the square of 1.95996 over 1.98422, which is Student's t with 99 degrees of freedom.
    """
    scores = [[1, 0]] * 60 + [[0, 1]] * 40
    row = seat_advantage(Made(finals(scores))).table.row(0, named=True)
    se = np.sqrt(0.6 * 0.4 / 99)
    assert row["share"] == pytest.approx(0.6)
    assert row["par_normalised"] == pytest.approx(1.2)
    assert row["share_se"] == pytest.approx(se)
    games = 100 * 0.24 / ((100 * 0.24 * 100 / 99 + 2 * 0.24) / 102) * (1.95996 / 1.98422) ** 2
    assert row["share_low"] == pytest.approx(beta.ppf(0.025, 0.6 * games, 0.4 * games + 1), abs=1e-5)
    assert row["par_normalised_high"] == pytest.approx(2 * beta.ppf(0.975, 0.6 * games + 1, 0.4 * games), abs=1e-5)
    assert row["score"] == pytest.approx(0.6)


def test_ties_share_the_win() -> None:
    table = seat_advantage(Made(finals([[1, 1, 0], [0, 2, 2], [3, 3, 3]]))).table
    assert table["share"].to_list() == pytest.approx([5 / 18, 8 / 18, 5 / 18])


def test_few_deals_have_no_interval() -> None:
    found = seat_advantage(Made(finals(coin_tosses(29, 0.5))))
    assert found.table["share_low"].null_count() == 2
    assert found.verdict.status == "unknown"
    assert (found.distance.low, found.distance.high) == (None, None)
    assert [note.values["deals"] for note in found.notes if note.code == "run_few_deals"] == [29]


@pytest.mark.parametrize(("chance", "status"), [(0.5347, "tilted"), (0.5, "fair"), (0.52, "unclear")])
def test_verdicts(chance: float, status: str) -> None:
    """.5347 is what the first player of Pig wins, both holding at 20 (METHODS)."""
    found = seat_advantage(Made(finals(coin_tosses(40_000, chance))), margin="2pp")
    assert found.verdict.status == status


def test_the_margin_may_be_chosen() -> None:
    tosses = Made(finals(coin_tosses(40_000, 0.5347)))
    assert seat_advantage(tosses, margin=0.06).verdict.status == "fair"
    with pytest.raises(UsageError, match="margin"):
        seat_advantage(tosses, margin=2)


def test_rotations_of_a_deal_count_once() -> None:
    """Two games a deal that always end alike: the error is that of half as many games."""
    spec = make_spec(2, ["greedy", "random"], design="rotate")
    once = coin_tosses(500, 0.6)
    twice = Made(finals(np.repeat(once, 2, axis=0), [[0, 1], [1, 0]] * 500), spec)
    found = seat_advantage(twice)
    alone = seat_advantage(Made(finals(once)))
    assert found.inputs[0].deals == 500
    assert found.table["share_se"].to_list() == pytest.approx(alone.table["share_se"].to_list())


def test_strategies_by_seat() -> None:
    spec = make_spec(2, ["greedy", "random"], design="rotate")
    # greedy (0) wins from seat 1 always, from seat 2 in every other deal
    scores = [[1, 0], [0, 1], [1, 0], [1, 0]] * 50
    strategy = [[0, 1], [1, 0]] * 100
    table = seat_advantage(Made(finals(scores, strategy), spec)).by_strategy
    share = {(row["strategy"], row["seat"]): row["par_normalised"] for row in table.iter_rows(named=True)}
    assert share == pytest.approx({("greedy", 1): 2.0, ("greedy", 2): 1.0, ("random", 1): 1.0, ("random", 2): 0.0})
    assert set(table["times"]) == {100}


def test_fixed_seats_with_different_strategies_say_nothing_about_seats() -> None:
    spec = make_spec(2, ["greedy", "random"], design="fixed")
    found = seat_advantage(Made(finals(coin_tosses(5000, 0.9), [[0, 1]] * 5000), spec))
    assert found.verdict.code == "seats_confounded"
    assert "confounded" in {note.code for note in found.notes}


def test_it_agrees_with_what_simulate_prints() -> None:
    spec = make_spec(3, ["greedy"], games=2_000)
    tally = seat_shares(spec, execute(spec, 1).tally)
    table = seat_advantage(spec).table
    assert table["share"].to_list() == pytest.approx([estimate.share for estimate in tally.estimates])
    assert table["score"].to_list() == pytest.approx([estimate.score for estimate in tally.estimates])
    widths = ((table["share_high"] - table["share_low"]) / 2).to_list()
    assert widths == pytest.approx([estimate.half_width for estimate in tally.estimates], rel=1e-3)


def test_turn_positions_average_to_the_middle() -> None:
    table = seat_advantage(make_spec(4, ["greedy"], games=500)).table
    assert table["turn"].mean() == pytest.approx(2.5)


def test_unclear_seats_say_how_many_deals_would_tell() -> None:
    verdict = seat_advantage(Made(finals(coin_tosses(1_000, 0.5, 3))), margin="4%").verdict
    assert (verdict.code, verdict.status) == ("seats_unclear", "unclear")
    assert verdict.values["needed"] > 1_000
    assert f"about {verdict.values['needed']:,} deals show it in nine runs of ten" in ENGLISH.verdict(verdict)


def test_skill_moves_the_seats_apart() -> None:
    """A trend needs every step; two levels, or one step against the trend, only compare one end with the other."""
    weak, middle, strong = (
        Made(finals(coin_tosses(5000, chance, seed))) for seed, chance in enumerate((0.52, 0.6, 0.7), 1)
    )
    found = seats_by_skill([weak, strong], ["weak", "strong"])
    assert found.verdict.code == "skill_wider"
    assert seats_by_skill([strong, weak]).verdict.code == "skill_narrower"
    assert seats_by_skill([weak, middle, strong]).verdict.code == "skill_widens"
    assert seats_by_skill([strong, middle, weak]).verdict.code == "skill_closes"
    assert seats_by_skill([weak, strong, middle]).verdict.code == "skill_wider"
    assert seats_by_skill([weak, weak, strong]).verdict.code == "skill_wider"


def test_a_distance_is_printed_with_its_interval() -> None:
    """Between exchangeable seats the difference of the extremes is above 0 in every run; its interval is not."""
    found = seats_by_skill([Made(finals(coin_tosses(5000, 0.5, seed))) for seed in (1, 2, 3)], list("abc"))
    assert (found.distances["distance"] > 0).all()
    assert (found.distances["distance_low"] == 0).all()
    value, low, high = (100 * found.distances[name][0] for name in DISTANCE)
    assert f"{value:.1f} ({low:.1f} to {high:.1f}) under a" in ENGLISH.verdict(found.verdict)


def test_skill_moves_the_distance_of_given_runs() -> None:
    weak, strong = Made(finals(coin_tosses(5000, 0.52, 1))), Made(finals(coin_tosses(5000, 0.7, 2)))
    found = seats_by_skill([weak, strong], ["weak", "strong"])
    assert found.distances["distance"].to_list() == pytest.approx([run.distance.value for run in found.runs])
    assert found.table.height == 4
    assert Note("shared_deals") in found.notes


def test_skill_compares_like_with_like() -> None:
    with pytest.raises(UsageError, match="differ in game or players"):
        seats_by_skill([make_spec(2, games=30), make_spec(3, games=30)])
    with pytest.raises(UsageError, match="no runs"):
        seats_by_skill([])
    with pytest.raises(UsageError, match="1 names for 2 runs"):
        seats_by_skill([make_spec(2, games=30)] * 2, ["one"])


def test_a_result_tells_its_tables_and_where_it_came_from() -> None:
    found = seat_advantage(make_spec(2, games=100))
    assert list(found.tables) == ["table", "by_strategy"]
    assert found.to_polars() is found.table
    assert found.to_pandas().shape == found.table.shape
    assert ENGLISH.describe(found).startswith(ENGLISH.verdict(found.verdict))
    assert found.inputs[0].rules == "base"
    with pytest.raises(UsageError, match="did you mean 'by_strategy'"):
        found.to_polars("by_stratgy")
