"""Ratios of totals with standard errors from deals: worked by hand, and the same bytes in any order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analysis.data.results import tidy
from analysis.data.source import Block
from analysis.estimate import Sums, estimate
from analysis.seats.advantage import seat_advantage
from equipoise import simulate
from simcore.errors import UsageError

DEALS = pl.DataFrame({"deal_id": [0, 0, 1, 1, 2], "won": [1, 0, 1, 1, 0], "coins": [4, 2, 3, None, 1]})


def row(frame: pl.DataFrame) -> dict[str, float]:
    return frame.row(0, named=True)


def test_a_mean_and_its_error_are_those_worked_by_hand() -> None:
    """Three deals with totals 1, 2, 0 of 2, 2, 1 rows: r = 3/5, and the residuals t - rb are -.2, .8, -.6."""
    means = row(estimate(DEALS, {"won": pl.col("won")}))
    assert means["won"] == pytest.approx(0.6)
    assert means["won_se"] == pytest.approx(np.sqrt((0.2**2 + 0.8**2 + 0.6**2) * 3 / 2) / 5)
    assert (means["won_sum"], means["won_of"], means["won_deals"], means["rows"]) == (3, 5, 3, 5)


def test_rows_without_a_value_count_neither_above_nor_below() -> None:
    """Totals 6, 3, 1 of 2, 1, 1 values: r = 10/4, residuals 1, .5, -1.5."""
    means = row(estimate(DEALS, {"coins": pl.col("coins")}))
    assert means["coins"] == 2.5
    assert means["coins_se"] == pytest.approx(np.sqrt((1 + 0.25 + 2.25) * 3 / 2) / 4)


def test_the_difference_of_two_ratios_has_the_error_of_both_together() -> None:
    """.6 - 2.5 / 60, linearised in each deal."""
    coins = pl.col("coins").fill_null(0)
    means = row(estimate(DEALS, {"gap": (pl.col("won"), 1, coins, 60)}))
    lines = (np.array([1, 2, 0]) - 0.6 * np.array([2, 2, 1])) / 5
    lines -= (np.array([6, 3, 1]) - 10 / 300 * np.array([120, 120, 60])) / 300
    assert means["gap"] == pytest.approx(0.6 - 10 / 300)
    assert means["gap_se"] == pytest.approx(np.sqrt((lines**2).sum() * 3 / 2))


def test_one_deal_has_no_error_and_an_empty_group_no_value() -> None:
    means = estimate(DEALS, {"rich": (pl.col("won"), pl.col("coins") > 9)}, by=["deal_id"])
    assert means["rich"].to_list() == [None] * 3
    assert estimate(DEALS, {"won": pl.col("won")}, by=["deal_id"])["won_se"].to_list() == [None] * 3


def made(deals: int, per_deal: int, players: int = 3) -> Block:
    """Return games whose strategies change seats from game to game."""
    draw = np.random.default_rng(7)
    games = deals * per_deal
    strategy = (np.arange(players) + np.arange(games)[:, None] % per_deal) % players
    return Block(per_deal, {"coins": draw.integers(0, 200, (games, players)).astype(np.uint8), "strategy": strategy})


def rows_of(block: Block) -> pl.DataFrame:
    """Return one row for each game and seat."""
    games, players = block["coins"].shape
    return pl.DataFrame(
        {
            "deal_id": np.repeat(np.arange(games) // block.per_deal, players),
            "seat": np.tile(np.arange(1, players + 1), games),
            "coins": block["coins"].reshape(-1),
            "strategy": block["strategy"].reshape(-1),
        }
    )


def naive(block: Block, cells: np.ndarray, values: np.ndarray) -> dict[int, tuple[float, float]]:
    """Return mean and error of every cell, deal by deal."""
    means = {}
    for cell in np.unique(cells):
        here = (cells == cell).reshape(block.deals, -1)
        top, bottom = (values.reshape(block.deals, -1) * here).sum(axis=1), here.sum(axis=1)
        ratio, some = top.sum() / bottom.sum(), (bottom > 0).sum()
        rest = ((top - ratio * bottom) ** 2).sum()
        means[int(cell)] = ratio, np.sqrt(rest * some / (some - 1)) / bottom.sum()
    return means


@pytest.mark.parametrize("per_deal", [1, 3])
@pytest.mark.parametrize("by", ["seat", "strategy", "low"])
def test_every_way_to_sum_a_deal_gives_what_deal_by_deal_gives(per_deal: int, by: str) -> None:
    """Groups stand in the same places of all deals, in others in each, or every row is a deal of its own."""
    block = made(400, per_deal)
    coins = block["coins"].astype(float)
    cells = {"seat": np.tile([1, 2, 3], (block.games, 1)), "strategy": block["strategy"], "low": coins // 100}[by]
    expected = naive(block, cells, coins)
    key = pl.col("coins") // 100 if by == "low" else pl.col(by)
    frame = rows_of(block)
    for rows in (frame, frame.sample(fraction=1, shuffle=True, seed=1)):
        means = estimate(rows, {"coins": pl.col("coins")}, by=[key.alias("key")])
        assert means["key"].to_list() == list(expected)
        assert means["coins"].to_list() == pytest.approx([value for value, _ in expected.values()])
        assert means["coins_se"].to_list() == pytest.approx([error for _, error in expected.values()])


@pytest.mark.parametrize("numbers", [pl.Int64, pl.UInt32])
def test_deals_in_any_order_are_the_same_deals(numbers: pl.DataType) -> None:
    """Deals have totals 1, 2 + 5, 3 + 4 and 6 of 1, 2, 2 and 1 rows: r = 21/6, residuals -2.5, 0, 0, 2.5."""
    frame = pl.DataFrame({"deal_id": [0, 1, 2, 1, 2, 3], "x": [1, 2, 3, 5, 4, 6]}, {"deal_id": numbers, "x": pl.Int64})
    mean = row(estimate(frame, {"x": pl.col("x")}))
    assert (mean["x"], mean["x_deals"]) == (3.5, 4)
    assert mean["x_se"] == pytest.approx(np.sqrt(2 * 2.5**2 * 4 / 3) / 6)


def test_parts_in_any_order_give_the_same_bytes() -> None:
    frame = rows_of(made(900, 3))
    values = {"coins": pl.col("coins"), "ratio": (pl.col("coins"), pl.col("seat"))}
    whole = estimate(frame, values, by=["strategy"])
    for order in ([0, 1, 2], [2, 0, 1]):
        total = Sums(values, ["strategy"])
        for number in order:
            total.take(frame.filter(pl.col("deal_id") // 300 == number))
        assert tidy(total.estimates()).equals(whole)


def test_a_run_is_read_in_parts_and_agrees_with_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shares of seats and their errors are those of `seat_advantage`, from rows, in parts and in memory."""
    lineup = ["greedy", "random", "random"]
    run = simulate(players=3, strategies=lineup, design="rotate", games=3000, out=tmp_path / "run").run
    assert run is not None
    share = {"share": (pl.col("share60"), 60)}
    monkeypatch.setattr("analysis.estimate.AT_ONCE", 1000)
    means = [estimate(frame, share, by=["seat"]) for frame in (run, run.polars(), run.polars().collect())]
    assert means[0].equals(means[1]) and means[0].equals(means[2])
    table = seat_advantage(run).table
    assert means[0]["share"].to_list() == pytest.approx(table["share"].to_list(), rel=1e-15)
    assert means[0]["share_se"].to_list() == pytest.approx(table["share_se"].to_list(), rel=1e-12)
    with pytest.raises(UsageError, match="order"):
        estimate(run.polars().sort("seat", maintain_order=True), share)


def test_what_cannot_be_asked_is_said_in_one_line() -> None:
    with pytest.raises(UsageError, match="no column 'deal_id'; did you mean 'deal_ids'"):
        estimate(DEALS.rename({"deal_id": "deal_ids"}), {"won": pl.col("won")})
    with pytest.raises(UsageError, match="won: give an expression"):
        estimate(DEALS, {"won": (pl.col("won"), 1, 2)})
