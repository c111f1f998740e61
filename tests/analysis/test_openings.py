"""Do players always open alike, and do the seats owe their shares to that?"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.openings import ALIKE, FEW, LOOKED, openings, openings_made
from analysis.stats.margin import Margin
from simcore.running.batch import run_chunk
from strategies.openings import draw_openings, looks_at_openings
from strategies.spec import make_spec


@pytest.mark.parametrize(
    ("who", "alike", "second", "share", "drawn"),
    [
        ([], (1, 2, 3, 4), "st_gerome has a castle", [0.346, 0.266, 0.257, 0.132], [0.234, 0.245, 0.249, 0.272]),
        (
            ["champion"],
            (1, 2, 3),
            "l_epervier has a castle",
            [0.350, 0.091, 0.328, 0.230],
            [0.233, 0.242, 0.259, 0.266],
        ),
    ],
)
def test_the_villages_that_fief_2s_players_choose_make_its_seats_differ(
    who: list[str], alike: tuple[int, ...], second: str, share: list[float], drawn: list[float]
) -> None:
    """docs/findings/fief-2.md: 12,000 games, seed 2024; with openings drawn at random, 20,000 games, seed 1."""
    fief = openings(make_spec("fief-2", strategies=who, seed=1, games=2_000), 2_000)
    table = fief.table
    assert fief.alike[: len(alike)] == alike
    assert table["opening"][1] == second
    assert table["share"].to_numpy() == pytest.approx(share, abs=0.035)
    assert table["drawn"].to_numpy() == pytest.approx(drawn, abs=0.035)
    assert table["share"].sum() == pytest.approx(1) == table["drawn"].sum()
    (verdict,) = fief.verdicts
    assert verdict.code == "openings_alike"
    assert verdict.values["share_max"] - verdict.values["share_min"] > 0.2
    assert verdict.values["drawn_max"] - verdict.values["drawn_min"] < 0.1


def test_seats_that_vary_are_not_played_again() -> None:
    """Champions of Middle-Ages take another tile in every deal: a few logs are enough to see it."""
    found = openings(make_spec("middle-ages", seed=1, games=100), 100)
    assert found.alike == () == found.verdicts
    assert "drawn" not in found.table.columns
    assert found.table["looked"].max() <= FEW < LOOKED


def test_a_seat_that_moves_less_than_the_margin_is_not_named() -> None:
    spec = make_spec("fief-2", strategies=["champion"], seed=1, games=200)
    found = openings(spec, 200, Margin(0.9, of_par=False))
    assert max(found.table["alike"]) > ALIKE
    assert found.verdicts == ()


def test_the_beginning_of_a_log_shows_the_same_openings_as_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [
        make_spec("fief-2", strategies=["champion"], seed=1, games=1),
        make_spec("medievallons", 3, seed=1, games=1),
    ]
    early = [openings_made(spec, 6) for spec in specs]
    monkeypatch.setattr("analysis.openings.READ", 0)
    assert [openings_made(spec, 6) for spec in specs] == early
    assert all(counts for made in early for counts in made)


@pytest.mark.parametrize(
    ("players", "who", "looks"),
    [(3, "quick_thinker", False), (4, "quick_thinker", True), (5, "thinker", True), (4, "rollout", False)],
)
def test_some_players_who_look_ahead_leave_the_opening_to_their_base(players: int, who: str, looks: bool) -> None:
    assert looks_at_openings(make_spec("fief-2", players, [who], games=1)) is looks


def test_only_the_players_who_are_named_draw_their_opening() -> None:
    spec = make_spec("fief-2", strategies=["champion"], seed=1, games=50)
    usual, same, drawn = (
        run_chunk(one, 0, 50)["first_village"].reshape(50, 4)
        for one in (spec, draw_openings(spec, []), draw_openings(spec, [1]))
    )
    assert np.array_equal(usual, same)
    assert len(set(usual[:, 1])) == 1
    assert len(set(drawn[:, 1])) > 10
    assert np.array_equal(usual[:, 0], drawn[:, 0]), "seat 1 places before"
