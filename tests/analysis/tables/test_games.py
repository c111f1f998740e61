"""What is read of a table, in every form, and the one line that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.tables import reading
from analysis.tables.games import GAME, PLACE, WON, Games, Runs
from analysis.tables.reading import open_table
from simcore.errors import UsageError

Write = Callable[..., Path]

HEAD = "game,seat,player,score\n"
TWO = "1,1,Ann,30\n1,2,Bob,25\n2,1,Bob,7.5\n2,2,Ann,12\n"


def read(path: Path, **options: object) -> pl.DataFrame:
    columns = options.pop("columns", {})
    return pl.concat(Games(open_table(path, columns), **options).read())


def won(frame: pl.DataFrame) -> list[list[bool]]:
    return [list(own) for own in frame.group_by("game", maintain_order=True).agg(WON)[WON]]


def test_the_highest_score_wins_and_the_lowest_if_so_said(table: Write) -> None:
    path = table(HEAD + TWO)
    assert won(read(path)) == [[True, False], [False, True]]
    assert won(read(path, lowest=True)) == [[False, True], [True, False]]
    assert read(path)[PLACE].to_list() == [1, 2, 2, 1]
    assert read(path)["score"].to_list() == [30, 25, 7.5, 12]


def test_equal_scores_share_the_win_and_the_place(table: Write) -> None:
    found = read(table("game,seat,score\n1,1,5\n1,2,9\n1,3,9\n1,4,1\n"))
    assert (found[WON].to_list(), found[PLACE].to_list()) == ([False, True, True, False], [3, 1, 1, 4])


def test_a_rank_decides_and_a_marked_winner_breaks_a_tie(table: Write) -> None:
    assert won(read(table("game,seat,rank\n1,1,2\n1,2,1\n1,3,3\n"))) == [[False, True, False]]
    tie = read(table("game,seat,score,winner\n1,1,9,\n1,2,9,x\n1,3,2,\n"))
    assert (won(tie), tie[PLACE].to_list()) == ([[False, True, False]], [2, 1, 3])


def test_a_row_for_each_game_reads_as_a_row_for_each_seat(table: Write) -> None:
    wide = table("player_1,score_1,player_2,score_2,minutes\nAnn,30,Bob,25,40\nBob,7.5,Ann,12,35\n", "wide.csv")
    long = read(table(HEAD + TWO))
    found = read(wide)
    for name in ("seat", "player", "score", WON, PLACE, GAME):
        assert found[name].to_list() == long[name].to_list(), name
    assert found["minutes"].to_list() == ["40", "40", "35", "35"]


@pytest.mark.parametrize("winner", ["2", "Bob"])
def test_one_column_may_name_the_winner_of_a_game(table: Write, winner: str) -> None:
    assert won(read(table(f"player_1,player_2,winner\nAnn,Bob,{winner}\n"))) == [[False, True]]


def test_games_with_fewer_players_leave_their_last_columns_empty(table: Write) -> None:
    found = read(table("score 1,score 2,score 3\n1,2,3\n5,4,\n"))
    assert won(found) == [[False, False, True], [True, False]]


def test_a_number_that_may_mean_thousands_or_decimals_is_refused(table: Write) -> None:
    with pytest.raises(UsageError, match="row 3: score: '1,234' may mean thousands or decimals; write 1234 or 1,2340"):
        read(table('game,seat,score\n1,1,30\n1,2,"1,234"\n'))
    assert read(table('game,seat,score\n1,1,"0,125"\n1,2,"12,34"\n'))["score"].to_list() == [0.125, 12.34]


def test_parquet_csv_and_semicolons_with_decimal_commas_read_the_same(table: Write, tmp_path: Path) -> None:
    own = pl.read_csv((HEAD + TWO).encode())
    own.write_parquet(tmp_path / "results.parquet")
    french = "\ufeff" + (HEAD + TWO).replace(",", ";").replace(".", ",").replace("\n", "\r\n")
    expected = read(table(HEAD + TWO))
    for path in (
        tmp_path / "results.parquet",
        table(french, "french.csv"),
        table((HEAD + TWO).replace(",", "\t"), "t.tsv"),
    ):
        found = read(path)
        assert found.select(WON, PLACE, "score", "player").equals(expected.select(WON, PLACE, "score", "player")), path


def test_other_names_of_columns_and_seats_from_0(table: Write) -> None:
    path = table("Match,Position,Points\na,0,1\na,1,2\n")
    found = read(path, columns={"game": "Match", "seat": "position", "score": "Points"})
    assert (found["seat"].to_list(), won(found)) == ([1, 2], [[False, True]])


def test_rows_in_any_order_and_games_of_several_sizes(table: Write) -> None:
    found = read(table("game,seat,score\nb,2,1\na,1,1\nb,1,2\na,3,3\na,2,2\n"))
    assert list(zip(found["game"], found["seat"], strict=True)) == [("b", 1), ("b", 2), ("a", 1), ("a", 2), ("a", 3)]
    assert won(found) == [[True, False], [False, False, True]]


def test_blocks_end_anywhere_without_a_trace(table: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f'{game},{seat},"P\n{seat}",{seat * game % 5}\n' for game in range(300) for seat in (1, 2, 3))
    path = table(HEAD + rows)
    whole = read(path).drop(GAME)
    monkeypatch.setattr(reading, "BLOCK", 100)
    parts = list(Games(open_table(path)).read())
    assert len(parts) > 20
    assert pl.concat(parts).drop(GAME).equals(whole)


def test_a_game_whose_rows_are_far_apart_is_refused_in_a_large_table(
    table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BLOCK", 60)
    rows = "".join(f"{game},{seat},P,{seat}\n" for game in range(50) for seat in (1, 2))
    with pytest.raises(UsageError, match=r"row 102: game: '0' has other rows far above; sort a table"):
        read(table(HEAD + rows + "0,1,P,1\n0,2,P,2\n"))


def test_a_game_without_end_is_refused_where_it_is_too_large(table: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of half a megabyte can hold a hundred million equal rows."""
    monkeypatch.setattr(reading, "BLOCK", 600)
    read_so_far = []
    numbered = Games._numbered

    def noted(self: Games, frame: pl.DataFrame) -> pl.DataFrame:
        read_so_far.append(len(frame))
        return numbered(self, frame)

    monkeypatch.setattr(Games, "_numbered", noted)
    with pytest.raises(UsageError, match=r"row 2: this game has \d+ rows; Equipoise reads games of 2 to 8 players"):
        read(table(HEAD + "1,1,P,1\n" * 10_000))
    assert max(read_so_far) < 200


