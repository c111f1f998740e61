"""Teams of a table: their wins, who is strong among their members, and the options of all doors."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

import equipoise as eq
from analysis.data.sources import source_of
from analysis.playtest.sheet import read_sheet
from analysis.ratings.strengths import strengths
from analysis.tables.importing import import_table
from simcore.errors import UsageError
from simcore.game import load_game


def table(path: Path, header: str, rows: Iterable[Iterable[object]]) -> Path:
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]))
    return path


@pytest.fixture
def dragon(tmp_path: Path) -> Path:
    """A Dragon against three Knights: each side wins 200 games."""
    rows = [
        (game, seat, "Dragon" if seat == 1 else "Knight", int((seat == 1) == (game % 2 == 0)))
        for game in range(400)
        for seat in (1, 2, 3, 4)
    ]
    return table(tmp_path / "t.csv", "game,seat,role,winner", rows)


def test_teams_are_judged_and_not_their_seats(dragon: Path) -> None:
    found = eq.seat_advantage(import_table(dragon, dragon.parent / "run", teams="1/234").run)
    assert found.verdict.code == "camps_table_fair"
    assert found.camps is not None
    assert found.camps.select("camp", "seats", "share", "par").rows() == [
        ("Dragon", 1, 0.5, 0.5),
        ("Knight", 3, 0.5, 0.5),
    ]
    half = (found.camps["share_high"] - found.camps["share_low"])[0] / 2
    assert half == pytest.approx(1.96 * math.sqrt(0.25 / 400), rel=0.03)  # the interval of 200 of 400
    assert found.table["par"].to_list() == pytest.approx([1 / 2, 1 / 6, 1 / 6, 1 / 6])


def test_suspected_teams_get_no_verdict(dragon: Path) -> None:
    alone = table(dragon.parent / "u.csv", "game,seat,winner", [
        (game, seat, int((seat == 1) == (game % 2 == 0))) for game in range(400) for seat in (1, 2, 3, 4)
    ])  # fmt: skip
    made = import_table(alone, dragon.parent / "run")
    assert "import_teams" in [note.code for note in made.notes]
    verdict = eq.seat_advantage(made.run).verdict
    assert (verdict.code, verdict.status, verdict.values["teams"]) == ("seats_suspected", "unknown", "1/234")


def test_where_teams_win_or_lose_together_nothing_is_said_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [(game, seat, "AB"[seat % 2], game % 2) for game in range(40) for seat in (1, 2, 3, 4)]
    page = eq.report(table(tmp_path / "t.csv", "game,seat,team,winner", rows), format="md", out=True)
    text = page.files[0].read_text(encoding="utf-8")
    assert "In 40 of 40 games all won or all lost together" in text and "no seat can be better than another" in text


def test_the_report_of_a_table_says_what_was_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [(game, seat, int(game > 2 and seat == 1 + game % 2)) for game in range(1, 43) for seat in (1, 2)]
    page = eq.report(table(tmp_path / "t.csv", "game,seat,winner", rows), format="md", out=True)
    assert "2 games were left out: nobody won" in page.files[0].read_text(encoding="utf-8")


def test_teams_keep_their_names_at_every_number_of_players_and_in_both_forms_of_a_table(tmp_path: Path) -> None:
    rows = [
        (size, seat, "boss" if seat == 1 else "crew", int(seat == 1)) for size in (3, 4) for seat in range(1, size + 1)
    ]
    made = import_table(table(tmp_path / "t.csv", "game,seat,team,winner", rows), tmp_path / "run")
    assert [made.origin.camps(size) for size in (3, 4)] == [
        {"boss": (0,), "crew": (1, 2)},
        {"boss": (0,), "crew": (1, 2, 3)},
    ]
    wide = table(tmp_path / "w.csv", "score_1,score_2,team_1,team_2,winner", [(3, 4, "boss", "crew", "crew")])
    assert import_table(wide, tmp_path / "wide").notes == ()  # none says that teams are no numbers


def test_a_team_is_ahead_of_the_other_team_and_not_of_its_own_members(tmp_path: Path) -> None:
    scores = {"12": (30, 10), "34": (26, 20)}
    rows = [
        (game, seat, team, score + game % 2)
        for game in range(40)
        for team, own in scores.items()
        for seat, score in zip(team, own, strict=True)
    ]
    ends = eq.closeness(import_table(table(tmp_path / "t.csv", "game,seat,team,score", rows), tmp_path / "run").run)
    assert ends.table.select("margin", "spread", "level", "close", "shared").row(0) == (4, 4, 0, 0, 0)
    assert ends.margins["margin"].to_list() == [4]


def test_members_are_as_strong_as_they_play(tmp_path: Path) -> None:
    # a team wins by the mean strength of its members; team 1 has 0.5 more, which is 62.2 % among equals
    draw, people = random.Random(5), "ABCDEFGHIJ"
    strength = {name: (number - 4.5) / 3 for number, name in enumerate(people)}
    rows: list[tuple[object, ...]] = []
    for game in range(1500):
        own = draw.sample(people, 4)
        ahead = 0.5 + strength[own[0]] - sum(strength[name] for name in own[1:]) / 3
        won = draw.random() < 1 / (1 + math.exp(-ahead))
        rows += [(game, seat, name, int((seat == 1) == won)) for seat, name in enumerate(own, 1)]
    run = import_table(table(tmp_path / "t.csv", "game,seat,player,winner", rows), tmp_path / "run", teams="1/234").run
    camps = eq.seat_advantage(run).camps
    assert camps is not None
    low, high = camps["share_low"][0], camps["share_high"][0]
    assert low < 1 / (1 + math.exp(-0.5)) < high < low + 0.08
    for row in strengths([source_of(run)], None, 0.95).table.rows(named=True):
        assert row["strength"] == pytest.approx(strength[row["strategy"]], abs=0.5)


def test_teams_that_tie_have_half_a_win_each(tmp_path: Path) -> None:
    rows = [(game, seat, 1) for game in range(2) for seat in (1, 2, 3, 4)]
    rows += [(2, seat, int(seat == 1)) for seat in (1, 2, 3, 4)]
    run = import_table(table(tmp_path / "t.csv", "game,seat,winner", rows), tmp_path / "run", teams="1/234").run
    shares = run.polars().collect()["share60"].to_list()
    assert shares == [30, 10, 10, 10] * 2 + [60, 0, 0, 0]


@pytest.mark.parametrize(
    ("teams", "parts"),
    [
        ("1/2345", [30, 8, 8, 7, 7]),
        ("12/3456", [15, 15, 8, 8, 7, 7]),
        ("123/4/5", [7, 7, 6, 20, 20]),
        ("123/45/67", [94, 93, 93, 140, 140, 140, 140]),
    ],
)
def test_teams_of_any_sizes_share_one_win_and_members_take_turns(tmp_path: Path, teams: str, parts: list[int]) -> None:
    own = teams.split("/")
    rows = [(game, seat, f"team {team}", "draw") for game in range(12) for team in own for seat in team]
    path = table(tmp_path / "t.csv", "game,seat,team,winner", rows)
    run = import_table(path, tmp_path / "run", teams=teams).run
    unit = sum(parts)
    share = run.polars().collect()[f"share{unit}"].to_numpy().reshape(12, -1)
    at = [[int(seat) - 1 for seat in team] for team in own]
    assert all((share[:, seats].sum(axis=1) == unit // len(own)).all() for seats in at)
    assert all(sorted(game[seats].tolist()) == sorted(parts[seat] for seat in seats) for game in share for seats in at)
    assert all(np.ptp(share[:, seats].sum(axis=0)) <= 2 for seats in at)  # of some hundreds


def test_drawn_games_of_unequal_teams_are_even(tmp_path: Path) -> None:
    results = {0: ("fugitive",), 1: ("hunters",), 2: ("fugitive", "hunters")}
    rows = [
        (game, seat, team, int(team in results[game % 3]))
        for game in range(60)
        for seat, team in enumerate(["fugitive", *["hunters"] * 4], 1)
    ]
    camps = eq.seat_advantage(
        import_table(table(tmp_path / "t.csv", "game,seat,team,winner", rows), tmp_path / "run").run
    ).camps
    assert camps is not None
    assert camps.select("camp", "share").rows() == [("fugitive", 0.5), ("hunters", 0.5)]


def test_roles_that_are_drawn_are_teams_if_the_table_says_so(tmp_path: Path) -> None:
    draw, rows = random.Random(1), list[tuple[object, ...]]()
    for game in range(300):
        spies = draw.sample(range(1, 7), 2)
        rows += [
            (game, seat, "spy" if seat in spies else "citizen", int((seat in spies) == (game % 3 > 0)))
            for seat in range(1, 7)
        ]
    path = table(tmp_path / "t.csv", "game,seat,role,winner", rows)
    (note,) = [note for note in import_table(path, tmp_path / "one").notes if note.code == "import_teams_roles"]
    assert note.values["roles"] == ("citizen", "spy")
    run = import_table(path, tmp_path / "two", columns={"team": "role"}, ordered=False).run
    camps = eq.seat_advantage(run).camps
    assert camps is not None
    assert camps.select("camp", "share").rows() == [("citizen", pytest.approx(1 / 3)), ("spy", pytest.approx(2 / 3))]


def test_every_door_takes_the_teams_and_the_mark(dragon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(dragon.parent)
    page = eq.report(dragon, teams="1/234")
    assert page.content.verdicts[0].text.startswith("The teams are even")
    plain = table(dragon.parent / "p.csv", "game,seat,winner", [
        (game, seat, int((seat == 1) == (game % 2 == 0))) for game in range(40) for seat in (1, 2, 3, 4)
    ])  # fmt: skip
    sheet = read_sheet(plain, load_game("middle-ages"), teams="1/234")
    assert {match.won for match in sheet.matches} == {(1.0, 0.0), (0.0, 1.0)}
    Path("s.csv").write_text("game;seat;score\n1;1;1.234\n1;2;999\n")
    for decimal, won in (("comma", (1.0, 0.0)), ("point", (0.0, 1.0))):
        assert read_sheet(Path("s.csv"), load_game("middle-ages"), decimal).matches[0].won == won
    with pytest.raises(UsageError, match="only a table of results takes it"):
        eq.report(import_table(dragon, Path("run")).run.folder, teams="1/234")


def test_other_numbers_of_players_than_the_teams_are_refused_with_their_rows(tmp_path: Path) -> None:
    rows = [(1, seat, int(seat == 1)) for seat in (1, 2, 3, 4)] + [(2, seat, int(seat == 1)) for seat in (1, 2, 3)]
    path = table(tmp_path / "t.csv", "game,seat,winner", rows)
    for door in (
        lambda: import_table(path, tmp_path / "run", teams="1/234"),
        lambda: read_sheet(path, load_game("middle-ages"), teams="1/234"),
        lambda: eq.report(path, teams="1/234"),
    ):
        with pytest.raises(UsageError, match=r"row 6: this game has 3 players, and the teams are 1/234"):
            door()
