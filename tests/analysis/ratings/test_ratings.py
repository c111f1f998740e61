"""Strengths and match-ups: hand-made games with known answers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.api import matchups, strengths
from analysis.data.results import Note
from analysis.ratings.strengths import MIN_WINS, Evidence, _odds
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.running.batch import Spec
from tests.analysis.made import Made, finals
from tests.specs import make_spec


def contest(deals: int, strength: list[float], seat: list[float], seed: int, names: list[str]) -> Made:
    """Play deals in rotation: each game is won with the chances of the model; half the deals repeat their luck."""
    rng, players = np.random.default_rng(seed), len(seat)
    entry = (np.arange(players) + np.arange(players)[:, None]) % players  # games of a deal, seats
    line = np.array(strength)[entry] + np.array(seat)
    luck = rng.gumbel(size=(deals, players, players))
    same = rng.random(deals) < 0.5
    luck[same] = luck[same, :1]
    won = (line + luck).argmax(axis=2).reshape(-1)
    strategy = np.tile(entry, (deals, 1))
    spec = make_spec(players, names, design="rotate", games=len(won))
    return Made(finals(np.eye(players, dtype=int)[won], strategy), spec)


NAMES = ["greedy", "random", "miller"]


def test_strengths_come_out_with_their_errors() -> None:
    true, seats = [0.8, -0.6, -0.2], [0.3, 0.0, -0.3]
    found = strengths(contest(4_000, true, seats, 1, NAMES))
    told = {row["strategy"]: row for row in found.table.iter_rows(named=True)}
    for name, value in zip(NAMES, true, strict=True):
        assert abs(told[name]["strength"] - value) < 4 * told[name]["strength_se"]
        assert told[name]["bootstrap_se"] == pytest.approx(told[name]["strength_se"], rel=0.15)
        assert told[name]["bootstrap_low"] < told[name]["strength"] < told[name]["bootstrap_high"]
    assert (found.seats["advantage"] - pl.Series(seats)).abs().max() < 0.1
    assert found.table["strategy"].to_list() == ["greedy", "miller", "random"]
    assert found.table["even_share"].sum() == pytest.approx(1)
    assert ENGLISH.verdict(found.verdicts[0]).startswith("At the table with one of each, greedy wins")
    assert ENGLISH.verdict(found.verdicts[1]).startswith("greedy is the strongest of 3")


def test_a_reference_is_zero() -> None:
    made = contest(500, [0.8, -0.6, -0.2], [0, 0, 0], 2, NAMES)
    free, tied = strengths(made, resamples=0), strengths(made, "miller", resamples=0)
    told = {row["strategy"]: row["strength"] for row in free.table.iter_rows(named=True)}
    for row in tied.table.iter_rows(named=True):
        assert row["strength"] == pytest.approx(told[row["strategy"]] - told["miller"])
    with pytest.raises(UsageError, match="no strategy 'millar'; did you mean 'miller'"):
        strengths(made, "millar")


@pytest.mark.parametrize(("fitted", "told"), [(8, False), (9, True)])
def test_the_bootstrap_is_the_spread_of_the_resamples(monkeypatch: pytest.MonkeyPatch, fitted: int, told: bool) -> None:
    """The variance of the numbers 0 to n - 1 is n (n + 1) / 12; fewer than nine fits of ten say nothing."""
    rows = np.repeat(np.arange(fitted, dtype=float)[:, None], 3 + 3, axis=1)
    monkeypatch.setattr(Evidence, "resampled", lambda *_: rows)
    found = strengths(contest(100, [0.2, -0.2, 0], [0, 0, 0], 7, NAMES), level=0.8, resamples=10).table
    columns = found.select("bootstrap_se", "bootstrap_low", "bootstrap_high").rows()
    assert columns == [pytest.approx((np.sqrt(9 * 10 / 12), 0.8, 7.2)) if told else (None,) * 3] * 3


def test_runs_of_several_sizes_go_together() -> None:
    three = contest(2_000, [0.8, -0.6, -0.2], [0.3, 0.0, -0.3], 3, NAMES)
    two = contest(2_000, [0.8, -0.6], [0.1, -0.1], 4, NAMES[:2])
    found = strengths([three, two])
    assert found.seats["players"].to_list() == [2, 2, 3, 3, 3]
    assert found.seats["advantage"].to_list() == pytest.approx([0.1, -0.1, 0.3, 0.0, -0.3], abs=0.1)
    assert found.table["bootstrap_se"].to_list() == pytest.approx(found.table["strength_se"].to_list(), rel=0.15)
    assert found.games == 10_000
    assert Note("shared_deals") in found.notes


def test_who_never_wins_has_no_strength() -> None:
    spec = make_spec(2, ["greedy", "random"], design="rotate")
    made = Made(finals([[1, 0], [0, 1]] * 50, [[0, 1], [1, 0]] * 50), spec)
    rated = strengths(made)
    assert rated.table["strength"].null_count() == 2
    assert rated.verdict.status == "unknown"
    assert {Note("never_won", {"name": "random"}), Note("always_won", {"name": "greedy"})} <= set(rated.notes)


def test_the_odds_of_the_strongest_allow_for_choosing_the_pair() -> None:
    """The gap of 1 has an error of sqrt(.05 + .04); 2.394 is the normal value at 1 - .025 / 3, for three pairs."""
    covariance = np.diag([0.05, 0.01, 0.04])
    ends = np.log(_odds(np.array([1.0, 0.2, 0.0]), covariance, 10**6, 0.95))
    assert ends == pytest.approx([1, 1 - 2.394 * 0.3, 1 + 2.394 * 0.3], rel=1e-3)


@pytest.mark.parametrize("deals", [20, 30, 200])
def test_a_strength_from_few_wins_is_called_rough(deals: int) -> None:
    rated = strengths(contest(deals, [0.8, -0.6, -0.2], [0, 0, 0], 3, NAMES), resamples=0)
    few = set(rated.table.filter(pl.col("wins") < MIN_WINS)["strategy"])
    assert {note.values["name"] for note in rated.notes if note.code == "few_wins"} == few
    assert (not few) == (deals == 200)


def test_fixed_seats_give_no_strengths() -> None:
    spec = make_spec(2, ["greedy", "random"], design="fixed")
    made = Made(finals([[1, 0], [0, 1], [1, 0]] * 50, [[0, 1]] * 150), spec)
    found = strengths(made)
    assert found.table["strength"].null_count() == 2
    assert Note("unlinked_runs") in found.notes


@pytest.mark.parametrize("analysis", [strengths, matchups])
def test_one_strategy_cannot_be_compared(analysis: object) -> None:
    with pytest.raises(UsageError, match="'greedy' is the only strategy"):
        analysis(make_spec(2, ["greedy"], games=40))
    with pytest.raises(UsageError, match="no runs"):
        analysis([])


def test_runs_of_other_rules_do_not_go_together() -> None:
    line = ["greedy", "random"]
    with pytest.raises(UsageError, match="differ in game or rules"):
        strengths([make_spec(2, line, games=40), make_spec(2, line, ["final_floor=true"], games=40)])


def test_one_name_for_two_strategies_is_told() -> None:
    from dataclasses import replace

    spec = make_spec(2, ["greedy", "random"], design="rotate", games=40)
    tables = [dict(table) for table in spec.strategy_tables]
    tables[0]["blunder"] = 0.5
    other: Spec = replace(spec, strategy_tables=tuple(tables))
    with pytest.raises(UsageError, match=r"'greedy' is one strategy in .* and another in"):
        matchups([spec, other])


def test_matchups_by_hand() -> None:
    """Greedy ahead of random in two of four meetings, level in one."""
    spec = make_spec(2, ["greedy", "random"], design="rotate")
    strategy = [[0, 1], [1, 0], [0, 1], [1, 0]]
    found = matchups(Made(finals([[2, 1], [1, 1], [0, 5], [3, 4]], strategy), spec))
    row = found.table.filter(pl.col("strategy") == "greedy").row(0, named=True)
    assert row["ahead"] == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert row["wins"] == pytest.approx(2.5 / 4)
    assert (row["times"], row["deals"]) == (4, 2)
    assert found.matrix().shape == (2, 3)
    company = found.company.row(0, named=True)
    assert (company["company"], company["strategy"]) == ("greedy + random", "greedy")
    assert company["par_normalised"] == pytest.approx(2 * 2.5 / 4)


def test_pairs_are_even_in_sum_and_tested_once() -> None:
    found = matchups(contest(1_000, [0.5, 0.0, -0.5], [0, 0, 0], 5, NAMES))
    table = found.table
    other = table.select(strategy="opponent", opponent="strategy", back="ahead", p_back="p_holm")
    both = table.join(other, on=["strategy", "opponent"])
    assert (both["ahead"] + both["back"]).to_list() == pytest.approx([1.0] * 6)
    assert both["p_holm"].to_list() == both["p_back"].to_list()
    assert table["times"].to_list() == [3000] * 6
    assert found.verdict.code == "matchups_master"


def test_equal_strategies_have_no_master() -> None:
    assert matchups(contest(1_000, [0, 0, 0], [0, 0, 0], 6, NAMES)).verdict.code == "matchups_open"


def test_a_master_is_named_at_the_level_that_was_asked_for() -> None:
    runs = contest(200, [0.3, 0, -0.3], [0, 0, 0], 5, NAMES)
    codes = [matchups(runs, level).verdict.code for level in (0.95, 0.9999)]
    assert codes == ["matchups_master", "matchups_open"]


def test_company_counts_seats() -> None:
    """One greedy against two random in rotation: par is a third of the wins for greedy, two thirds for the others."""
    found = matchups(make_spec(3, ["greedy", "random", "random"], design="rotate", games=3_000))
    seats = {row["strategy"]: row["seats"] for row in found.company.iter_rows(named=True)}
    assert seats == {"greedy": 1, "random": 2}
    wins = (found.company["par_normalised"] * found.company["seats"]).sum() / 3
    assert wins == pytest.approx(1)
    assert found.company["company"][0] == "greedy + 2 random"


def test_one_of_three_wins_at_most_three_times_its_par() -> None:
    """Greedy wins all of 100 deals; (.05 / 3 / 2)^(1/100) is the low end of Clopper and Pearson for one of three."""
    company = matchups(contest(100, [50.0, 0, 0], [0, 0, 0], 8, NAMES)).company
    ends = company.filter(pl.col("strategy") == "greedy").select("^par_normalised(_low|_high)?$").row(0, named=True)
    assert ends["par_normalised"] == ends["par_normalised_high"] == 3
    assert ends["par_normalised_low"] == pytest.approx(3 * (0.05 / 6) ** (1 / 100))
