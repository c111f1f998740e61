"""Seats among equal people, and people in equal seats."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from analysis.data.results import Unanswered
from analysis.ratings import people
from analysis.ratings.strengths import strengths
from analysis.seats.advantage import seat_advantage
from analysis.stats.moments import MIN_DEALS
from analysis.tables.importing import import_table
from reports.words import ENGLISH
from tests.analysis.tables.conftest import SEATS, club

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")


def run(folder: Path, rows: list[str]) -> Path:
    table, number = folder / "results.csv", len(list(folder.iterdir()))
    table.write_text("\n".join(rows) + "\n")
    return import_table(table, folder / f"run-{number}").run.folder


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
    rows = [
        f"{game},{seat},{(seat + game // 20) % 2 + (seat == game % 3)},{game // 20}"
        for game in range(200)
        for seat in range(1, 4)
    ]
    grouped = seat_advantage(run(tmp_path, ["game,seat,score,group", *rows])).table
    own = seat_advantage(run(tmp_path, ["game,seat,score,x", *rows])).table
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
    assert found.verdict.code == "people_best" and found.verdict.values["low"] > 4
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


def duel(wins: int) -> list[str]:
    """Rows of 40 games for two, in both seats in turn, of which Ann wins the first ones."""
    rows = ["game,seat,player,score"]
    for game in range(40):
        ann, bob = (game % 2 + 1, 2 - game % 2)
        rows += [f"{game},{ann},Ann,{int(game < wins)}", f"{game},{bob},Bob,{int(game >= wins)}"]
    return rows


def test_who_won_hardly_more_often_is_level_with_the_other(tmp_path: Path) -> None:
    verdict = strengths(run(tmp_path, duel(22))).verdict
    assert (verdict.code, verdict.status, verdict.values["names"]) == ("people_alike", "unclear", ("Ann", "Bob"))


def test_two_groups_leave_one_degree_of_freedom(tmp_path: Path) -> None:
    """t(1) is 12.706; between two people the gap of their strengths, and its error, are twice those of one."""
    head, *rows = duel(30)
    judged = strengths(
        run(tmp_path, [f"{head},group", *(f"{row},{number // 4 % 2}" for number, row in enumerate(rows))])
    )
    gap, error = (2 * judged.table[name][0] for name in ("strength", "strength_se"))
    low, high = (float(np.log(judged.verdict.values[name])) for name in ("low", "high"))
    assert [gap - low, high - gap] == pytest.approx([12.706 * error] * 2, rel=1e-3)
    assert judged.table["strength_high"][0] - gap / 2 == pytest.approx(12.706 * error / 2, rel=1e-3)


def test_a_share_is_never_beyond_none_or_all(tmp_path: Path) -> None:
    """Seat 1 wins 39 of 40 games; 2.02 standard errors above that would be more than all."""
    rows = [f"{game},{seat},{who},{int((seat == 1) == (game > 0))}" for game in range(40)
            for seat, who in enumerate(("Ann", "Bob")[:: 1 - 2 * (game % 2)], 1)]  # fmt: skip
    table = seat_advantage(run(tmp_path, ["game,seat,player,score", *rows])).table
    assert (table["share_low"][1], table["share_high"][0]) == (0, 1)
    assert table["share_low"][0] > 0.5 and table["share_high"][1] < 0.5


def test_two_people_have_the_odds_of_their_wins_and_the_range_is_about_them(tmp_path: Path) -> None:
    """30 wins against 10 are odds of 3; the error of their logarithm is sqrt(1/30 + 1/10), and t(39) is 2.023."""
    folder = run(tmp_path, duel(30))
    found, seats = strengths(folder).verdict, seat_advantage(folder)
    assert (found.code, found.status, found.values["names"]) == ("people_best", "fact", ("Ann",))
    low, odds, high = (float(np.log(found.values[name])) for name in ("low", "odds", "high"))
    assert odds == pytest.approx(np.log(3), rel=0.05)
    assert (odds - low, high - odds) == pytest.approx([2.023 * np.sqrt(1 / 30 + 1 / 10)] * 2, rel=0.05)
    said = "This is between these two people; other people may differ, and only more people would tell."
    assert ENGLISH.verdict(seats.verdict).endswith(said)


def drawn(people: int, games: int, decided: int) -> list[str]:
    """Rows of a game for two in which everybody meets everybody; the first games are won, by both seats alike."""
    pairs = list(permutations(range(people), 2))
    rows = ["game,seat,player,winner"]
    for game in range(games):
        won = {0: (1, 0), 1: (0, 1)}.get(game % 2 if game < decided else 2, (1, 1))
        seated = zip(pairs[game % len(pairs)], won, strict=True)
        rows += [f"{game},{seat},P{one},{win}" for seat, (one, win) in enumerate(seated, 1)]
    return rows


@pytest.mark.parametrize("people", [2, 4, 10])
def test_a_draw_is_half_a_win_and_no_toss_of_a_coin(tmp_path: Path, people: int, as_users_draw: None) -> None:
    """By hand: 30 of 360 games decided, so a game's share varies by 30/360/4, and its mean by sqrt(of that / 360)."""
    table = seat_advantage(run(tmp_path, drawn(people, 360, 30))).table
    assert table["share"].to_list() == pytest.approx([0.5] * 2, abs=0.005)
    assert table["share_se"].to_list() == pytest.approx([np.sqrt(30 / 360 / 4 / 360)] * 2, rel=0.1)
    reach = (table["share_high"] - table["share"]) / table["share_se"]
    assert reach.to_list() == pytest.approx([1.967 if people < 5 else 2.262] * 2, rel=0.01), "t in games, or in people"


