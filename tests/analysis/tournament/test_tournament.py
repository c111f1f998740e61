"""Tournaments: which tables sit down, that every seating counts alike, and estimates told by another road."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import polars as pl
import pytest

from analysis.data.results import Note
from analysis.metagame import eliminate
from analysis.ratings.fit import Fit
from analysis.ratings.strengths import strengths
from analysis.tournament import playing
from analysis.tournament.playing import Schedule, Scores, count_orders, make_schedule, necklaces, play
from analysis.tournament.result import Tournament, _still, judge, verdicts_on
from reports.page import ABSENT
from reports.pages.tournament import compose_tournament
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from tests.analysis.test_metagame import symmetric
from tests.specs import make_spec

NAMES = ("greedy", "miller", "random")
GAME = load_game("middle-ages")


def hold(schedule: Schedule, threads: int = 1, names: tuple[str, ...] = NAMES) -> Scores:
    return play(
        GAME, [load_strategy(GAME, name) for name in names], load_rules(GAME), schedule, seed=3, threads=threads
    )


@pytest.fixture(scope="module")
def scores() -> Scores:
    """All tables of three strategies at three seats, 40 deals each."""
    return hold(Schedule((3,), (3,), "all", 40))


@pytest.fixture(scope="module")
def result(scores: Scores) -> Tournament:
    return judge(scores, resamples=20)


@pytest.mark.parametrize(("strategies", "players"), [(2, 2), (3, 3), (3, 4), (4, 4), (2, 5), (3, 6)])
def test_orders_and_rotations_are_all_seatings(strategies: int, players: int) -> None:
    schedule = Schedule((strategies,), (players,), "all", 1)
    assert len(schedule.orders) == count_orders((strategies,), (players,), "all")[0]
    seen: Counter[tuple[int, ...]] = Counter()
    for _, ring, weight in schedule.orders:
        for turn in range(players):
            seen[ring[turn:] + ring[:turn]] += weight / players
    assert set(seen) == {seats for seats in product(range(strategies), repeat=players) if len(set(seats)) > 1}
    for seats, weight in seen.items():
        ways = len({other for other in seen if sorted(other) == sorted(seats)})
        assert weight == pytest.approx(1 / ways)


def test_two_pairs_sit_side_by_side_or_crosswise() -> None:
    assert necklaces((0, 0, 1, 1)) == {(0, 0, 1, 1): 4, (0, 1, 0, 1): 2}


def test_one_against_the_rest() -> None:
    schedule = make_schedule(3, 4, 10_000, "one-vs-rest")
    assert sorted(schedule.tables) == [
        (0, 0, 0, 1),
        (0, 0, 0, 2),
        (0, 1, 1, 1),
        (0, 2, 2, 2),
        (1, 1, 1, 2),
        (1, 2, 2, 2),
    ]
    assert (schedule.deals, schedule.games) == (10_000 // 24, 10_000 // 24 * 24)


def test_auto_plays_all_tables_where_they_get_deals_enough() -> None:
    assert make_schedule(4, 4, 100_000).design == "all"
    assert make_schedule(11, 4, 1_000_000).design == "one-vs-rest"
    assert make_schedule(50, 2, 5_000).design == "all"  # with two players there is nothing between


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((11, 4, 100, "auto"), "games: 100 are too few; 110 tables and orders of 4 players take 440 games per deal"),
        ((4, 4, 100, "all"), "or choose the tables 'one-vs-rest'"),
        ((90, 5, 10**9, "all"), "take one-vs-rest"),
        ((3, 4, 100, "al"), "did you mean 'all'?"),
    ],
)
def test_plans_that_cannot_be(arguments: tuple[int, int, int, str], says: str) -> None:
    with pytest.raises(UsageError, match=says.replace("?", r"\?")):
        make_schedule(*arguments)


@pytest.mark.parametrize(("strategies", "players", "alike"), [(2, 2, True), (2, 3, True), (2, 4, False), (3, 3, False)])
def test_where_both_designs_play_the_same_tables_nothing_was_chosen(strategies: int, players: int, alike: bool) -> None:
    schedule = make_schedule(strategies, players, 1_200)
    assert (schedule.design == "all" and not schedule.chosen) == alike


def test_threads_change_nothing(scores: Scores) -> None:
    again = hold(scores.schedule, threads=3)
    assert all(map(np.array_equal, again.wins, scores.wins))


def test_tables_meet_the_deals_and_seats_of_a_run(scores: Scores) -> None:
    """The outcomes of one table are those of `simulate` with that line-up."""
    number = next(place for place, (_, ring, _) in enumerate(scores.schedule.orders) if ring == (0, 1, 2))
    spec = make_spec(3, NAMES, design="rotate", seed=3, games=120)
    shares = run_chunk(spec, 0, 120)["share60"].reshape(40, 3, 3)
    assert scores.wins[number].sum(axis=0).tolist() == shares.sum(axis=0).tolist()


def test_tables_with_and_without_players_who_look_ahead_are_seated_as_runs() -> None:
    """The first table has none who looks ahead, or everybody does."""
    rules, schedule = load_rules(GAME), Schedule((3,), (3,), "all", 1)
    for names in (("greedy", "random", "rollout"), ("rollout", "greedy", "random")):
        some = [load_strategy(GAME, name) for name in names]
        for spec in playing._specs(GAME, some, rules, schedule, 3):
            run = make_spec(3, spec.strategies, design=spec.design).lineup_record
            assert spec.searches == ("rollout" in spec.strategies) == bool(spec.lineup_record["noting"])
            for part in ("noting", "retell", *playing.PARTS):
                assert np.array_equal(spec.lineup_record[part], run[part]), part
    assert hold(Schedule((3,), (3,), "all", 1), names=("greedy", "random", "rollout")).schedule.deals == 1


def test_payoffs_are_means_over_all_seatings(result: Tournament) -> None:
    """Two greedy and a random one, counted from the rows of a run."""
    spec = make_spec(3, ("greedy", "greedy", "random"), design="rotate", seed=3, games=120)
    rows = run_chunk(spec, 0, 120)
    share = rows["share60"][rows["strategy"] == 2].reshape(40, 3).mean(axis=1) * 3 / 60
    found = result.companies.filter(pl.col("company") == "2 greedy + random", pl.col("strategy") == "random")
    assert found["par_normalised"][0] == pytest.approx(share.mean())
    assert found["par_normalised_se"][0] == pytest.approx(share.std(ddof=1) / np.sqrt(40))
    lone = result.versus.filter(pl.col("strategy") == "random", pl.col("opponent") == "greedy")
    assert lone["par_normalised"][0] == pytest.approx(share.mean())


def test_wins_at_a_table_sum_to_par(result: Tournament) -> None:
    seats = result.companies.with_columns(total=pl.col("par_normalised") * pl.col("seats"))
    sums = seats.group_by("company").agg(pl.col("total").sum())
    assert sums["total"].to_list() == pytest.approx([3.0] * len(sums))


def test_strengths_are_those_of_the_same_tables_as_runs() -> None:
    """With two players every table is a run, so that `strengths` must say the same of these runs."""
    scores = hold(Schedule((3,), (2,), "all", 400))
    mine = judge(scores, resamples=0).table.sort("strategy")
    pairs = (("greedy", "miller"), ("greedy", "random"), ("miller", "random"))
    runs = [make_spec(2, pair, design="rotate", seed=3, games=800) for pair in pairs]
    theirs = strengths(runs, resamples=0).table.sort("strategy")
    assert mine["strength"].to_list() == pytest.approx(theirs["strength"].to_list(), abs=1e-8)
    assert mine["even_share"].null_count() == theirs["even_share"].null_count() == 3  # no table of two seats three


def test_the_table_with_one_of_each_is_told_as_it_was_played(result: Tournament) -> None:
    """Three strategies at three seats sit together in one of the companies; the model is not asked."""
    told = dict(result.table.select("strategy", "even_share").iter_rows())
    played = result.companies.filter(pl.col("company") == "greedy + miller + random")
    assert told == pytest.approx(dict(played.select("strategy", "share").iter_rows()))
    assert set(result.table["even_by"]) == {"played"}
    assert result.companies.filter(pl.col("company") == "greedy + miller + random")["share"].sum() == pytest.approx(1)


def test_one_against_the_rest_has_no_even_table_unless_the_model_holds() -> None:
    found = judge(hold(Schedule((3,), (3,), "one-vs-rest", 60)), resamples=0)
    assert set(found.table["even_by"]) <= {"model", None}
    codes = {verdict.code for verdict in found.verdicts}
    assert ("tournament_misfit" in codes) == (found.table["even_by"].null_count() == 3)


def test_auto_says_which_tables_it_took() -> None:
    taken = make_schedule(11, 4, 1_000_000)
    assert taken.chosen > 1_000_000
    found = judge(hold(Schedule((3,), (2,), "all", 40, 200)), resamples=0)
    assert Note("auto_all", {"games": 240, "needed": 200}) in found.notes
    assert make_schedule(2, 2, 400).chosen == 0, "two designs that play the same tables leave nothing to say"
    assert make_schedule(3, 3, 9_000).chosen <= 9_000
    assert make_schedule(11, 4, 1_000_000, "one-vs-rest").chosen == 0


def test_a_table_that_is_always_won_has_intervals() -> None:
    """Greedy beats random nearly always: no interval of no width, and none beyond all the wins."""
    found = judge(hold(Schedule((3,), (2,), "all", 40)), resamples=0)
    width = found.companies["par_normalised_high"] - found.companies["par_normalised_low"]
    assert width.min() > 0.05
    assert found.companies["par_normalised_high"].max() <= 2 + 1e-9


def test_what_holds_among_greedy_miller_and_random(result: Tournament) -> None:
    table = {row["strategy"]: row for row in result.table.iter_rows(named=True)}
    assert table["random"]["dominated_by"] in ("greedy", "miller")
    assert table["random"]["dominated_often"] == 1
    assert table["random"]["mix"] == 0
    assert sum(row["mix"] for row in table.values()) == pytest.approx(1)
    assert sum(row["alpha_rank"] for row in table.values()) == pytest.approx(1)
    for row in table.values():
        assert row["exploitable"] >= 0
        assert (row["best_reply"] == row["strategy"]) == (row["exploitable"] == 0)
    assert result.regret == pytest.approx(0, abs=1e-9)
    assert result.regret_elsewhere >= 0


def test_too_few_deals_give_no_interval() -> None:
    found = judge(hold(Schedule((3,), (2,), "all", 5)))
    assert found.verdict.status == "unknown"
    assert found.table["strength_low"].null_count() == 3
    assert found.table["mix_low"].null_count() == 3
    assert Note("table_few_deals", {"deals": 5, "least": 30}) in found.notes


def test_two_strategies_with_one_name() -> None:
    from dataclasses import replace

    greedy, random = (load_strategy(GAME, name) for name in ("greedy", "random"))
    with pytest.raises(UsageError, match="two different strategies are called 'greedy'"):
        play(GAME, [greedy, replace(random, name="greedy")], load_rules(GAME), Schedule((2,), (2,), "all", 1))


def test_an_elimination_in_turn_holds_only_with_those_before_it() -> None:
    """Strategy 1 is dominated once 2 is gone; in a resample that keeps 2, nothing is known of 1."""
    game = [[3, 2, 0], [2, 1, 1], [1, 0, 0]]
    gone = eliminate(symmetric(game))
    assert [(item.strategy, item.round) for item in gone] == [(2, 1), (1, 2)]
    assert _still(symmetric(game), gone) == [True, True]
    assert _still(symmetric([[3, 2, 0], [2, 1, 1], [1, 0, 5]]), gone) == [False, False]


def test_what_is_dominated_only_in_turn_has_a_sentence_of_its_own(result: Tournament, scores: Scores) -> None:
    table = result.table.with_columns(
        pl.Series("round", [None, 2, 1], pl.Int32), pl.Series("dominated_often", [None, 0.99, 1.0])
    )
    found = verdicts_on(table, scores, 0.0, Fit((), 0.95), 0.95)
    told = {verdict.code: verdict.values["dominated"] for verdict in found if "dominated" in verdict.values}
    assert told == {"tournament_dominated": table["strategy"][2], "tournament_dominated_in_turn": table["strategy"][1]}


def test_few_deals_call_nobody_dominated() -> None:
    """16 deals cannot be resampled."""
    few = judge(hold(Schedule((3,), (2,), "all", 16)))
    assert few.table["dominated_often"].null_count() == 3 and set(few.table["dominated_by"]) != {""}
    (standings, *_) = compose_tournament([few], load_rules(GAME), ENGLISH).tables
    assert standings.headings[-1] == "dominated by" and {row[-1].text for row in standings.rows} == {ABSENT}