BAD = [
    ("", "not a table: its first row has to name the columns"),
    (HEAD, "there is no game in it"),
    (b"game,seat,score\n1,1,\xff\n", "not UTF-8 text; save it as 'CSV UTF-8'"),
    ("game,seat\n1,1\n", "row 1: no column 'winner', 'rank' or 'score'"),
    ("game,seat,scor\n1,1,2\n", "row 1: no column 'winner', 'rank' or 'score', but 'scor'"),
    ("seat,score\n1,2\n", "row 1: no column 'game'"),
    ("game,seat,seat,score\n", "row 1: the first row names the column 'seat' twice"),
    (HEAD + "1,1,Ann,30,8\n", "row 2: 5 fields, but the first row names 4 columns"),
    (HEAD + "1,1,Ann,30\n1,1,Bob,2\n", "row 3: seat: '1' occurs too often in this game of 2 players"),
    (HEAD + "1,1,Ann,30\n1,3,Bob,2\n", "row 3: seat: '3' is no seat at a table of 2; give 1 to 2"),
    (HEAD + "1,North,Ann,30\n1,2,Bob,2\n", "row 2: seat: 'North' is no seat at a table of 2"),
    (HEAD + "1,1,Ann,30\n", "row 2: this game has 1 row; Equipoise reads games of 2 to 8 players"),
    (HEAD + TWO + "3,1,Ann,many\n3,2,Bob,1\n", "row 6: score: 'many' is not a score; give a number"),
    (HEAD + TWO + "3,1,Ann,\n3,2,Bob,1\n", "row 6: score: empty, though other seats have one; give all, or DNF"),
    (HEAD + TWO + "3,1,Ann,nan\n3,2,Bob,1\n", "row 6: score: 'nan' is not a score"),
    (HEAD + TWO + "3,1,Ann,1e999\n3,2,Bob,1\n", "row 6: score: '1e999' is not a score"),
    (HEAD + TWO + ",1,Ann,3\n", "row 6: game: empty; number the games"),
    ("game,seat,winner\n1,1,maybe\n1,2,\n", "row 2: winner: 'maybe' is neither yes nor no"),
    ("game,seat,score,winner\n1,1,9,1\n1,2,7,1\n", "row 3: winner: two winners, but this one has the score 7"),
    (
        "game,seat,score,winner\n1,1,9,0\n1,2,7,1\n",
        "row 2: this seat has the highest score of its game, 9, but another",
    ),
    ("game,seat,rank,winner\n1,1,1,0\n1,2,2,1\n", "row 2: this seat has the best rank of its game, 1, but another"),
    ("game,seat,rank\n1,1,1\n1,2,2\n2,1,2\n2,2,3\n", "row 4: rank: nobody is in place 1 of this game"),
    ("game,seat,score,length\n1,1,9,30\n1,2,7,31\n", "row 3: length: '31', but row 2 of the same game has '30'"),
    ("game,players,seat,score\n1,3,1,9\n1,3,2,7\n", "row 2: this game has 2 rows; 3 players take 3"),
    ("player_1,player_2,winner\nAnn,Bob,Cy\n", "row 2: winner: 'Cy' is none of the game's players"),
    ("score_1,score_2\n1,2\n3,four\n", "row 3: score_2: 'four' is not a score"),
    (b"PAR1 and no more", "not a Parquet file that can be read"),
    ("{}", "not a file that BG Stats exported"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=[said[:40] for _, said in BAD])
def test_what_cannot_be_used_is_said_with_its_row_and_column(table: Write, text: str | bytes, said: str) -> None:
    path = table(text)
    with pytest.raises(UsageError) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path}: {said}"), raised.value


