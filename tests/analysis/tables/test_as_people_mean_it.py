"""Tables in the forms that people and other programs write, read alike by `import` and `playtest`, or refused alike."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from analysis.playtest.sheet import read_sheet
from analysis.seats.advantage import seat_advantage
from analysis.tables.importing import Imported, import_table
from simcore.errors import UsageError
from simcore.game import load_game
from tests.analysis.tables.conftest import refused

Write = Callable[..., Path]


def wins(made: Imported) -> list[float]:
    """Return the wins of each seat."""
    frame = made.run.polars().group_by("seat").agg(pl.col("share60").sum() / 60).sort("seat").collect()
    return frame["share60"].to_list()


def both(path: Path, **options: str) -> tuple[list[float], list[str]]:
    """Return the wins of each seat and the codes of the notes, which are the same at both doors."""
    made = import_table(path, path.parent / f"run-{path.stem}", **options)  # type: ignore[arg-type]
    if not options:
        sheet = read_sheet(path, load_game("middle-ages"))
        assert [sum(match.won[seat] for match in sheet.matches) for seat in range(len(wins(made)))] == pytest.approx(
            wins(made)
        )
        assert len(sheet.matches) == made.run.manifest.games
        assert {note.code for note in sheet.notes} <= {note.code for note in made.notes}
    return wins(made), [note.code for note in made.notes]


READ = {
    "floats": (
        "game,seat,winner\n1.0,1.0,1.0\n1.0,2.0,0.0\n2.0,1.0,0.0\n2.0,2.0,1.0\n3.0,1.0,1.0\n3.0,2.0,0.0\n",
        [2, 1],
    ),
    "words": ("game,seat,result\n1,1,Win\n1,2,Loss\n2,1,L\n2,2,W\n3,1,Draw\n3,2,draw\n", [1.5, 1.5]),
    "check marks": ("game,seat,won\n1,1,\u2713\n1,2,\n2,1,\u2713\n2,2,\u2717\n", [2, 0]),
    "a name in every row": ("game,seat,player,winner\n1,1,Ann,Bob\n1,2,Bob,Bob\n2,1,Bob,bob\n2,2,Ann,bob\n", [1, 1]),
    "a name that is a mark, too": ("game,seat,player,winner\n1,1,X,O\n1,2,O,O\n2,1,X,X\n2,2,O,X\n", [1, 1]),
    "a team in every row": ("game,seat,team,winner\n1,1,x,x\n1,2,y,x\n2,1,x,y\n2,2,y,y\n", [1, 1]),
    "a team in a row for each game": ("team_1,team_2,score_1,score_2,winner\nred,blue,3,3,Blue\n", [0, 1]),
    "chess": ("White,Black,Result\nA,B,1-0\nA,B,0-1\nA,B,1/2-1/2\n", [1.5, 1.5]),
    "French": ("game,seat,winner\n1,1,gagn\u00e9\n1,2,perdu\n2,1,nul\n2,2,nul\n", [1.5, 0.5]),
    "French names": (
        "Partie;Si\u00e8ge;Joueur;Rang;Dur\u00e9e\n1;1;Ann;1;50\n1;2;Bob;2;50\n2;1;Bob;1;40\n2;2;Ann;2;40\n",
        [2, 0],
    ),
    "French, in a row for each game": ("Joueur 1;Score 1;Joueur 2;Score 2\nAnn;12,5;Bob;12\nBob;9;Ann;11\n", [1, 1]),
    "French, players first": ("J1;J1 Points;J2;J2 Points;Gagnant\nAnn;1;Bob;2;Bob\n", [0, 1]),
    "signs": ("game,seat,winner\n1,1,\u2705\n1,2,\u274c\n2,1,\n2,2,\U0001f3c6\n", [1, 1]),
    "ordinals": ("game,seat,place\n1,1,2nd\n1,2,1st\n1,3,3rd\n2,1,T-1\n2,2,1st=\n2,3,DNF\n", [0.5, 1.5, 0]),
    "ranks from 0": ("game,seat,rank\n1,1,0\n1,2,1\n2,1,1\n2,2,0\n2,3,2\n1,3,2\n", [1, 1, 0]),
    "a score that was not reached": ("game,seat,score\n1,1,DNF\n1,2,-5\n2,1,4\n2,2,3\n", [1, 1]),
    "draws in a row for each game": (
        "player_1,player_2,winner\nA,B,draw\nA,B,A & B\nA,B,1-0\nA,B,0-1\nA,B,2.0\nA,B,B\n",
        [2, 4],
    ),
    "minus signs and spaces": ("game,seat,score\n1,1,\u22125\n1,2,-6\n2,1,987\n2,2,1\u202f234\n", [1, 1]),
    "both marks": ("game;seat;score\n1;1;1.234,5\n1;2;987,25\n", [1, 0]),
    "players in the middle": ("P1,P1 Score,P2,P2 Score\nAnn,3,Bob,4\nAnn,9,Bob,4\n", [1, 1]),
    "a title and a separator": ("sep=;\ngame;seat;points\n1;1;3\n1;2;2\n", [1, 0]),
    "a title": ("Our games 2026;;\n;;\ngame;seat;score\n1;1;3\n1;2;2\n", [1, 0]),
    "ends of lines of old spreadsheets": ("game,seat,score\r1,1,3\r1,2,2\r", [1, 0]),
}


@pytest.mark.parametrize(("text", "expected"), READ.values(), ids=READ)
def test_forms_of_other_programs_are_read(table: Write, text: str, expected: list[float]) -> None:
    assert both(table(text))[0] == expected


REFUSED = {
    "a code among ranks": (
        "game,seat,rank\n1,1,1\n1,2,2\n2,1,1\n2,2,0\n",
        "row 5: rank: '0' is no place in a game of 2 players whose winner has the rank 1; write DNF for who was not",
    ),
    "a place beyond the table": ("game,seat,rank\n1,1,1\n1,2,99\n", "row 3: rank: '99' is no place in a game of 2"),
    "nothing said": (
        "game,seat,winner\n1,1,1\n1,2,\n2,1,\n2,2,\n",
        "row 4: nobody is said to have won this game; mark all who did, or write 0 for all if nobody won",
    ),
    "XML": ("<?xml version='1.0'?>\n<plays>\n</plays>\n", "XML or a web page, which is not read; give a table as CSV"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused_alike_with_what_to_write(table: Write, text: str, said: str) -> None:
    assert refused(table(text)).startswith(said)


def test_a_row_that_occurs_twice_in_a_game_is_refused(table: Write, tmp_path: Path) -> None:
    path = table("game,player,score\n1,Ann,3\n1,Bob,2\n1,Bob,2\n")
    with pytest.raises(UsageError, match="row 4: the same as another row of its game; leave out one"):
        import_table(path, tmp_path / "run")
    twice = table("game,player,score\n1,Ann,3\n1,Bob,2\n1,Bob,1\n", "b.csv")
    assert import_table(twice, tmp_path / "b").run.manifest.players == 3  # who plays two seats is no error


@pytest.mark.parametrize(("alone", "noted"), [(3, [{"games": 3, "row": 2}]), (12, [])])
def test_a_person_in_several_seats_is_noted_and_a_strategy_is_not(
    table: Write, alone: int, noted: list[dict[str, int]]
) -> None:
    rows = [f"{game},1,Ann,5\n{game},2,{'Ann' if game <= alone else 'Bob'},3" for game in range(1, 13)]
    path = table(["game,seat,player,score", *rows])
    assert both(path)[1] == ["import_highest", *(["import_several"] if noted else [])]
    assert [dict(note.values) for note in read_sheet(path, load_game("middle-ages")).notes] == noted


def test_a_game_that_was_entered_twice_is_noted_with_both_rows(table: Write, tmp_path: Path) -> None:
    wide = "date,player_1,player_2,score_1,score_2\n1,A,B,10,12\n1,A,B,10,12\n2,A,B,15,12\n"
    assert both(table(wide)) == ([1, 2], ["import_highest", "import_twice"])
    long = "game,date,seat,player,score\n1,1,1,A,10\n1,1,2,B,12\n2,2,1,A,10\n2,2,2,B,12\n3,1,1,A,10\n3,1,2,B,12\n"
    (note,) = (n for n in import_table(table(long, "long.csv"), tmp_path / "l").notes if n.code == "import_twice")
    assert dict(note.values) == {"row": 2, "again": 6}


def test_the_first_twenty_faulty_rows_are_named(table: Write) -> None:
    bad = refused(table("game,seat,score\n" + "".join(f"{n},1,x\n{n},2,3\n" for n in range(1, 31))))
    assert bad == (
        "row 2: score: 'x' is not a score; give a number, or DNF for the last; see also rows "
        + ", ".join(str(2 * n) for n in range(2, 21))
        + " and 10 more"
    )


def test_nobody_won_is_never_overruled_by_a_score(table: Write) -> None:
    """All lost some of these co-operative games, although one had more points than the other."""
    rows = [f"{n},{seat},{n % 2},{30 if n % 2 else 9 + seat}" for n in range(1, 41) for seat in (1, 2)]
    path = table(["game,seat,winner,score", *rows])
    made = import_table(path, path.parent / "run")
    assert wins(made) == [20, 20] and made.origin.cooperative
    assert [note.code for note in made.notes] == ["import_together"]
    with pytest.raises(UsageError, match="in every game all won or all lost together"):
        read_sheet(path, load_game("middle-ages"))
    with pytest.raises(UsageError, match="in every game all won or all lost together"):
        read_sheet(made.runs, load_game("middle-ages"))


@pytest.mark.parametrize("lost", [(5, 6, 7), (10, 11, 12)])
def test_games_that_nobody_won_are_left_out_and_counted(table: Write, lost: tuple[int, ...]) -> None:
    """Wherever they stand in the file."""
    rows = [f"{n},{seat},{int(seat == 1 and n not in lost)}" for n in range(1, 13) for seat in (1, 2, 3, 4)]
    path = table(["game,seat,winner", *rows])
    assert both(path) == ([9, 0, 0, 0], ["import_unwon"])
    (note,) = read_sheet(path, load_game("middle-ages")).notes
    assert dict(note.values) == {"games": 3, "row": 4 * lost[0] - 2}


def test_games_that_were_broken_off_are_left_out_and_counted(table: Write) -> None:
    rows = [f"{n},{seat},{n * seat},{int(n != 3)}" for n in range(1, 5) for seat in (1, 2)]
    assert both(table(["game,seat,score,finished", *rows])) == ([0, 3], ["import_highest", "import_aborted"])
    rows = [f"{n},{seat},{'' if n == 3 else seat},{'yes' if n == 3 else ''}" for n in range(1, 5) for seat in (1, 2)]
    assert both(table(["game,seat,score,incomplete", *rows], "b.csv"))[0] == [0, 3]


@pytest.mark.parametrize(("decimal", "expected"), [("comma", [2, 0]), ("point", [0, 2])])
def test_the_user_may_say_what_is_before_the_decimals(table: Write, decimal: str, expected: list[float]) -> None:
    rows = "game;seat;player;score;length\n1;1;A;1.234;1.500\n1;2;B;987;1.500\n2;1;B;2.001;3\n2;2;A;999;3\n"
    made = import_table(table(rows), table("", "x").parent / "run", decimal=decimal)
    assert wins(made) == expected
    assert made.run.polars().collect()["length"][0] == (1500 if decimal == "comma" else 1.5)


def test_a_measure_that_may_mean_thousands_is_left_out(table: Write, tmp_path: Path) -> None:
    made = import_table(table("game;seat;winner;length\n1;1;1;1.500\n1;2;0;1.500\n"), tmp_path / "run")
    assert [(note.code, note.values["row"]) for note in made.notes] == [("import_text", 2)]


def test_scores_decide_a_game_that_has_none_of_its_own(table: Write) -> None:
    """As where an Othello engine keeps discs, and the rules say only who won."""
    from dataclasses import replace

    game = replace(load_game("middle-ages"), score=None)
    sheet = read_sheet(table("game,seat,score\n1,1,40\n1,2,24\n2,1,30\n2,2,34\n"), game)
    assert [match.won for match in sheet.matches] == [(1, 0), (0, 1)] and sheet.wins == "highest"


def export(*plays: dict[str, object], **game: object) -> str:
    """Return what BG Stats exports of plays of one game, of up to four people; each play has lists by person."""

    def play(number: int, each: dict[str, object]) -> dict[str, object]:
        lists = {key: value for key, value in each.items() if isinstance(value, list)}
        size = len(next(iter(lists.values())))
        blank = {"score": "", "winner": False, "rank": 0, "seatOrder": 0, "startPlayer": False, "role": ""}
        scores = [
            blank | {"playerRefId": at + 1} | {key: value[at] for key, value in lists.items()} for at in range(size)
        ]
        rest = {key: value for key, value in each.items() if key not in lists}
        return {"gameRefId": 7, "playDate": f"2025-04-{number:02d} 20:00:00", "playerScores": scores} | rest

    people = [{"id": number, "name": f"P{number}"} for number in range(1, 10)]
    own = {"id": 7, "name": "Game A", "cooperative": False, "highestWins": True} | game
    return json.dumps(
        {"players": people, "games": [own], "plays": [play(number, each) for number, each in enumerate(plays, 1)]}
    )


FIRST, SECOND = {"winner": [True, False]}, {"winner": [False, True]}
SEATS = {"seatOrder": [1, 2]}


def test_bg_stats_says_who_began(table: Write, tmp_path: Path) -> None:
    """Seat 1 is whoever began; where more than two play, the others' seats are drawn by lot, and a note says so."""
    began = {"startPlayer": [True, False]}
    assert both(table(export(*[FIRST | began] * 5, SECOND | began), "e.json")) == ([5, 1], [])
    rows = [{"winner": [False, True, False], "startPlayer": [False, True, False]} for _ in range(40)]
    made = import_table(table(export(*rows), "three.json"), tmp_path / "three")
    assert wins(made) == [40, 0, 0] and [note.code for note in made.notes] == ["import_begun"]
    seats = made.run.polars().filter(pl.col("player") == "P1").collect()["seat"].to_list()
    assert set(seats) == {2, 3} and 10 < seats.count(2) < 30


