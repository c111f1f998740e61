"""Restricted play in a game with roles: the player keeps to its role, and costs are told in shares of its par."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.restricted_play import Restricted, restricted
from simcore.errors import UsageError
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.restrictions import find_restrictions
from strategies.spec import assemble_spec
from tests.court import LORD_PAR, court

DEALS = 200


def cost(role: str, score: str | None = None) -> Restricted:
    game = court(score)
    rules = load_rules(game)
    planner, greedy, random = (load_strategy(game, name) for name in ("planner", "greedy", "random"))
    forbidden = find_restrictions(game.name, rules.values, ("scout", "rampart"), "--forbid")
    beside = {"lord": random, "tenant": greedy}
    return restricted(game, planner, beside, rules, forbidden, 3, DEALS, seed=5, threads=1, role=role)


@pytest.mark.parametrize(("role", "par", "seat"), [("lord", LORD_PAR, 0), ("tenant", (1 - LORD_PAR) / 2, 1)])
def test_the_player_sits_in_every_seat_of_its_role_and_in_no_other(role: str, par: float, seat: int) -> None:
    """Counted from the rows of two runs."""
    game, found = court(), cost(role)
    rules = load_rules(game)
    planner, greedy, random = (load_strategy(game, name) for name in ("planner", "greedy", "random"))

    def share(*forbids: str) -> np.ndarray[Any, Any]:
        hero = replace(planner, name="hero", forbids=forbids)
        line = [hero, greedy, greedy] if role == "lord" else [random, hero, greedy]
        turns = 1 if role == "lord" else 2
        spec = assemble_spec(game, 3, line, rules, 5, "rotate", turns * DEALS)
        assert spec.games_per_deal == turns
        rows = run_chunk(spec, 0, turns * DEALS)
        return np.asarray(rows[rows["strategy"] == seat]["share60"].reshape(-1, turns).mean(axis=1) / 60)

    gap = share() - share("rampart")
    row = found.table.row(by_predicate=pl.col("restriction") == "rampart", named=True)
    assert (found.role, found.par) == (role, pytest.approx(par))
    assert found.share == pytest.approx(share().mean())
    assert row["cost"] == pytest.approx(gap.mean())
    assert row["cost_se"] == pytest.approx(gap.std(ddof=1) / np.sqrt(DEALS))
    assert row["cost_of_par"] == pytest.approx(gap.mean() / par)
    assert row["cost_of_par_high"] == pytest.approx(row["cost_high"] / par, nan_ok=True)


def test_without_a_score_nothing_is_said_of_it() -> None:
    found = cost("lord")
    assert found.score is None
    assert not {"score", "score_cost"} & set(found.table.columns)
    assert {"score", "score_cost"} <= set(cost("lord", "coins").table.columns)


def test_a_player_of_every_role_needs_one_named() -> None:
    with pytest.raises(UsageError, match=r"'planner' can play every role of .*; write lord=planner or tenant=planner"):
        cost("")
