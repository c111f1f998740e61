"""Tournaments of games with roles: companies by role, every seating alike, payoffs against the par of the role."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.tournament.playing import Schedule, Scores, count_orders, make_schedule, play, turned
from analysis.tournament.result import Tournament, judge
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.spec import make_spec
from tests.toy import TOY

NAMES = ("bully", "schemer", "giver", "steward", "random")
DEALS = 60


def hold(schedule: Schedule, threads: int = 1) -> Scores:
    game = load_game(TOY)
    return play(
        game, [load_strategy(game, name) for name in NAMES], load_rules(game), schedule, seed=3, threads=threads
    )


@pytest.fixture(scope="module")
def scores() -> Scores:
    """Two warlords against three kinds of burghers in three seats, all tables."""
    return hold(Schedule((2, 3), (1, 3), "all", DEALS))


@pytest.fixture(scope="module")
def result(scores: Scores) -> Tournament:
    return judge(scores, resamples=20)


def row(frame: pl.DataFrame, **values: object) -> dict[str, Any]:
    return frame.row(by_predicate=pl.all_horizontal(pl.col(key) == value for key, value in values.items()), named=True)


@pytest.mark.parametrize(
    ("sizes", "seats"), [((2, 3), (1, 3)), ((2, 2), (2, 3)), ((3, 2), (2, 2)), ((1, 2), (1, 2)), ((2, 1, 2), (1, 2, 2))]
)
def test_all_seatings_of_a_company_weigh_alike(sizes: tuple[int, ...], seats: tuple[int, ...]) -> None:
    schedule = Schedule(sizes, seats, "all", 1)
    assert (len(schedule.orders), sum(schedule.turns)) == count_orders(sizes, seats, "all")
    seen: Counter[tuple[int, ...]] = Counter()
    for (_, ring, weight), turns in zip(schedule.orders, schedule.turns, strict=True):
        for turn in range(turns):
            seen[turned(ring, seats, turn)] += weight / turns
    groups = [[one for one, role in enumerate(schedule.role_of) if role == number] for number in range(len(sizes))]
    every = product(*(groups[role] for role in schedule.role_at))
    assert set(seen) == set(every)
    for seated, weight in seen.items():
        ways = [other for other in seen if sorted(other) == sorted(seated)]
        assert weight == pytest.approx(1 / len(ways))


def test_one_against_the_rest_of_its_role() -> None:
    schedule = Schedule((2, 3), (1, 3), "one-vs-rest", 1)
    assert (len(schedule.orders), sum(schedule.turns)) == count_orders((2, 3), (1, 3), "one-vs-rest")
    alike = {(lord, one, one, one) for lord in (0, 1) for one in (2, 3, 4)}
    assert alike < set(schedule.tables)
    assert len(schedule.tables) == len(set(schedule.tables)) == prod((2, 3)) + 2 * 6


def test_threads_change_nothing(scores: Scores) -> None:
    assert all(map(np.array_equal, hold(scores.schedule, threads=3).wins, scores.wins))


def test_payoffs_are_the_wins_of_a_run_in_shares_of_the_par_of_the_role(result: Tournament) -> None:
    """Bully against two givers and a random one, counted from the rows of a run."""
    spec = make_spec(TOY, 4, ("bully", "giver", "giver", "random"), seed=3, games=3 * DEALS)
    rows = run_chunk(spec, 0, 3 * DEALS)
    for name, entries, par in (("bully", (0,), 1 / 2), ("giver", (1, 2), 1 / 6), ("random", (3,), 1 / 6)):
        share = rows["share840"][np.isin(rows["strategy"], entries)].reshape(DEALS, -1).mean(axis=1) / 840 / par
        found = row(result.companies, company="warlord=bully, burgher=2 giver + random", strategy=name)
        assert found["par_normalised"] == pytest.approx(share.mean())
        assert found["par_normalised_se"] == pytest.approx(share.std(ddof=1) / np.sqrt(DEALS))
        assert found["games"] == 3 * DEALS
    lone = row(result.companies, company="warlord=bully, burgher=3 giver", strategy="bully")
    assert lone["games"] == DEALS, "a table on which nobody changes seats needs one game a deal"


def test_wins_at_a_table_sum_to_one(result: Tournament) -> None:
    sums = result.companies.group_by("company").agg((pl.col("share") * pl.col("seats")).sum())
    assert len(sums) == 2 * 10
    assert sums["share"].to_list() == pytest.approx([1.0] * 20)


def test_what_is_said_is_said_by_role(result: Tournament) -> None:
    table = result.table
    assert table["role"].to_list() == ["warlord"] * 2 + ["burgher"] * 3
    for _, own in table.group_by("role"):
        for column in ("mix", "alpha_rank"):
            assert own[column].sum() == pytest.approx(1)
        assert own["strength"].sum() == pytest.approx(0, abs=1e-9)
        assert own["exploitable"].min() >= 0
        itself = own["best_reply"] == own["strategy"]
        assert own.filter(itself).select("exploitable_low", "exploitable_high").sum_horizontal().to_list() == [
            0.0 for _ in range(int(itself.sum()))
        ]
        for found in own.filter(~itself).iter_rows(named=True):
            below, above = (
                found["exploitable"] - found["exploitable_low"],
                found["exploitable_high"] - found["exploitable"],
            )
            assert 1.9 < (below + above) / 2 / found["exploitable_se"] < 3.2, "family-wide, as wide as its error says"
        assert set(own["best_reply"]) <= set(own["strategy"])
    assert row(table, strategy="random")["dominated_by"] in ("giver", "steward")
    assert result.regret == pytest.approx(0, abs=1e-9)
    codes = [verdict.code for verdict in result.verdicts]
    assert codes[:2] == ["tournament_role_best"] * 2
    assert codes[2] in ("tournament_role_pure", "tournament_role_mix")


def test_what_one_role_wins_from_the_other_does_not_depend_on_which_tables_are_played(result: Tournament) -> None:
    few = judge(hold(Schedule((2, 3), (1, 3), "one-vs-rest", DEALS)), resamples=0)
    keys = ["role", "against", "strategy", "opponent"]
    mine, other = few.versus.sort(keys), result.versus.sort(keys)
    assert mine.select(keys).equals(other.select(keys))
    assert mine["par_normalised"].to_list() == pytest.approx(other["par_normalised"].to_list())
    assert len(few.versus) == 2 * 3 + 3 * 2 + 3 * 2
    assert few.depth == 3


def test_a_mean_over_what_the_other_role_plays_is_even(result: Tournament) -> None:
    cells = [
        row(result.companies, company=f"warlord=bully, burgher=3 {name}", strategy="bully")["par_normalised"]
        for name in ("giver", "steward", "random")
    ]
    assert row(result.table, strategy="bully")["par_normalised"] == pytest.approx(np.mean(cells))


def test_a_plan_by_role_that_the_games_do_not_allow() -> None:
    assert make_schedule([2, 3], [1, 3], 100_000).design == "all"
    assert make_schedule([9, 9], [1, 4], 100_000).design == "one-vs-rest"
    with pytest.raises(UsageError, match=r"^games: 10 are too few"):
        make_schedule([2, 3], [1, 3], 10)