def test_a_seat_that_always_has_the_same_role_gets_no_range_and_no_number_of_games(tmp_path: Path) -> None:
    rows = ["game,seat,role,winner"]
    for game in range(400):
        rows += [f"{game},1,Dragon,{1 - game % 2}", *(f"{game},{seat},Knight,{game % 2}" for seat in (2, 3, 4))]
    folder = run(tmp_path, rows)
    seats, roles = seat_advantage(folder), strengths(folder)
    assert seats.table["share_low"].null_count() == 4 and roles.table["strength_low"].null_count() == 2
    assert (seats.verdict.code, roles.verdict.code) == ("seats_suspected", "roles_together")
    assert not {"needed", "odds", "share"} & {*seats.verdict.values, *roles.verdict.values}


@pytest.mark.parametrize("games", [MIN_DEALS - 1, MIN_DEALS])
def test_too_few_games_give_no_interval_and_no_ranking(tmp_path: Path, games: int) -> None:
    folder = run(tmp_path, club(games))
    enough = games == MIN_DEALS
    ranked, seats = strengths(folder), seat_advantage(folder)
    assert (ranked.verdict.status != "unknown") == enough
    assert (ranked.table["strength_low"].null_count() == 0) == enough
    assert (seats.table["share_low"].null_count() == 0) == enough
    assert seats.table["share"].sum() == pytest.approx(1)


def test_games_that_all_win_or_lose_together_do_not_say_who_is_better(tmp_path: Path) -> None:
    head, decided, together = ["game,seat,player,winner"], [], []
    for game in range(60):
        names = [f"{seat + 1},P{(game + seat) % 3}" for seat in range(2)]
        decided += [f"{game},{name},{int(seat == game % 5 % 2)}" for seat, name in enumerate(names)]
        together += [f"x{game},{name},{game % 2}" for name in names]
    alone = seat_advantage(run(tmp_path, head + decided)).table
    found = seat_advantage(run(tmp_path, head + decided + together)).table
    for column in ("share", "share_se"):
        assert found[column].to_list() == pytest.approx(alone[column].to_list())
    with pytest.raises(Unanswered, match="in every game all won or all lost together"):
        strengths(run(tmp_path, head + together))


@pytest.mark.parametrize("most", [3, 4, 5])
def test_those_with_the_fewest_games_share_one_strength(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(people, "MOST_PEOPLE", most)
    seated = [*("Ann", "Bob") * 50, *("Ann", "Cy") * 40, *("Bob", "Dee") * 30, *("Ann", "Eve") * 20]
    rows = [f"{at // 2},{at % 2 + 1},{name},{at * 7 % 5}" for at, name in enumerate(seated)]
    found = strengths(run(tmp_path, ["game,seat,player,score", *rows]))
    times = {
        3: {"Ann": 110, "Bob": 80, "others": 40 + 30 + 20},
        4: {"Ann": 110, "Bob": 80, "Cy": 40, "others": 30 + 20},
        5: {"Ann": 110, "Bob": 80, "Cy": 40, "Dee": 30, "Eve": 20},
    }
    assert dict(found.table.select("strategy", "times").iter_rows()) == times[most]
    pooled = [note.values for note in found.notes if note.code == "people_pooled"]
    assert pooled == ([{"count": 6 - most, "most": most - 1}] if most < 5 else [])


def test_a_person_may_be_called_as_those_who_share_a_strength(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST_PEOPLE", 3)
    seated = [*("others", "Bob") * 50, *("others", "(others)") * 40, *("Bob", "Dee") * 30]
    rows = [f"{at // 2},{at % 2 + 1},{name},{at * 7 % 5}" for at, name in enumerate(seated)]
    found = strengths(run(tmp_path, ["game,seat,player,score", *rows])).table
    times = {"others": 90, "Bob": 80, "((others))": 40 + 30}
    assert dict(found.select("strategy", "times").iter_rows()) == times


def test_intervals_cover_the_truth_in_a_small_sample() -> None:
    """15 tables of four seats; tests/verification/test_tables.py measures the coverage with many."""
    from tests.verification.test_tables import coverage

    rates = coverage(15, 200, 12, 0.0, seed=5)
    assert rates["people"] >= 0.85 > rates["raw"]
