"""The results of real games: what is read of a file, and the one line that says what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.playtest import sheet as reading
from analysis.playtest.sheet import Sheet, read_log, read_sheet
from analysis.runs.load import load
from analysis.tables.importing import import_table
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.running.replay import replay
from tests.analysis.runs.conftest import write_run
from tests.court import court
from tests.specs import make_spec

VALUES = (b"", b",", b";", b"\n", b"\x00", b'"', b"nan", b"-1", b"1e999", b"9" * 30, b"\xff", b"<b>", b"\r", b"x")

HEAD = "date,group,players,seat,score,winner\n"
TABLE = "2026-10-01,Ann & Co,2,1,80,1\n2026-10-01,Ann & Co,2,2,75,0\n"


def read(tmp_path: Path, text: str | bytes, game: str = "middle-ages") -> Sheet:
    path = tmp_path / "games.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_sheet(path, load_game(game))


def test_one_row_a_seat(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        HEAD
        + TABLE
        + TABLE.replace(",1\n", ",2\n").replace(",0\n", ",1\n").replace(",2\n", ",0\n").replace("75", "90"),
    )
    assert [match.won for match in found.matches] == [(1, 0), (0, 1)]
    assert [match.score for match in found.matches] == [77.5, 85]
    assert {match.group for match in found.matches} == {"Ann & Co"}
    assert (found.grouped, found.by_role, found.dates, found.unused) == (True, False, ("2026-10-01",) * 2, ())


def test_a_spreadsheet_in_french_with_a_number_for_each_game(tmp_path: Path) -> None:
    text = (
        "\ufeffGame;Players;Seat;Winner;Score;Weather\r\n"
        "7;2;1;oui;12,5;sun\r\n8;2;2;non;3;rain\r\n\r\n8;2;1;Oui;4;\r\n7;2;2;non;10;sun\r\n"
    )
    found = read(tmp_path, text)
    assert [(match.won, match.score) for match in found.matches] == [((1, 0), 11.25), ((1, 0), 3.5)]
    assert (found.grouped, found.unused) == (False, ("weather",))


def test_no_field_reaches_a_terminal_or_a_log_as_more_than_a_line_of_text(tmp_path: Path) -> None:
    """A column's name and a date are quoted in the notes, and a line that begins with `::` is a command to GitHub."""
    head = HEAD.replace("winner", '"winner","x\n::error::\x1b[31my"')
    found = read(tmp_path, head + TABLE.replace("2026-10-01", '"2026\n::error::no"').replace("\n2026", ",\n2026"))
    assert found.unused == (r"x \x3a:error::\x1b[31my",)
    assert found.dates == (r"2026 \x3a:error::no",) * 2


def test_a_game_without_scores_beside_one_with_scores(tmp_path: Path) -> None:
    found = read(tmp_path, HEAD + TABLE + TABLE.replace("80", "").replace("75", ""))
    assert [match.score for match in found.matches] == [77.5, None]


def test_a_shared_win_counts_in_parts(tmp_path: Path) -> None:
    found = read(tmp_path, "players,seat,winner\n3,1,x\n3,2,\n3,3,x\n")
    assert found.matches[0].won == (0.5, 0, 0.5) and found.matches[0].score is None


