"""What is held and what is laid: known answers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.games.middle_ages.api import holdings, token_values
from analysis.games.middle_ages.holdings import HELD
from simcore.running.batch import Spec
from tests.analysis.made import Made, finals


def test_win_share_by_number_held(spec: Spec, rows: np.ndarray) -> None:
    found = holdings(spec)
    for domain, name in ((1, "mill"), (7, "palace")):
        for row in found.table.filter(pl.col("kind") == name).iter_rows(named=True):
            here = rows["tiles"][:, :, domain] == row["held"]
            assert row["times"] == here.sum()
            assert row["par_normalised"] == pytest.approx(rows["share60"][here].mean() / 60 * 3)
    assert found.table.group_by("kind").agg(pl.col("times").sum())["times"].to_list() == [2700] * 8


def test_the_cost_of_an_empty_domain(spec: Spec, rows: np.ndarray) -> None:
    found = holdings(spec)
    lead = rows["coins"] - rows["coins"].mean(axis=1, keepdims=True)
    empty = rows["tiles"][:, :, 5] == 0
    row = found.empty.filter(pl.col("kind") == "barracks").row(0, named=True)
    assert row["times"] == empty.sum()
    assert row["rate"] == pytest.approx(empty.mean())
    assert row["cost"] == pytest.approx(lead[~empty].mean() - lead[empty].mean())
    assert found.by_empty["penalty"].to_list() == pytest.approx([10 * n for n in found.by_empty["empty"]])


def test_when_the_penalty_decides() -> None:
    """20-15 after a penalty of 10 for the second: 20 against 25 before, so the penalty decides; 30-15 it does not."""
    tiles = {f"tiles_{name}": [[1, 1], [1, 1]] for name in HELD}
    tiles["tiles_mill"] = [[1, 0], [1, 0]]
    made = Made(finals([[20, 15], [30, 15]]) | tiles | {"penalty": [[0, 10], [0, 10]]})
    found = holdings(made)
    assert found.penalty_decides == (0.5, None, None)


def test_tokens(spec: Spec, rows: np.ndarray) -> None:
    found = token_values(spec)
    lead = rows["coins"] - rows["coins"].mean(axis=1, keepdims=True)
    here, none = rows["extra_on"][:, :, 2] == 1, rows["extra_on"][:, :, 2] == 0
    coin = found.table.filter(pl.col("token") == "extra-coin token")
    row = coin.filter(pl.col("place") == "village").row(0, named=True)
    assert row["times"] == here.sum()
    assert row["value"] == pytest.approx(lead[here].mean() - lead[none].mean())
    plots = found.table.filter(pl.col("token") == "plot token")
    assert plots["times"].sum() == (rows["plot_on"] > 0).sum()
    few = found.table.filter(pl.col("times") < 30)
    assert few["value_low"].null_count() == len(few)