def test_one_odd_play_of_bg_stats_is_left_out_with_its_date_and_reason(table: Write, tmp_path: Path) -> None:
    odd = {
        "ignored": FIRST | SEATS | {"ignored": True},
        "size": {"winner": [True], "seatOrder": [1]},
        "teams": FIRST | SEATS | {"usesTeams": True},  # whose teams are not named
        "text": FIRST | SEATS | {"score": ["ten", "3"]},
        "gap": FIRST | SEATS | {"score": ["10", ""]},
        "unwon": {"winner": [False, False], "score": ["10", "3"]} | SEATS,
        "other": FIRST | SEATS | {"score": ["3", "10"]},
        "seats": dict(FIRST),
    }
    file = export(FIRST | SEATS, *odd.values(), SECOND | SEATS)
    made = import_table(table(file, "e.json"), tmp_path / "run")
    assert wins(made) == [1, 1]
    assert {note.code: dict(note.values) for note in made.notes} == {
        f"import_left_{reason}": {"games": 1, "dates": f"2025-04-{number:02d}"} for number, reason in enumerate(odd, 2)
    }
    assert wins(import_table(tmp_path / "e.json", tmp_path / "b", ordered=False)) != []
    with pytest.raises(UsageError, match=r"no play of 'Game A' can be used \(1: teams\); put it right in the app"):
        import_table(table(export(odd["teams"]), "f.json"), tmp_path / "c")


