"""What a refusal of a table advises works: whoever does it has a table that every door reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.playtest import read_sheet
from analysis.tables.importing import import_table
from equipoise.api.importing import runs_in
from simcore.errors import UsageError
from simcore.game import load_game

Write = Callable[..., Path]
ONE = "1,1,5\n1,2,3\n"
SOLO = "2,1,5\n"

ADVICE = {
    "name one of two columns": ("game,seat,seat,score\n1,1,1,5\n1,2,2,3\n", "keep one", ["game,seat,score\n" + ONE]),
    "rename a measure": (
        "game,seat,score,a b,a-b\n1,1,5,1,2\n1,2,3,1,2\n",
        "rename one",
        ["game,seat,score,a b,a c\n1,1,5,1,2\n1,2,3,1,2\n"],
    ),
    "people as columns": (
        "date,Ann,Ben\n1,5,3\n",
        "such as game,player,score",
        ["game,player,seat,score\n1,A,1,5\n1,B,2,3\n"],
    ),
    "number the games": ("seat,score\n1,5\n2,3\n", "number the games", ["game,seat,score\n" + ONE]),
    "a field with a comma": (
        "game,seat,player,score\n1,1,Ann, the first,5\n1,2,Ben,3\n",
        "put a text with ',' into quotation marks",
        ['game,seat,player,score\n1,1,"Ann, the first",5\n1,2,Ben,3\n'],
    ),
    "a lone quotation mark": (
        'game,seat,player,score\n1,1,"Ann,5\n1,2,Ben,3\n',
        "close it, or leave it out",
        [
            'game,seat,player,score\n1,1,"Ann",5\n1,2,Ben,3\n',
            "game,seat,player,score\n1,1,Ann,5\n1,2,Ben,3\n",
        ],
    ),
    "a text after a quotation mark": (
        'game,seat,player,score\n1,2,"Big" Ben,3\n1,1,Ann,5\n',
        "row 2: text after a closing quotation mark; leave out the marks, or put '\"\"' for each inside others",
        [
            "game,seat,player,score\n1,1,Ann,5\n1,2,Big Ben,3\n",
            'game,seat,player,score\n1,1,Ann,5\n1,2,"""Big"" Ben",3\n',
        ],
    ),
    "one field": ("game,seat,score\n1\n", "give a field for each", ["game,seat,score\n" + ONE]),
    "who won": (
        "player_1,player_2,winner\nA,B,C\n",
        "give a seat's number or a name, several with '&' between them, 'draw' if all share the win, or 'nobody'",
        ["player_1,player_2,winner\nA,B,B\n" + f"A,B,{said}\n" for said in ("1", "A", "A & B", "draw", "nobody")],
    ),
    "no game": ("game,seat,score\n", "write one row for each seat of each game", ["game,seat,score\n" + ONE]),
    "a game without a number": (
        "game,seat,score\n1,1,5\n,2,3\n",
        "number the games, in every row of a game",
        ["game,seat,score\n" + ONE],
    ),
    "finished": (
        "game,seat,score,finished\n1,1,5,3\n1,2,3,3\n",
        "write 1 or 0, or rename the column",
        ["game,seat,score,finished\n1,1,5,1\n1,2,3,1\n", "game,seat,score,ended\n1,1,5,3\n1,2,3,3\n"],
    ),
    "deal": (
        "game,seat,score,deal\n1,1,5,\n1,2,3,\n",
        "number all deals, or leave out the column",
        ["game,seat,score,deal\n1,1,5,7\n1,2,3,7\n", "game,seat,score\n" + ONE],
    ),
    "one length for all": (
        "game,seat,score,length\n1,1,5,30\n1,2,3,31\n",
        "write the same in all its rows, or rename the column",
        ["game,seat,score,length\n1,1,5,30\n1,2,3,30\n", "game,seat,score,own length\n1,1,5,30\n1,2,3,31\n"],
    ),
    "a date in a table that counts rows": (
        "players,seat,score,date\n2,1,5,a\n2,2,3,b\n",
        "a game of 2 players takes 2 rows",
        ["players,seat,score,date\n2,1,5,a\n2,2,3,a\n"],
    ),
    "a nameless player": (
        "game,seat,player,score\n1,1,,5\n1,2,,3\n",
        "name every player, if only as 'guest'",
        ["game,seat,player,score\n1,1,guest,5\n1,2,guest,3\n"],
    ),
    "a nameless player who lost by name": (
        "game,seat,player,winner\n1,1,Ann,Ann\n1,2,,Ann\n",
        "name every player, if only as 'guest'",
        ["game,seat,player,winner\n1,1,Ann,Ann\n1,2,guest,Ann\n"],
    ),
    "rows and players": (
        "game,seat,score,players\n1,1,5,2\n1,2,3,2\n2,1,5,2\n",
        "write one row for each seat, or leave it out",
        [
            "game,seat,score,players\n1,1,5,2\n1,2,3,2\n2,1,5,2\n2,2,3,2\n",
            "game,seat,score,players\n1,1,5,2\n1,2,3,2\n",
        ],
    ),
    "a game of one": (
        "game,seat,score\n" + ONE + SOLO,
        "write one row for each seat, or leave it out",
        ["game,seat,score\n" + ONE + SOLO + "2,2,3\n", "game,seat,score\n" + ONE],
    ),
    "a title of several games": (
        "game,seat,score\n" + "Azul,1,3\nAzul,2,2\n" * 6,
        "if this is the title of several, number them",
        ["game,seat,score\n" + "".join(f"{one},1,3\n{one},2,2\n" for one in range(6))],
    ),
    "another seat": ("game,seat,score\n1,1,5\n1,3,3\n", "give 1 to 2", ["game,seat,score\n" + ONE]),
    "a gap in columns": (
        "score_1,score_2,score_3\n5,3,4\n5,,4\n",
        "1 to 2 are the columns of a table of 2, not 3; fill the first",
        ["score_1,score_2,score_3\n5,3,4\n5,4,\n"],
    ),
    "a seat twice": ("game,seat,score\n1,1,5\n1,1,3\n", "give each seat once", ["game,seat,score\n" + ONE]),
    "no first place": (
        "game,seat,rank\n1,1,1\n1,2,2\n2,1,2\n2,2,3\n",
        "give the best of its seats this rank, or add the row of its winner",
        ["game,seat,rank\n1,1,1\n1,2,2\n2,1,1\n2,2,2\n", "game,seat,rank\n1,1,1\n1,2,2\n2,1,2\n2,2,3\n2,3,1\n"],
    ),
    "no place": (
        "game,seat,rank\n1,1,1\n1,2,0\n2,1,1\n2,2,2\n",
        "write DNF for who was not placed",
        ["game,seat,rank\n1,1,1\n1,2,DNF\n2,1,1\n2,2,2\n"],
    ),
    "thousands in English": (
        'game,seat,score\n1,1,5\n1,2,"1,234"\n',
        "write 1234 or 1,2340; or say which with",
        ["game,seat,score\n1,1,5\n1,2,1234\n", 'game,seat,score\n1,1,5\n1,2,"1,2340"\n'],
    ),
    "thousands in German": (
        "game;seat;score\n1;1;5\n1;2;1.234\n",
        "write 1234 or 1.2340; or say which with",
        ["game;seat;score\n1;1;5\n1;2;1234\n", "game;seat;score\n1;1;5\n1;2;1.2340\n"],
    ),
    "thousands in French": (
        "game;seat;score\n1;1;5\n1;2;1,234\n",
        "write 1234 or 1,2340; or say which with",
        ["game;seat;score\n1;1;5\n1;2;1234\n", "game;seat;score\n1;1;5\n1;2;1,2340\n"],
    ),
    "no score": (
        "game,seat,score\n1,1,5\n1,2,out\n",
        "give a number, or DNF for the last",
        ["game,seat,score\n" + ONE, "game,seat,score\n1,1,5\n1,2,DNF\n"],
    ),
    "a large score": (
        "game,seat,score\n1,1,5000000000\n1,2,3\n",
        "give thousands or millions instead",
        ["game,seat,score\n1,1,5000\n1,2,3\n"],
    ),
    "a score that is missing": (
        "game,seat,score\n1,1,5\n1,2,\n",
        "give all, or DNF for the last",
        ["game,seat,score\n" + ONE, "game,seat,score\n1,1,5\n1,2,DNF\n"],
    ),
    "no score in a game": (
        "game,seat,score\n" + ONE + "2,1,\n2,2,\n",
        "mark all who did, or write 0 for all in a column 'winner' if nobody won",
        ["game,seat,score,winner\n1,1,5,\n1,2,3,\n2,1,,0\n2,2,,0\n",
         "game,seat,score,winner\n1,1,5,\n1,2,3,\n2,1,,1\n2,2,,\n"],
    ),
    "no winner in a game": (
        "game,seat,winner\n1,1,1\n1,2,0\n2,1,\n2,2,\n",
        "mark all who did, or write 0 for all if nobody won",
        ["game,seat,winner\n1,1,1\n1,2,0\n2,1,1\n2,2,\n", "game,seat,winner\n1,1,1\n1,2,0\n2,1,0\n2,2,0\n"],
    ),
    "neither yes nor no": (
        "game,seat,winner\n1,1,first\n1,2,\n",
        "write 1 or 0 for each seat",
        ["game,seat,winner\n1,1,1\n1,2,0\n"],
    ),
    "a draw beside a loss": (
        "game,seat,winner\n1,1,draw\n1,2,draw\n1,3,loss\n",
        "write 1 for all who shared the win",
        ["game,seat,winner\n1,1,1\n1,2,1\n1,3,loss\n"],
    ),
    "another winner": (
        "game,seat,winner,score\n1,1,0,5\n1,2,1,3\n",
        "mark the best, or leave out the scores",
        ["game,seat,winner,score\n1,1,1,5\n1,2,0,3\n", "game,seat,winner\n1,1,0\n1,2,1\n"],
    ),
    "another rank": (
        "game,seat,winner,rank\n1,1,0,1\n1,2,1,2\n",
        "mark the best, or leave out the ranks",
        ["game,seat,winner,rank\n1,1,1,1\n1,2,0,2\n", "game,seat,winner\n1,1,0\n1,2,1\n"],
    ),
    "two winners": (
        "game,seat,winner,score\n1,1,1,5\n1,2,1,3\n",
        "mark one, or leave out the scores",
        ["game,seat,winner,score\n1,1,1,5\n1,2,0,3\n", "game,seat,winner\n1,1,1\n1,2,1\n1,3,0\n"],
    ),
    "nobody at all": (
        "game,seat,winner\n1,1,0\n1,2,0\n",
        "mark the winners of each",
        ["game,seat,winner\n1,1,1\n1,2,0\n"],
    ),
    "one team": (
        "game,seat,team,winner\n1,1,x,1\n1,2,x,1\n",
        "name two or more",
        ["game,seat,team,winner\n1,1,x,1\n1,2,y,0\n"],
    ),
    "no team": (
        "game,seat,team,score\n1,1,x,1\n1,2,y,3\n1,3,y,3\n2,1,,1\n2,2,y,3\n2,3,y,3\n",
        "name one for each seat",
        ["game,seat,team,score\n1,1,x,1\n1,2,y,3\n1,3,y,3\n2,1,me,1\n2,2,y,3\n2,3,y,3\n"],
    ),
    "a part of a team": (
        "game,seat,team,winner\n1,1,x,1\n1,2,x,0\n1,3,y,0\n",
        "mark all of a team alike",
        ["game,seat,team,winner\n1,1,x,1\n1,2,x,1\n1,3,y,0\n"],
    ),
    "a team that sits elsewhere": (
        "game,seat,team,score\n1,1,x,1\n1,2,y,3\n1,3,y,3\n2,1,y,1\n2,2,x,3\n2,3,y,3\n",
        "give the teams the same seats in all games; or leave seats out with",
        ["game,seat,team,score\n1,1,x,1\n1,2,y,3\n1,3,y,3\n2,2,y,1\n2,1,x,3\n2,3,y,3\n"],
    ),
    "teams of other sizes": (
        "game,seat,team,score\n1,1,x,1\n1,2,y,3\n1,3,y,3\n1,4,y,3\n2,1,x,1\n2,2,x,3\n2,3,y,3\n2,4,y,3\n",
        "teams of 2 and 2, but in row 2 of 1 and 3; give other teams a table of their own",
        ["game,seat,team,score\n1,1,x,1\n1,2,y,3\n1,3,y,3\n1,4,y,3\n"],
    ),
    "broken off": (
        "game,seat,score,finished\n1,1,5,0\n1,2,3,0\n",
        "import it when some are",
        ["game,seat,score,finished\n1,1,5,1\n1,2,3,1\n"],
    ),
}  # fmt: skip


