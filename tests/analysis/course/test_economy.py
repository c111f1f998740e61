"""Where the score comes from: known answers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.api import economy
from analysis.data.results import Note
from simcore.running.batch import Spec, run_chunk
from tests.court import court_spec
from tests.specs import make_spec


@pytest.mark.parametrize("settings", [[], ["starting_coins=[3,2,1]", "shortfall=debt"]])
def test_sources_add_up_to_the_score(settings: list[str]) -> None:
    spec = make_spec(3, ["greedy", "random", "random"], settings, design="rotate", games=300)
    found = economy(spec)
    assert found.table.filter(pl.col("source") == "other").is_empty()
    rows = run_chunk(spec, 0, 300).reshape(300, 3)
    start = 2 if settings else 0
    everyone = found.table.filter(pl.col("by") == "all")
    assert everyone["mean"].sum() == pytest.approx(rows["coins"].mean() - start)
    assert everyone["share"].sum() == pytest.approx(1)
    greedy = found.table.filter(pl.col("of") == "greedy")
    assert greedy["mean"].sum() == pytest.approx(rows["coins"][rows["strategy"] == 0].mean() - start)
    assert found.groups["share"].sum() == pytest.approx(1)


def test_roles_have_rows_of_their_own_and_strategies_are_told_by_role() -> None:
    spec = court_spec(3, "greedy", ["greedy", "random"], games=200, score="coins")
    found = economy(spec)
    means = {key: rows["mean"].to_list() for key, rows in found.table.group_by("by", "of")}
    assert {by for by, _ in means} == {"all", "role", "seat", "strategy"}
    assert {of for by, of in means if by == "strategy"} == {"lord-greedy", "tenant-greedy", "tenant-random"}
    assert means["role", "lord"] == pytest.approx(means["seat", "1"])
    assert means["role", "lord"] == pytest.approx(means["strategy", "lord-greedy"])
    tenants = np.mean([means["seat", "2"], means["seat", "3"]], axis=0)
    assert means["role", "tenant"] == pytest.approx(tenants)


def test_a_floor_is_told_apart() -> None:
    settings = ["final_floor=true", "empty_domain_penalty=60"]
    found = economy(make_spec(2, ["random"], settings, games=200))
    assert found.table.filter((pl.col("source") == "other") & (pl.col("by") == "all"))["mean"][0] > 0
    assert Note("sources_short") in found.notes


def test_flows_are_what_the_rows_say(spec: Spec, rows: np.ndarray) -> None:
    found = economy(spec)
    for row in found.flows.iter_rows(named=True):
        taken = rows["robbed_from"][:, row["seat"] - 1, row["victim"] - 1]
        assert row["mean"] == pytest.approx(taken.mean())
    assert found.flows.height == 6
    robbed = (rows["mill_robbed"] + rows["barracks_robbed"]).sum()
    assert (found.flows["mean"] * 900).sum() == pytest.approx(robbed)
    assert (found.flows_by_strategy["mean"] * found.flows_by_strategy["times"]).sum() == pytest.approx(robbed)
