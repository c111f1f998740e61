"""Running totals of a run, against sums made another way."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.running.batch import run_chunk
from simcore.running.tally import Tally
from tests.specs import make_spec


@pytest.mark.parametrize("design", ["fixed", "rotate", "shuffle"])
@pytest.mark.parametrize("games", [120, 121, 3])
def test_sums_over_whole_deals(design: str, games: int) -> None:
    line = ("greedy", "random", "greedy", "random")
    spec = make_spec(4, line, design=design)
    rows = run_chunk(spec, 0, games)
    tally = Tally(spec)
    tally.add(rows)
    per_deal = 4 if design == "rotate" else 1
    deals = games // per_deal
    share = rows["share60"].reshape(games, 4)[: deals * per_deal].astype(object)  # Python's integers
    seats = [[int(sum(deal[:, seat])) for deal in np.split(share, deals)] for seat in range(4)] if deals else [[]] * 4
    assert (tally.games, tally.deals) == (games, deals)
    assert tally.seat_sum.tolist() == [sum(values) for values in seats]
    assert tally.seat_square.tolist() == [sum(value * value for value in values) for values in seats]
    coins = rows["coins"].reshape(games, 4)[: deals * per_deal]
    assert tally.score_sum.tolist() == coins.sum(axis=0).tolist()
    assert tally.outright.tolist() == (share == 60).sum(axis=0).tolist()
    names = np.array(line)[rows["strategy"].reshape(games, 4)[: deals * per_deal]]
    assert tally.strategies == ("greedy", "random")
    for number, name in enumerate(tally.strategies):
        won = [int(share[k * per_deal : (k + 1) * per_deal][names[k * per_deal : (k + 1) * per_deal] == name].sum())
               for k in range(deals)]  # fmt: skip
        assert tally.strategy_sum[number] == sum(won)
        assert tally.strategy_square[number] == sum(value * value for value in won)
    assert tally.strategy_sum.sum() == 60 * per_deal * deals


def test_merge_is_the_sum() -> None:
    spec = make_spec(3, ["greedy", "random", "random"], design="rotate")
    rows = run_chunk(spec, 0, 60)
    whole, first, second = Tally(spec), Tally(spec), Tally(spec)
    whole.add(rows)
    first.add(rows[: 12 * 3])
    second.add(rows[12 * 3 :])
    second.merge(first)
    for name, value in vars(whole).items():
        assert np.array_equal(getattr(second, name), value), name


def test_largest_run_fits() -> None:
    """2**32 deals of 6 games that one seat wins: the sum of squares is 2**32 (6 x 60)**2 < 2**49. Scores are int32:
    their squares over 2**32 deals of at most 30,000 coins a deal fit as well."""
    assert 2**32 * (6 * 60) ** 2 < 2**63
    assert 2**32 * 30_000**2 < 2**63
