"""Breakdowns that a game declares, against what its rows say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from analysis.breakdowns import Breakdowns, breakdowns, topics
from simcore.errors import UsageError
from simcore.games.medievallons.state import TYPE_NAMES
from simcore.running.batch import Spec, run_chunk
from tests.specs import make_spec

GAMES = 1500


@pytest.fixture(scope="module")
def spec() -> Spec:
    return make_spec(4, ["thief", "rusher", "collector", "random"], game="medievallons", seed=31, games=GAMES)


@pytest.fixture(scope="module")
def rows(spec: Spec) -> np.ndarray:
    return run_chunk(spec, 0, GAMES).reshape(GAMES, 4)


def cell(result: Breakdowns, name: str, row: str, series: str) -> dict[str, float]:
    return result.of(name).filter((pl.col("row") == row) & (pl.col("series") == series)).row(0, named=True)


def test_what_guilds_are_worth(spec: Spec, rows: np.ndarray) -> None:
    result = breakdowns(spec, "guild_value")
    monk = TYPE_NAMES.index("monk")
    par = rows["share60"] / 15
    for number, series in enumerate(("first", "second")):
        laid = rows["laid"][:, :, number] == monk + 1
        found = cell(result, "guilds_laid", "monk", series)
        assert found["value"] == pytest.approx(par[laid].mean())
        assert found["times"] == laid.sum()
        assert found["value_low"] < found["value"] < found["value_high"]
    once = rows["played"][:, :, monk] == 1
    assert cell(result, "cards_played", "monk", "once")["value"] == pytest.approx(par[once].mean())
    two = rows["jesters_dealt"][:, :, 0] == 2
    assert cell(result, "jesters_dealt", "jesters_2", "win_share")["value"] == pytest.approx(par[two].mean())


def test_powers_and_attacks(spec: Spec, rows: np.ndarray) -> None:
    result = breakdowns(spec, "powers")
    for series in ("gained", "lost"):
        rogue = rows[series][:, :, TYPE_NAMES.index("rogue")]
        assert cell(result, "card_traffic", "rogue", series)["value"] == pytest.approx(rogue.mean())
    rate = rows["attacked"][:, :, 1].sum() / rows["exposed"][:, :, 1].sum()
    assert cell(result, "attacks", "more_guilds", "attacks")["value"] == pytest.approx(rate)
    others = rows["share60"] == 0
    assert cell(result, "collapses", "others", "per_deal")["value"] == pytest.approx(rows["collapses"][others].mean())


def test_the_course_of_a_deal(spec: Spec, rows: np.ndarray) -> None:
    result = breakdowns(spec, "course")
    actions = rows["actions"].reshape(GAMES, 4, -1, 5)
    mix = actions.sum(axis=(0, 1))
    for number, name in enumerate(("play", "lay", "reinforce", "use")):
        assert cell(result, "action_mix", "phase_2", name)["value"] == pytest.approx(mix[1, number] / mix[1].sum())
    won = rows["share60"] > 0
    hand = rows["hands"][won][:, 0].sum() / actions[won][:, 0].sum()
    assert cell(result, "hands", "phase_1", "winners")["value"] == pytest.approx(hand)
    ends, turns = rows["ending"][:, 0, 0], rows["turns"][:, 0, 0]
    assert cell(result, "endings", "by_guilds", "deals")["value"] == pytest.approx((ends == 1).mean())
    assert cell(result, "length", "by_guilds", "turns")["value"] == pytest.approx(turns[ends == 1].mean())


def test_deals_and_matches() -> None:
    spec = make_spec(2, ["collector"], game="medievallons", seed=32, games=GAMES)
    rows = run_chunk(spec, 0, GAMES).reshape(GAMES, 2)
    result = breakdowns(spec, "deals_and_matches")
    won = rows["won60"]
    first = won[:, 0, 0].sum() + won[:, 1, 1].sum() + won[:, 0, 2].sum()
    deals = rows["deals"][:, 0]
    assert cell(result, "starts", "starter", "win_share")["value"] == pytest.approx(first / 30 / deals.sum())
    assert cell(result, "match_length", "deals_3", "games")["value"] == pytest.approx((deals == 3).mean())


def test_rows_without_a_single_case_are_left_out() -> None:
    spec = make_spec(3, ["collector"], game="medievallons", seed=33, games=300)
    reinforced = breakdowns(spec, "course").of("action_mix").filter(pl.col("series") == "reinforce")
    assert (reinforced["value"] == 0).all(), "a collector never reinforces (rulings)"
    found = breakdowns(spec, "deals_and_matches").of("match_length")
    assert found.filter(pl.col("value") > 0)["row"].to_list() == ["deals_1"]


def test_rates_that_nothing_contradicts_leave_room(spec: Spec) -> None:
    """All deals end by the guilds: of 40 deals, and of more than nine in a hundred others, this says nothing."""
    short = replace(spec, games=40 * spec.games_per_deal)
    rates = breakdowns(short, "course").of("endings").sort("value")
    assert rates["value"].to_list() == [0, 1]
    assert rates["value_high"][0] == pytest.approx(1 - 0.025 ** (1 / 40))  # Clopper and Pearson
    assert rates["value_low"][1] == pytest.approx(0.025 ** (1 / 40))
    shares = breakdowns(short, "guild_value").table.drop_nulls("value_low")
    assert shares["value_low"].min() >= 0 and shares["value_high"].max() <= 4
    assert (shares["value_low"] < shares["value_high"]).all()


def test_a_game_without_declarations() -> None:
    spec = make_spec(3, ["random"], games=100)
    assert topics(spec) == ()
    with pytest.raises(UsageError, match="Middle-Ages declares no breakdowns of 'powers'"):
        breakdowns(spec, "powers")