def read(path: Path) -> list[int]:
    """Return how many games each door reads."""
    imported = import_table(path, path.parent / f"run-{path.stem}").runs
    sheet = read_sheet(path, load_game("middle-ages"))
    return [sum(run.manifest.games for run in imported), len(sheet.matches), len(list(runs_in([path])))]


@pytest.mark.parametrize(("text", "advice", "mended"), ADVICE.values(), ids=ADVICE)
def test_whoever_does_what_a_refusal_advises_has_a_table_that_is_read(
    table: Write, monkeypatch: pytest.MonkeyPatch, text: str, advice: str, mended: list[str]
) -> None:
    path = table(text)
    monkeypatch.chdir(path.parent)
    for door in (
        lambda: import_table(path, path.parent / "run"),
        lambda: read_sheet(path, load_game("middle-ages")),
        lambda: list(runs_in([path])),
    ):
        with pytest.raises(UsageError) as raised:
            door()
        assert advice in str(raised.value)
    for number, other in enumerate(mended):
        assert all(read(table(other, f"{number}.csv")))


def test_seats_may_be_left_out_where_teams_sit_elsewhere(table: Write, tmp_path: Path) -> None:
    path = table(ADVICE["a team that sits elsewhere"][0])
    assert import_table(path, tmp_path / "run", ordered=False).run.manifest.games == 2