@pytest.mark.parametrize(
    "change", [{"playerScores": None}, {"gameRefId": 55}, {"expansionPlays": [None]}, {"playerScores": [None]}, None]
)
def test_a_damaged_play_of_bg_stats_does_not_cost_the_others(
    table: Write, tmp_path: Path, change: dict[str, object] | None
) -> None:
    file = json.loads(export(*[FIRST | SEATS] * 3, SECOND | SEATS))
    file["plays"][1] = None if change is None else file["plays"][1] | change
    file["plays"][2]["playerScores"][1]["playerRefId"] = 77  # whom the file does not name
    made = import_table(table(json.dumps(file), "e.json"), tmp_path / "run")
    date = "" if change is None else "2025-04-02"
    assert {note.code: dict(note.values) for note in made.notes} == {"import_left_damaged": {"games": 1, "dates": date}}
    assert wins(made) == [2, 1] and made.origin.people == ("P1", "P2", "player 77")


def test_few_plays_of_bg_stats_with_seats_do_not_cost_the_others(table: Write, tmp_path: Path) -> None:
    made = import_table(table(export(FIRST | SEATS, *[SECOND] * 5), "e.json"), tmp_path / "run")
    assert made.run.manifest.games == 6 and not made.origin.seats
    assert [(note.code, dict(note.values)) for note in made.notes] == [("import_few_seats", {"games": 1, "of": 6})]


