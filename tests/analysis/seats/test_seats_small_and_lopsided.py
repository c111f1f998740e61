"""Intervals of few deals and of shares near 0 and 1; tests/verification/test_coverage.py asks more of them."""

from __future__ import annotations

import pytest

from analysis.ratings.strengths import matchups
from analysis.seats.advantage import seat_advantage
from tests.analysis.lopsided import chances_of, coverage, coverages
from tests.specs import make_spec


@pytest.mark.parametrize("chances", [(0.2,) * 5, (0.97, 0.01, 0.01, 0.01)], ids=["equal", "lopsided"])
def test_seats_of_thirty_deals_hold(chances: tuple[float, ...]) -> None:
    assert coverage(chances, 30, 1_000, 11) >= 0.94


@pytest.mark.parametrize("deals", [50, 200])
def test_a_strong_player_among_weak_ones_holds(deals: int) -> None:
    found = dict(coverages(chances_of((0.995, 0.99, 0.985, 0.98), (5, 2, 1.5, 1)), deals, 1_000, 12))
    assert min(found.values()) >= 0.94, found


def test_champion_against_random_is_not_certain() -> None:
    """60 deals, nearly all won: no interval of no width, and no p-value that so few deals cannot give."""
    spec = make_spec(2, ["champion", "random"], design="rotate", games=120)
    seats, pairs = seat_advantage(spec), matchups(spec)
    tables = [(seats.table, "share"), (seats.by_strategy, "par_normalised"), (pairs.table, "ahead")]
    for table, name in [*tables, (pairs.company, "par_normalised")]:
        assert (table[f"{name}_high"] - table[f"{name}_low"]).to_numpy().min() > 0.01, name
    assert pairs.table["p"].to_numpy().min() >= 2.0**-59
