"""What taking a tile is worth, and how often it is taken: known answers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.games.middle_ages.api import pick_rates, pick_values
from simcore.errors import UsageError
from simcore.running.batch import Spec
from simcore.running.replay import replays
from tests.specs import make_spec


def test_values_of_picks(spec: Spec, rows: np.ndarray) -> None:
    found = pick_values(spec)
    lead = rows["coins"] - rows["coins"].mean(axis=1, keepdims=True)
    here = (rows["taken"][:, :, 4] == 5) | (rows["taken"][:, :, 4] == 4) | (rows["taken"][:, :, 4] == 6)  # Mills
    here &= rows["column"][:, :, 4] == 1
    row = found.table.filter((pl.col("kind") == "mill") & (pl.col("round") == 5) & (pl.col("position") == 2))
    gain = rows["after_round"][:, :, 4] - rows["after_round"][:, :, 3]
    assert row["times"][0] == here.sum()
    assert row["gain"][0] == pytest.approx(gain[here].mean())
    assert row["lead"][0] == pytest.approx(lead[here].mean())
    assert found.table["times"].sum() == 900 * 3 * 16
    number = found.by_number.filter(pl.col("number") == 23).row(0, named=True)
    assert number["kind"] == "palace"
    assert number["turn"] == pytest.approx(rows["turn"][rows["taken"] == 23].mean())


def test_values_beside_the_average_sum_to_zero_in_each_round(spec: Spec) -> None:
    found = pick_values(spec)
    sums = found.adjusted.group_by("round").agg(pl.col("value").sum())["value"]
    assert sums.abs().max() < 1e-6
    assert pick_values(spec).adjusted.equals(found.adjusted)


def test_rates_of_picks_are_those_of_replays(spec: Spec) -> None:
    found = pick_rates(spec, 30)
    discarded = [0] * 24
    tiles: dict[int, dict[str, object]] = {}
    for replay in replays(spec, 0, 30):
        tiles = {tile["id"]: tile for tile in replay.header["tiles"]}
        for record in replay.records:
            if record["kind"] == "discard":
                discarded[int(str(tiles[record["tile"]]["number"]))] += 1
    left = {row["number"]: row["offered"] - row["taken"] for row in found.by_number.iter_rows(named=True)}
    assert all(left[number] == discarded[number] for number in left)
    whole = found.table.filter((pl.col("kind") == "all") & (pl.col("round") == 0) & (pl.col("position") == 0))
    assert (whole["offered"][0], whole["taken"][0]) == (30 * 16 * 4, 30 * 16 * 3)


def test_numbers_that_stand_for_two_domains_are_told() -> None:
    with pytest.raises(UsageError, match="number 1 stands for two Domains"):
        pick_values(make_spec(2, settings=["tiles.faces.mill_plain.number=1"], games=40))