def test_bg_stats_sums_boards_and_games_of_all_against_the_game(table: Write, tmp_path: Path) -> None:
    sums = {"score": ["12+5", "14"], **FIRST}
    made = import_table(table(export(*[sums] * 3), "e.json"), tmp_path / "sums")
    assert made.run.polars().collect()["score"].to_list()[:2] == [17, 14]
    boards = import_table(table(export(*[FIRST | {"board": "Alps"}] * 3, SECOND), "b.json"), tmp_path / "boards")
    assert [(run.manifest.rules["name"], run.manifest.games) for run in boards.runs] == [("Alps", 3), ("base", 1)]
    lost = {"winner": [False, False], "score": ["3", "4"]}
    together = import_table(table(export(*[lost] * 3, cooperative=True), "c.json"), tmp_path / "together")
    assert together.origin.cooperative and together.run.manifest.games == 3


def against_three(games: int = 400, **columns: Callable[[int, int], object]) -> list[str]:
    """Return games of one against three, of which each side wins half."""
    head = ["game,seat,winner", *columns]
    rows = (
        [game, seat, int((seat == 1) == (game % 2 == 0)), *(column(game, seat) for column in columns.values())]
        for game in range(games)
        for seat in (1, 2, 3, 4)
    )
    return [",".join(map(str, row)) for row in [head, *rows]]


