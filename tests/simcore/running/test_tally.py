"""Running totals of a run, against sums made another way."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.running.batch import MAX_GAMES, run_chunk
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
        won = [
            int(share[k * per_deal : (k + 1) * per_deal][names[k * per_deal : (k + 1) * per_deal] == name].sum())
            for k in range(deals)
        ]
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


def test_largest_sums_fit() -> None:
    """Runs have fewer than 2**32 games, and a score is an int32: the sums are exact whatever the rules."""
    spec = make_spec(3, ["random"] * 3, design="rotate", games=MAX_GAMES)
    rows = run_chunk(spec, 0, 3)
    rows["share60"] = [60, 0, 0] * 3
    rows["coins"] = 2**31 - 1
    tally = Tally(spec)
    tally.add(rows)
    assert tally.score_sum.tolist() == [3 * (2**31 - 1)] * 3
    deals = -(-MAX_GAMES // 3)
    for name, value in vars(tally).items():
        if isinstance(value, np.ndarray) and name != "_fields":
            assert all(abs(int(each)) * deals < 2**63 for each in value.ravel()), name
