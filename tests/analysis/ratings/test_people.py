"""Seats among equal people, and people in equal seats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.data.results import Unanswered
from analysis.ratings.strengths import strengths
from analysis.seats.advantage import seat_advantage
from analysis.tables.importing import import_table
from tests.analysis.tables.conftest import SEATS, club

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")


def run(folder: Path, rows: list[str]) -> Path:
    table = folder / "results.csv"
    table.write_text("\n".join(rows) + "\n")
    return import_table(table, folder / "run").run.folder


def test_the_favourite_seat_of_strong_people_does_not_look_strong(tmp_path: Path) -> None:
    found = seat_advantage(run(tmp_path, club(4000, seed=3)))
    even = np.exp(SEATS) / np.exp(SEATS).sum()
    table = found.table
    assert table["seen"].arg_max() == 3 and table["share"].arg_max() == 0
    assert ((table["share_low"].to_numpy() <= even) & (even <= table["share_high"].to_numpy())).all()
    assert (table["share_high"] - table["share_low"] < 0.15).all()
    assert table["par_normalised"].to_list() == pytest.approx((4 * table["share"]).to_list())
    assert found.verdict.code == "seats_people_tilted_high" and found.verdict.values["seat"] == 1


def test_groups_widen_the_intervals_and_change_no_share(tmp_path: Path) -> None:
    rows = [f"{game},{seat},{(seat + game // 20) % 2 + (seat == game % 3)},{game // 20}" for game in range(200)
            for seat in range(1, 4)]  # fmt: skip
    grouped = seat_advantage(run(tmp_path, ["game,seat,score,group", *rows])).table
    (tmp_path / "own").mkdir()
    own = seat_advantage(run(tmp_path / "own", ["game,seat,score,x", *rows])).table
    assert grouped["share"].to_list() == pytest.approx(own["share"].to_list(), abs=1e-3)
    assert (grouped["share_se"] > 1.3 * own["share_se"]).all()


def test_who_is_strong(tmp_path: Path) -> None:
    rows = ["game,seat,player,score"]
    chance = np.random.Generator(np.random.PCG64(2))
    for game in range(600):
        who = chance.permutation(5)[:3]
        points = np.array([1.5, 0.5, 0, 0, -1])[who] + chance.gumbel(size=3)
        rows += [f"{game},{seat},{NAMES[one]},{points[seat]:.2f}" for seat, one in enumerate(who)]
    found = strengths(run(tmp_path, rows))
    assert found.table["strategy"][0] == "Ann" and found.table["strategy"][-1] == "Eve"
    assert found.verdict.code == "people_best" and found.verdict.values["low"] > 5
    assert (found.verdict.values["best"], found.verdict.values["worst"]) == ("Ann", "Eve")
    assert found.table["times"].sum() == 1800 and found.table["wins"].sum() == pytest.approx(600)


def test_roles_are_judged_beside_people(tmp_path: Path) -> None:
    rows = ["game,seat,player,role,score"]
    chance = np.random.Generator(np.random.PCG64(4))
    for game in range(900):
        who, roles = chance.permutation(6)[:3], chance.permutation(["cats", "birds", "mice", "foxes"])[:3]
        points = np.where(roles == "cats", 1.0, 0.0) + np.linspace(-0.5, 0.5, 6)[who] + chance.gumbel(size=3)
        rows += [f"{game},{at + 1},P{one},{roles[at]},{points[at]:.3f}" for at, one in enumerate(who)]
    found = strengths(run(tmp_path, rows))
    assert found.roles["strategy"][0] == "cats" and found.roles["strength_low"][0] > 0
    assert sorted(found.table["strategy"]) == [f"P{one}" for one in range(6)]


def test_a_table_without_players_names_nobody(tmp_path: Path) -> None:
    rows = [f"{game},{seat},{seat * game % 5}" for game in range(40) for seat in (1, 2)]
    with pytest.raises(Unanswered, match="the table names no players"):
        strengths(run(tmp_path, ["game,seat,score", *rows]))


def test_intervals_cover_the_truth_in_a_small_sample() -> None:
    """15 tables of four seats; tests/verification/test_tables.py measures the coverage with many."""
    from tests.verification.test_tables import coverage

    rates = coverage(15, 200, 12, 0.0, seed=5)
    assert rates["people"] >= 0.85 > rates["raw"]