def test_who_always_wins_together_is_suspected_to_be_a_team(table: Write, tmp_path: Path) -> None:
    (note,) = (n for n in import_table(table(against_three()), tmp_path / "r").notes if n.code == "import_teams")
    assert note.values["teams"] == "1/234"
    both_drew = [*against_three(), "400,1,1", "400,2,1", "400,3,1", "400,4,1"]
    assert "import_teams" in both(table(both_drew, "drawn.csv"))[1]
    for rows in ([*both_drew, "401,1,0", "401,2,1", "401,3,0", "401,4,0"], ["game,seat,winner", "1,1,1", "1,2,0"]):
        assert "import_teams" not in both(table(rows, f"{len(rows)}.csv"))[1]


@pytest.mark.parametrize("way", ["column", "option"])
def test_one_against_three_is_even_if_each_side_wins_half(table: Write, tmp_path: Path, way: str) -> None:
    """The columns of roles and scores say nothing against it: the three have one role and different scores."""
    role = {
        "role": lambda game, seat: "Dragon" if seat == 1 else "Knight",
        "score": lambda game, seat: 9 if (seat == 1) == (game % 2 == 0) and seat < 3 else seat / 10,
    }
    team = {"team": lambda game, seat: "fire" if seat == 1 else "steel"} if way == "column" else {}
    made = import_table(table(against_three(**role, **team)), tmp_path / "r", teams="" if team else "1/234")
    taken = seat_advantage(made.run, margin="15%")
    assert made.origin.teams == ("1/234",) and wins(made) == pytest.approx([200, 200 / 3, 200 / 3, 200 / 3])
    assert taken.table["par"].to_list() == pytest.approx([1 / 2, 1 / 6, 1 / 6, 1 / 6])
    assert taken.verdict.status == "fair"
    assert taken.table["share_low"][0] == pytest.approx(0.45, abs=0.02)
    again = read_sheet(made.runs, load_game("middle-ages"))
    assert sum(match.won[0] for match in again.matches) == 200