def test_roles_are_the_places_of_a_game_with_roles(tmp_path: Path) -> None:
    text = "players,role,winner\n3,tenant,0\n3,Lord,1\n3,tenant,0\n3,tenant,1\n3,lord,0\n3,tenant,1\n"
    found = read(tmp_path, text, "seigneurial")
    assert [match.won for match in found.matches] == [(1, 0), (0, 1)] and found.by_role
    both = read(tmp_path, "players,seat,role,winner\n3,1,lord,0\n3,2,tenant,1\n3,3,tenant,0\n", "seigneurial")
    assert both.matches[0].won == (0, 1, 0) and not both.by_role


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a table"),
        (HEAD, "there is no game in it"),
        (b"\xff\xfe\x00", "not UTF-8 text; save it as 'CSV UTF-8'"),
        ("date,player,seat,winner\n", "row 1: no column 'game'; number the games"),
        ("players,seat\n", "row 1: no column 'winner', 'rank' or 'score'; the first row has to name one"),
        ("players,winner\n", "row 1: no column 'seat'; the first row"),
        ("players,role,winner\n", "row 1: Middle-Ages has no roles; give a column 'seat' instead of 'role'"),
        ("players,seat,seat,winner\n", "row 1: the first row names the column 'seat' twice"),
        (HEAD + TABLE + "2026-10-02,B,2,1,3,1,7,8\n", "row 4: 8 fields, but the first row names 6 columns"),
        (HEAD + TABLE + "2026-10-02,B,2\n", "row 4: this game has 1 row; 2 players take 2"),
        (HEAD + TABLE.replace(",2,1,80", ",9,1,80"), "row 2: players: Middle-Ages is for 2 to 5 players, not '9'"),
        (HEAD + TABLE.replace(",2,1,80", ",Ann,1,80"), "row 2: players: Middle-Ages is for 2 to 5 players, not 'Ann'"),
        (HEAD + TABLE.replace(",2,2,75", ",2,3,75"), "row 3: seat: '3' is no seat at a table of 2; give 1 to 2"),
        (HEAD + TABLE.replace(",2,2,75", ",2,1,75"), "row 3: seat: '1' occurs too often in this game of 2 players"),
        (HEAD + TABLE.replace("75,0", "75,maybe"), "row 3: winner: 'maybe' is neither yes nor no"),
        (HEAD + TABLE.replace("80,1", "80,0"), "row 2: nobody won this game, or any other one; mark the winners"),
        (HEAD + TABLE.replace("75", "many"), "row 3: score: 'many' is not a score; give a number"),
        (HEAD + TABLE.replace("75", "nan"), "row 3: score: 'nan' is not a score; give a number"),
        (HEAD + TABLE.replace("75", ""), "row 3: score: empty, though other seats have one"),
        (HEAD + TABLE.replace("75", "99"), "row 3: this seat has the highest score of its game, 99, but another one"),
        (
            HEAD + TABLE.replace("75,0", "75,1"),
            "row 3: winner: two winners, but this one has the score 75 and the other the highest score",
        ),
        (HEAD + TABLE.replace("Co,2,2", "Lee,2,2"), "row 3: group: 'Ann & Lee', but row 2 of the same game has"),
        (HEAD + TABLE + TABLE.splitlines()[0], "row 4: this game has 1 row; 2 players take 2"),
        ("game,players,seat,winner\n1,2,1,1\n,2,2,0\n", "row 3: game: empty; number the games"),
        (HEAD + "\n" + TABLE.replace("75", "x"), "row 4: score: 'x' is not a score"),
    ],
)
def test_what_cannot_be_used_is_said_with_its_row(tmp_path: Path, text: str | bytes, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(tmp_path, text)
    assert said in str(raised.value) and str(raised.value).startswith(f"{tmp_path / 'games.csv'}: ")


def test_winners_of_one_camp_share_a_win_whatever_their_scores(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("players,role,score,winner\n3,tenant,9,1\n3,tenant,5,1\n3,lord,4,0\n")
    assert read_sheet(path, court("coins")).matches[0].won == (0.0, 1.0)
    path.write_text("players,seat,score,winner\n3,1,5,1\n3,2,9,1\n3,3,4,0\n")
    with pytest.raises(UsageError, match="row 2: winner: two winners, but this one has the score 5 and"):
        read_sheet(path, court("coins"))


def test_roles_that_do_not_exist_or_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"row 2: role: no role 'king'.*lord"):
        read(tmp_path, "players,role,winner\n3,king,1\n3,tenant,0\n3,tenant,0\n", "seigneurial")
    with pytest.raises(UsageError, match="row 3: role: 'lord' occurs too often in this game of 3 players"):
        read(tmp_path, "players,role,winner\n3,lord,1\n3,lord,0\n3,tenant,0\n", "seigneurial")
    with pytest.raises(UsageError, match="row 2: role: seat 1 is 'lord' at a table of 3, not 'tenant'"):
        read(tmp_path, "players,seat,role,winner\n3,1,tenant,1\n3,2,tenant,0\n3,3,tenant,0\n", "seigneurial")


def test_what_import_reads_is_read_here_and_the_run_that_it_makes_as_well(tmp_path: Path) -> None:
    """A row for each game, ranks, scores alone, roles in numbered columns; then the runs of all numbers of players."""
    wide = (
        "player_1,points_1,player_2,points_2,player_3,points_3,group\nAda,4,Ben,7,,,Tuesday\nBen,5,Ada,3,Cy,5,Monday\n"
    )
    text = wide.replace("points", "score")
    found = read(tmp_path, text)
    assert [(match.won, match.score, match.group) for match in found.matches] == [
        ((0, 1), 5.5, "Tuesday"),
        ((0.5, 0, 0.5), 13 / 3, "Monday"),
    ]
    assert (found.wins, found.unused) == ("highest", ("player_1",))
    made = import_table(tmp_path / "games.csv", tmp_path / "runs")
    again = read_sheet(made.runs, load_game("middle-ages"))
    assert set(again.matches) == set(found.matches) and again.grouped and again.wins == ""
    ranked = read(tmp_path, "game,seat,rank\na,1,2\na,2,1\n")
    assert ranked.matches[0].won == (0, 1) and ranked.wins == ""
    roles = read(tmp_path, "role_1,rank_1,role_2,rank_2,role_3,rank_3\ntenant,1,lord,2,tenant,3\n", "seigneurial")
    assert roles.by_role and roles.matches[0].won == (0, 1)


def test_games_that_were_played_here_are_no_results_of_people(tmp_path: Path) -> None:
    write_run(tmp_path / "run", make_spec(games=100, strategies=["random"]), "full")
    with pytest.raises(UsageError, match="its games were played here; name results of real games"):
        read_sheet([load(tmp_path / "run")], load_game("middle-ages"))


@pytest.mark.parametrize("game", ["middle-ages", "seigneurial"])
def test_a_log_names_the_player_of_each_seat(tmp_path: Path, game: str) -> None:
    spec = make_spec(4, {"lord": ["random"], "tenant": ["random"]} if game == "seigneurial" else ["random"], game=game)
    path, (head, *rest) = tmp_path / "log.jsonl", replay(spec, 3).jsonl().splitlines()
    for names in ([], ["random"], ["random"] * 3, ["random"] * 12):
        path.write_text("\n".join([json.dumps(json.loads(head) | {"strategies": names}), *rest]))
        with pytest.raises(UsageError) as raised:
            read_log(path, load_game(game), spec.rules, game == "seigneurial")
        assert str(raised.value) == f"{path}: line 1: strategies: give 4 names, that of each seat's player"


def test_huge_and_missing_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="no such file or directory; name a CSV, Parquet or JSON file"):
        read_sheet(tmp_path / "none.csv", load_game("middle-ages"))
    monkeypatch.setattr(reading, "MOST_BYTES", 1_000_000)
    with pytest.raises(UsageError, match="larger than 1 MB"):
        read(tmp_path, HEAD + " " * 1_000_001)
    monkeypatch.setattr(reading, "MOST_GAMES", 1)
    with pytest.raises(UsageError, match="2 games; give 1 at most"):
        read(tmp_path, HEAD + TABLE + TABLE)


WHOLE = (HEAD + TABLE + TABLE).encode()
EDIT = st.tuples(st.integers(0, len(WHOLE)), st.integers(0, 12), st.binary(max_size=8) | st.sampled_from(VALUES))


@settings(max_examples=60)
@given(st.lists(EDIT, max_size=4))
def test_a_damaged_file_is_read_or_refused_in_one_line(tmp_path: Path, edits: list[tuple[int, int, bytes]]) -> None:
    text = WHOLE
    for start, length, new in edits:
        text = text[:start] + new + text[start + length :]
    try:
        found = read(tmp_path, text)
    except UsageError as error:
        assert "\n" not in str(error) and len(str(error)) < 1200
    else:
        assert all(sum(match.won) == pytest.approx(1) for match in found.matches)
