"""Seigneurial: what its columns mean, against the rows themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analysis.breakdowns import Breakdowns, breakdowns
from simcore.games.seigneurial.state import MILL
from simcore.running.batch import run_chunk
from tests.specs import make_spec

GAMES, PLAYERS = 600, 4
LINE = {"lord": ["bailiff"], "tenant": ["gatherer"]}
ENDINGS = ("by_track", "by_objective")
SPEC = make_spec(PLAYERS, LINE, game="seigneurial", seed=3, games=GAMES)


def cell(result: Breakdowns, name: str, row: str, series: str) -> float:
    found = result.of(name).filter((pl.col("row") == row) & (pl.col("series") == series))
    return float(found["value"].item())


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return run_chunk(SPEC, 0, GAMES).reshape(GAMES, PLAYERS)


def test_how_games_end_and_when(rows: np.ndarray) -> None:
    found = breakdowns(SPEC, "ends")
    lord, nearest = rows[:, 0], rows[:, 1:]["course"].min(axis=1)
    for code, name in enumerate(ENDINGS, start=1):
        ended = lord["ending"] == code
        assert 0 < ended.mean() < 1
        assert cell(found, "endings", name, "games") == pytest.approx(ended.mean())
        assert cell(found, "length", name, "seasons") == pytest.approx(lord["seasons"][ended].mean())
        third = ended & (lord["seasons"] >= 9) & (lord["seasons"] <= 12)
        assert cell(found, "when", "year_3", name) == pytest.approx(third.mean())
        assert cell(found, "track", name, "last_square") == pytest.approx(lord["square"][ended].mean())
        reached = ended & (lord["half"] > 0)
        assert cell(found, "track", name, "season_of_half") == pytest.approx(lord["half"][reached].mean())
    played = lord["seasons"] >= 9
    assert not played.all()
    assert cell(found, "course", "season_9", "square") == pytest.approx(lord["course"][played, 8].mean())
    assert cell(found, "course", "season_9", "missing") == pytest.approx(nearest[played, 8].mean())


def test_objectives_and_how_near_they_were(rows: np.ndarray) -> None:
    found = breakdowns(SPEC, "objectives_and_hands")
    tenants = rows[:, 1:]
    brewer = tenants["objective"] == 8
    assert cell(found, "objectives", "brewer", "win_share") == pytest.approx((tenants["share60"][brewer] / 60).mean())
    near = tenants["missing"][rows[:, 0]["ending"] == 1]
    assert cell(found, "nearness", "missing_6", "lord_wins") == pytest.approx(((near > 3) & (near <= 6)).mean())


def test_an_objective_is_found_by_its_name_under_any_rules(tmp_path: Path) -> None:
    """A designer's table in another order, with an Objective of another name, gives nobody else's figures."""
    file = tmp_path / "turned.toml"
    table = {"hermit": (1, 1, 1), "baker": (61, 0, 0), "sawyer": (61, 0, 0), "fisher": (61, 0, 0), "trader": (0, 61, 0)}
    entries = "\n".join(f"{name} = {list(points)}" for name, points in table.items())
    file.write_text(f'extends = "base"\n[objectives]\n{entries}\n', encoding="utf-8")
    spec = make_spec(PLAYERS, LINE, game="seigneurial", rules=str(file), games=200)
    objectives = list(spec.rules.values.objectives)
    played = run_chunk(spec, 0, 200)
    found = breakdowns(spec, "objectives_and_hands").of("objectives")
    assert "hermit" not in found["row"]
    for name in set(table) - {"hermit"}:
        times = int((played["objective"] == 1 + objectives.index(name)).sum())
        assert found.filter(pl.col("row") == name)["times"].to_list() == [times] * (times > 0)


def test_tenants_who_lay_more_than_is_demanded_have_an_interval_around_their_ratio() -> None:
    """The report draws it: the ratio is above 1, so it is no share."""
    spec = make_spec(PLAYERS, {"lord": ["collector"], "tenant": ["payer"]}, game="seigneurial", seed=3, games=GAMES)
    laid = breakdowns(spec, "rent_and_favour").of("rents").row(by_predicate=pl.col("row") == "laid", named=True)
    assert 1 < laid["value_low"] < laid["value"] < laid["value_high"]


def test_rent_favour_land_and_winter(rows: np.ndarray) -> None:
    lord, tenants = rows[:, 0], rows[:, 1:]
    won = tenants["share60"] == 60
    rent = breakdowns(SPEC, "rent_and_favour")
    assert cell(rent, "rents", "obtained", "per_asked") == pytest.approx(lord["obtained"].sum() / lord["seasons"].sum())
    assert cell(rent, "rents", "unpaid", "per_asked") == pytest.approx(lord["unpaid"].sum() / lord["seasons"].sum())
    for name in ("laid", "taken"):
        assert cell(rent, "rents", name, "per_asked") == pytest.approx(lord[name].sum() / lord["demanded"].sum())
    assert np.array_equal(lord["laid"], tenants["laid"].sum(axis=1))
    assert np.array_equal(lord["taken"], tenants["taken"].sum(axis=1))
    for name in ("favour", "bought", "zeros"):
        assert cell(rent, "favours", name, "winners") == pytest.approx(tenants[name][won].mean())
        assert cell(rent, "favours", name, "others") == pytest.approx(tenants[name][~won].mean())
    land = breakdowns(SPEC, "land_and_winter")
    assert cell(land, "winters", "refusals", "winners") == 0, "gatherers pay if they can"
    assert tenants["unable"][~won].any()
    assert cell(land, "winters", "unable", "others") == pytest.approx(tenants["unable"][~won].mean())
    pawns = tenants["squares"][..., MILL]
    assert cell(land, "pawns", "mill", "winners") == pytest.approx(pawns[won].sum() / tenants["seasons"][won].sum())