def test_the_scores_of_a_team_decide_for_all_of_it(table: Write, tmp_path: Path) -> None:
    rows = "game,player,team,score\n1,A,x,9\n1,B,x,1\n1,C,y,5\n1,D,y,6\n2,A,y,3\n2,C,x,1\n2,B,x,2\n2,D,y,2\n"
    made = import_table(table(rows), tmp_path / "r")
    won = made.run.polars().group_by("player").agg(pl.col("share60").sum()).sort("player").collect()
    assert won["share60"].to_list() == [60, 30, 0, 30] and made.origin.teams == ("12/34",)


@pytest.mark.parametrize(
    ("rows", "teams", "said"),
    [
        ("1,1,1,x\n1,2,0,x\n", "", "row 2: team: all players of this game are one team; name two or more"),
        ("1,1,1,x\n1,2,0,y\n1,3,0,\n", "", "row 4: team: empty, though other seats have one; name one for each seat"),
        ("1,1,1,x\n1,2,0,x\n1,3,0,y\n", "", "row 3: winner: '0', though its team won; mark all of a team alike"),
        ("1,1,1,\n1,2,0,\n1,3,0,\n1,4,0,\n", "12/34", "row 3: winner: '0', though its team won; mark all of a"),
        (
            "1,1,1,x\n1,2,0,y\n1,3,0,y\n2,1,1,x\n2,2,1,x\n2,3,0,y\n",
            "",
            "row 5: team: the seats 12/3 play together, but in row 2 1/23; give the teams the same seats in all games",
        ),
        ("1,1,1,\n1,2,0,\n1,3,0,\n", "1/234", "row 2: this game has 3 players, and the teams are 1/234"),
        ("1,1,1,\n1,2,0,\n", "1/3", "teams: '1/3': name every seat once, as in 1/234"),
    ],
)
def test_teams_that_cannot_be_are_refused(table: Write, tmp_path: Path, rows: str, teams: str, said: str) -> None:
    path = table("game,seat,winner,team\n" + rows)
    with pytest.raises(UsageError) as raised:
        import_table(path, tmp_path / "run", teams=teams)
    assert str(raised.value).removeprefix(f"{path}: ").startswith(said)


def test_teams_of_bg_stats_are_read(table: Write, tmp_path: Path) -> None:
    play = {"winner": [True, True, False, False], "score": ["10", "3", "7", "4"], "team": ["1", "1", "2", "2"]}
    made = import_table(table(export(*[play | {"usesTeams": True}] * 3), "e.json"), tmp_path / "run")
    won = made.run.polars().group_by("player").agg(pl.col("share60").sum() / 60).sort("player").collect()
    assert won["share60"].to_list() == [1.5, 1.5, 0, 0] and made.origin.teams == ("12/34",)
    odd = play | {"usesTeams": True, "winner": [True, False, False, False], "team": ["1", "2", "2", "2"]}
    mixed = import_table(table(export(*[play | {"usesTeams": True}] * 3, odd), "f.json"), tmp_path / "mixed")
    (left,) = [note for note in mixed.notes if note.code == "import_left_sides"]
    assert mixed.run.manifest.games == 3 and left.values == {"games": 1, "dates": "2025-04-04"}


def test_expansions_of_bg_stats_are_other_rules(table: Write, tmp_path: Path) -> None:
    other = [{"id": 8, "name": "Rivers"}, {"id": 9, "name": "Gold"}]
    text = json.loads(export(*[FIRST] * 3, FIRST | {"board": "Alps"}, SECOND))
    text["games"] += other
    text["plays"][3]["expansionPlays"] = [{"gameRefId": 8}]
    text["plays"][4]["expansionPlays"] = [{"gameRefId": 8}, {"gameRefId": 9}]
    made = import_table(table(json.dumps(text), "e.json"), tmp_path / "run")
    rules = {run.manifest.rules["name"]: run.manifest.games for run in made.runs}
    assert rules == {"base": 3, "Alps + Rivers": 1, "Gold + Rivers": 1}
    text["plays"] = [play | {"board": f"map {number}"} for number, play in enumerate(text["plays"] * 11)]
    whole = import_table(table(json.dumps(text), "f.json"), tmp_path / "whole")
    assert [run.manifest.games for run in whole.runs] == [55]
    assert [note.values["sets"] for note in whole.notes if note.code == "import_mixed"] == [55]
