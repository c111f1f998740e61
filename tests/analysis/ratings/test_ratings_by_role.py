"""Strengths and match-ups of games with roles: a strategy is compared with the others of its role."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.api import matchups, strengths
from reports.words import ENGLISH
from simcore.errors import UsageError
from tests.analysis.made import Made
from tests.court import court_spec
from tests.specs import make_spec

DEALS = 3_000
TENANTS = ("greedy", "random", "random")


def contest(strength: float, lord: float = 0.5, unequal: bool = False) -> Made:
    """Play deals at court in rotation: the lord wins so often, and `greedy` beats `random` among the tenants.

    Where the win is shared unequally, the best tenant takes 40 sixtieths and the next one 20.
    """
    rng = np.random.default_rng(3)
    spec = court_spec(4, "greedy", TENANTS, games=3 * DEALS)
    names = list(dict.fromkeys(spec.strategies))
    entries = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]])
    entry = np.column_stack([np.zeros(3, int), entries])
    strategy = np.array([names.index(name) for name in spec.strategies])[entry]
    strategy = np.tile(strategy, (DEALS, 1))
    worth = np.where(strategy == names.index("greedy"), strength, 0.0)[:, 1:] + rng.gumbel(size=(3 * DEALS, 3))
    rank = (-worth).argsort(axis=1).argsort(axis=1)
    parts = np.array([40, 20, 0] if unequal else [60, 0, 0])
    share = np.column_stack([np.zeros(3 * DEALS, int), parts[rank]])
    share[rng.random(3 * DEALS) < lord] = [60, 0, 0, 0]
    place = 1 + (share[:, None, :] > share[:, :, None]).sum(axis=2)
    return Made({"share60": share, "strategy": strategy, "place": place}, spec)


def test_strength_is_that_among_the_seats_of_the_role() -> None:
    """However often the lord wins, `greedy` takes exp(1.2) wins for each that `random` takes in an equal seat."""
    for lord in (0.2, 0.8):
        found = strengths(contest(1.2, lord), resamples=100)
        assert found.table["role"].unique().to_list() == ["tenant"]
        rows = {row["strategy"]: row for row in found.table.iter_rows(named=True)}
        gap = rows["greedy"]["strength"] - rows["random"]["strength"]
        assert abs(gap - 1.2) < 4 * 2 * rows["greedy"]["strength_se"]
        assert rows["greedy"]["strength_se"] == pytest.approx(rows["greedy"]["bootstrap_se"], rel=0.3)
        assert found.seats["seat"].to_list() == [2, 3, 4]
        assert ENGLISH.verdict(found.verdict).startswith("Tenant: greedy is the strongest of 2")
        assert not {"never_won", "always_won", "unlinked_runs"} & {note.code for note in found.notes}


def test_unequal_shares_are_not_split_anew() -> None:
    """The best tenant has 40 of 60 parts and the next 20; an equal split would draw the strategies together."""
    made = contest(1.2, 0.4, unequal=True)
    found = strengths(made, resamples=0)
    share, strategy = made.columns["share60"], made.columns["strategy"]
    wins = {row["strategy"]: row["wins"] for row in found.table.iter_rows(named=True)}
    names = list(dict.fromkeys(made.spec.strategies))
    for name, won in wins.items():
        own = share[:, 1:][strategy[:, 1:] == names.index(name)].sum() / 60
        assert won == pytest.approx(own)


def test_match_ups_stay_within_a_role() -> None:
    found = matchups(contest(1.2))
    assert set(found.table["role"]) == {"tenant"}
    assert {(row["strategy"], row["opponent"]) for row in found.table.iter_rows(named=True)} == {
        ("greedy", "random"),
        ("random", "greedy"),
    }
    assert ENGLISH.verdict(found.verdict).startswith("Tenant: greedy beats every other strategy")
    company = found.company.select("role", "strategy", "seats").rows()
    assert company == [("lord", "greedy", 1), ("tenant", "greedy", 1), ("tenant", "random", 2)]
    assert found.company["company"][0] == "Lord: greedy; Tenant: greedy + 2 random"
    lord = found.company.filter(pl.col("role") == "lord")
    assert lord["par_normalised"][0] == pytest.approx(0.5 / 0.4, abs=0.05)
    assert "score" not in found.company.columns


def test_strategies_of_a_single_seat_never_meet() -> None:
    one, other = court_spec(4, "greedy", games=60), court_spec(4, "random", games=60)
    with pytest.raises(UsageError, match="Lord has one seat, so its strategies never meet"):
        strengths([one, other])
    with pytest.raises(UsageError, match="no two strategies of one role sat at one table"):
        matchups([one, other])
    with pytest.raises(UsageError, match="'greedy' and 'random' are the only strategies of their roles"):
        matchups(one)


def test_equal_seats_have_no_column_of_roles() -> None:
    found = matchups(make_spec(3, ["greedy", "random", "random"], games=90))
    assert "role" not in found.table.columns
    assert "role" not in found.company.columns