def test_a_score_that_contradicts_the_winner_names_the_way_out(table: Write) -> None:
    with pytest.raises(UsageError) as raised:
        read(table("game,seat,score,winner\n1,1,9,0\n1,2,7,1\n"))
    assert "--lowest-wins" in raised.value.on_command_line(["--lowest-wins"])
    assert won(read(table("game,seat,score,winner\n1,1,9,0\n1,2,7,1\n"), lowest=True)) == [[False, True]]


def test_a_column_that_the_user_names_has_to_exist(table: Write) -> None:
    path = table(HEAD + TWO)
    with pytest.raises(UsageError, match=r"no column 'Points'; known: game, player, score, seat"):
        read(path, columns={"score": "Points"})
    with pytest.raises(UsageError, match="no field 'seet'; did you mean 'seat'"):
        read(path, columns={"seet": "seat"})


@settings(max_examples=80)
@given(
    cut=st.integers(0, len(HEAD + TWO)),
    junk=st.sampled_from(
        [b"", b",", b";", b"\n", b"\x00", b'"', b"nan", b"-1", b"9" * 30, b"\xff", b"\r", b"{", b"PAR1"]
    ),
)
def test_damaged_tables_are_read_or_refused_in_a_line(table: Write, cut: int, junk: bytes) -> None:
    data = (HEAD + TWO).encode()
    try:
        read(table(data[:cut] + junk + data[cut:]))
    except UsageError as error:
        assert "\n" not in str(error) and str(error).isprintable()


def test_a_seat_is_a_plain_number(table: Write) -> None:
    with pytest.raises(UsageError, match="row 2: seat: '²' is no seat at a table of 2"):
        read(table("seat_1,seat_2,score_1,score_2\n²,1,3,4\n1,2,4,5\n"))


def test_the_end_of_the_last_whole_row() -> None:
    assert reading._whole_lines(b'a,b\n1,"x\ny"\n2,"z\n') == len(b'a,b\n1,"x\ny"\n')
    assert reading._whole_lines(b'"\n' + b"x\n" * 1_000_000) == 0  # at once, though every end of a line is quoted


def test_runs_of_equal_numbers() -> None:
    import numpy as np

    runs = Runs.of(np.array([0, 0, 3, 3, 3, 4]))
    assert runs.start.tolist() == [0, 2, 5] and runs.size.tolist() == [2, 3, 1]
    assert runs.place.tolist() == [1, 2, 1, 2, 3, 1]
    assert runs.ranked(np.array([2.0, 1.0, 5.0, 5.0, 6.0, 0.0])).tolist() == [2, 1, 1, 1, 3, 1]
