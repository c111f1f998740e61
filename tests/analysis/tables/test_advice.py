"""What a refusal of a table advises works: whoever does it has a table that every door reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.playtest.sheet import read_sheet
from analysis.tables.importing import import_table
from equipoise.api.importing import runs_in
from simcore.errors import UsageError
from simcore.game import load_game
from tests.analysis.tables.conftest import refused

Write = Callable[..., Path]
ADVICE = {
    "name one of two columns": ("game,seat,seat,score|1,1,1,5|1,2,2,3", "keep one", ["game,seat,score|1,1,5|1,2,3"]),
    "rename a measure": (
        "game,seat,score,a b,a-b|1,1,5,1,2|1,2,3,1,2", "rename one", ["game,seat,score,a b,a c|1,1,5,1,2|1,2,3,1,2"]
    ),
    "people as columns": (
        "date,Ann,Ben|1,5,3", "such as game,player,score", ["game,player,seat,score|1,A,1,5|1,B,2,3"]
    ),
    "number the games": ("seat,score|1,5|2,3", "number the games", ["game,seat,score|1,1,5|1,2,3"]),
    "a field with a comma": (
        "game,seat,player,score|1,1,Ann, the first,5|1,2,Ben,3", "put a text with ',' into quotation marks",
        ['game,seat,player,score|1,1,"Ann, the first",5|1,2,Ben,3']
    ),
    "a lone quotation mark": (
        'game,seat,player,score|1,1,"Ann,5|1,2,Ben,3', "close it, or leave it out",
        ['game,seat,player,score|1,1,"Ann",5|1,2,Ben,3', "game,seat,player,score|1,1,Ann,5|1,2,Ben,3"]
    ),
    "a text after a quotation mark": (
        'game,seat,player,score|1,2,"Big" Ben,3|1,1,Ann,5',
        'row 2: text after a closing quotation mark; leave out the marks, or put \'""\' for each inside others',
        ["game,seat,player,score|1,1,Ann,5|1,2,Big Ben,3", 'game,seat,player,score|1,1,Ann,5|1,2,"""Big"" Ben",3']
    ),
    "one field": ("game,seat,score|1", "give a field for each", ["game,seat,score|1,1,5|1,2,3"]),
    "who won": (
        "player_1,player_2,winner|A,B,C",
        "give a seat's number or a name, several with '&' between them, 'draw' if all share the win, or 'nobody'",
        ["player_1,player_2,winner|A,B,B|A,B,1", "player_1,player_2,winner|A,B,B|A,B,A",
        "player_1,player_2,winner|A,B,B|A,B,A & B", "player_1,player_2,winner|A,B,B|A,B,draw",
        "player_1,player_2,winner|A,B,B|A,B,nobody"]
    ),
    "no game": ("game,seat,score", "write one row for each seat of each game", ["game,seat,score|1,1,5|1,2,3"]),
    "a game without a number": (
        "game,seat,score|1,1,5|,2,3", "number the games, in every row of a game", ["game,seat,score|1,1,5|1,2,3"]
    ),
    "finished": (
        "game,seat,score,finished|1,1,5,3|1,2,3,3", "write 1 or 0, or rename the column",
        ["game,seat,score,finished|1,1,5,1|1,2,3,1", "game,seat,score,ended|1,1,5,3|1,2,3,3"]
    ),
    "deal": (
        "game,seat,score,deal|1,1,5,|1,2,3,", "number all deals, or leave out the column",
        ["game,seat,score,deal|1,1,5,7|1,2,3,7", "game,seat,score|1,1,5|1,2,3"]
    ),
    "one length for all": (
        "game,seat,score,length|1,1,5,30|1,2,3,31", "write the same in all its rows, or rename the column",
        ["game,seat,score,length|1,1,5,30|1,2,3,30", "game,seat,score,own length|1,1,5,30|1,2,3,31"]
    ),
    "a date in a table that counts rows": (
        "players,seat,score,date|2,1,5,a|2,2,3,b", "a game of 2 players takes 2 rows",
        ["players,seat,score,date|2,1,5,a|2,2,3,a"]
    ),
    "a nameless player": (
        "game,seat,player,score|1,1,,5|1,2,,3", "name every player, if only as 'guest'",
        ["game,seat,player,score|1,1,guest,5|1,2,guest,3"]
    ),
    "a nameless player who lost by name": (
        "game,seat,player,winner|1,1,Ann,Ann|1,2,,Ann", "name every player, if only as 'guest'",
        ["game,seat,player,winner|1,1,Ann,Ann|1,2,guest,Ann"]
    ),
    "rows and players": (
        "game,seat,score,players|1,1,5,2|1,2,3,2|2,1,5,2", "write one row for each seat, or leave it out",
        ["game,seat,score,players|1,1,5,2|1,2,3,2|2,1,5,2|2,2,3,2", "game,seat,score,players|1,1,5,2|1,2,3,2"]
    ),
    "a game of one": (
        "game,seat,score|1,1,5|1,2,3|2,1,5", "write one row for each seat, or leave it out",
        ["game,seat,score|1,1,5|1,2,3|2,1,5|2,2,3", "game,seat,score|1,1,5|1,2,3"]
    ),
    "a title of several games": (
        "game,seat,score|Azul,1,3|Azul,2,2|Azul,1,3|Azul,2,2|Azul,1,3|Azul,2,2|Azul,1,3|Azul,2,2|Azul,1,3|Azul,2,2|Azul,1,3|Azul,2,2",
        "if this is the title of several, number them",
        ["game,seat,score|0,1,3|0,2,2|1,1,3|1,2,2|2,1,3|2,2,2|3,1,3|3,2,2|4,1,3|4,2,2|5,1,3|5,2,2"]
    ),
    "another seat": ("game,seat,score|1,1,5|1,3,3", "give 1 to 2", ["game,seat,score|1,1,5|1,2,3"]),
    "a gap in columns": (
        "score_1,score_2,score_3|5,3,4|5,,4", "1 to 2 are the columns of a table of 2, not 3; fill the first",
        ["score_1,score_2,score_3|5,3,4|5,4,"]
    ),
    "a seat twice": ("game,seat,score|1,1,5|1,1,3", "give each seat once", ["game,seat,score|1,1,5|1,2,3"]),
    "no first place": (
        "game,seat,rank|1,1,1|1,2,2|2,1,2|2,2,3", "give the best of its seats this rank, or add the row of its winner",
        ["game,seat,rank|1,1,1|1,2,2|2,1,1|2,2,2", "game,seat,rank|1,1,1|1,2,2|2,1,2|2,2,3|2,3,1"]
    ),
    "no place": (
        "game,seat,rank|1,1,1|1,2,0|2,1,1|2,2,2", "write DNF for who was not placed",
        ["game,seat,rank|1,1,1|1,2,DNF|2,1,1|2,2,2"]
    ),
    "thousands in English": (
        'game,seat,score|1,1,5|1,2,"1,234"', "write 1234 or 1,2340; or say which with",
        ["game,seat,score|1,1,5|1,2,1234", 'game,seat,score|1,1,5|1,2,"1,2340"']
    ),
    "thousands in German": (
        "game;seat;score|1;1;5|1;2;1.234", "write 1234 or 1.2340; or say which with",
        ["game;seat;score|1;1;5|1;2;1234", "game;seat;score|1;1;5|1;2;1.2340"]
    ),
    "thousands in French": (
        "game;seat;score|1;1;5|1;2;1,234", "write 1234 or 1,2340; or say which with",
        ["game;seat;score|1;1;5|1;2;1234", "game;seat;score|1;1;5|1;2;1,2340"]
    ),
    "no score": (
        "game,seat,score|1,1,5|1,2,out", "give a number, or DNF for the last", ["game,seat,score|1,1,5|1,2,3",
        "game,seat,score|1,1,5|1,2,DNF"]
    ),
    "a large score": (
        "game,seat,score|1,1,5000000000|1,2,3", "give thousands or millions instead",
        ["game,seat,score|1,1,5000|1,2,3"]
    ),
    "a score that is missing": (
        "game,seat,score|1,1,5|1,2,", "give all, or DNF for the last", ["game,seat,score|1,1,5|1,2,3",
        "game,seat,score|1,1,5|1,2,DNF"]
    ),
    "no score in a game": (
        "game,seat,score|1,1,5|1,2,3|2,1,|2,2,",
        "mark all who did, or write 0 for all in a column 'winner' if nobody won",
        ["game,seat,score,winner|1,1,5,|1,2,3,|2,1,,0|2,2,,0", "game,seat,score,winner|1,1,5,|1,2,3,|2,1,,1|2,2,,"]
    ),
    "no winner in a game": (
        "game,seat,winner|1,1,1|1,2,0|2,1,|2,2,", "mark all who did, or write 0 for all if nobody won",
        ["game,seat,winner|1,1,1|1,2,0|2,1,1|2,2,", "game,seat,winner|1,1,1|1,2,0|2,1,0|2,2,0"]
    ),
    "neither yes nor no": (
        "game,seat,winner|1,1,first|1,2,", "write 1 or 0 for each seat", ["game,seat,winner|1,1,1|1,2,0"]
    ),
    "a draw beside a loss": (
        "game,seat,winner|1,1,draw|1,2,draw|1,3,loss", "write 1 for all who shared the win",
        ["game,seat,winner|1,1,1|1,2,1|1,3,loss"]
    ),
    "another winner": (
        "game,seat,winner,score|1,1,0,5|1,2,1,3", "mark the best, or leave out the scores",
        ["game,seat,winner,score|1,1,1,5|1,2,0,3", "game,seat,winner|1,1,0|1,2,1"]
    ),
    "another rank": (
        "game,seat,winner,rank|1,1,0,1|1,2,1,2", "mark the best, or leave out the ranks",
        ["game,seat,winner,rank|1,1,1,1|1,2,0,2", "game,seat,winner|1,1,0|1,2,1"]
    ),
    "two winners": (
        "game,seat,winner,score|1,1,1,5|1,2,1,3", "mark one, or leave out the scores",
        ["game,seat,winner,score|1,1,1,5|1,2,0,3", "game,seat,winner|1,1,1|1,2,1|1,3,0"]
    ),
    "nobody at all": ("game,seat,winner|1,1,0|1,2,0", "mark the winners of each", ["game,seat,winner|1,1,1|1,2,0"]),
    "one team": (
        "game,seat,team,winner|1,1,x,1|1,2,x,1", "name two or more", ["game,seat,team,winner|1,1,x,1|1,2,y,0"]
    ),
    "no team": (
        "game,seat,team,score|1,1,x,1|1,2,y,3|1,3,y,3|2,1,,1|2,2,y,3|2,3,y,3", "name one for each seat",
        ["game,seat,team,score|1,1,x,1|1,2,y,3|1,3,y,3|2,1,me,1|2,2,y,3|2,3,y,3"]
    ),
    "a part of a team": (
        "game,seat,team,winner|1,1,x,1|1,2,x,0|1,3,y,0", "mark all of a team alike",
        ["game,seat,team,winner|1,1,x,1|1,2,x,1|1,3,y,0"]
    ),
    "a team that sits elsewhere": (
        "game,seat,team,score|1,1,x,1|1,2,y,3|1,3,y,3|2,1,y,1|2,2,x,3|2,3,y,3",
        "give the teams the same seats in all games; or leave seats out with",
        ["game,seat,team,score|1,1,x,1|1,2,y,3|1,3,y,3|2,2,y,1|2,1,x,3|2,3,y,3"]
    ),
    "teams of other sizes": (
        "game,seat,team,score|1,1,x,1|1,2,y,3|1,3,y,3|1,4,y,3|2,1,x,1|2,2,x,3|2,3,y,3|2,4,y,3",
        "teams of 2 and 2, but in row 2 of 1 and 3; give other teams a table of their own",
        ["game,seat,team,score|1,1,x,1|1,2,y,3|1,3,y,3|1,4,y,3"]
    ),
    "broken off": (
        "game,seat,score,finished|1,1,5,0|1,2,3,0", "import it when some are",
        ["game,seat,score,finished|1,1,5,1|1,2,3,1"]
    ),
}  # fmt: skip
"""What is wrong, what the refusal says, and tables in which that was done; a bar ends a row."""


def read(path: Path) -> list[int]:
    """Return how many games each door reads."""
    imported = import_table(path, path.parent / f"run-{path.stem}").runs
    sheet = read_sheet(path, load_game("middle-ages"))
    return [sum(run.manifest.games for run in imported), len(sheet.matches), len(list(runs_in([path])))]


@pytest.mark.parametrize(("text", "advice", "mended"), ADVICE.values(), ids=ADVICE)
def test_whoever_does_what_a_refusal_advises_has_a_table_that_is_read(
    table: Write, monkeypatch: pytest.MonkeyPatch, text: str, advice: str, mended: list[str]
) -> None:
    path = table(text.split("|"))
    monkeypatch.chdir(path.parent)
    assert advice in refused(path)
    with pytest.raises(UsageError, match=re.escape(advice)):
        list(runs_in([path]))
    for number, other in enumerate(mended):
        assert all(read(table(other.split("|"), f"{number}.csv")))


def test_seats_may_be_left_out_where_teams_sit_elsewhere(table: Write, tmp_path: Path) -> None:
    path = table(ADVICE["a team that sits elsewhere"][0].split("|"))
    assert import_table(path, tmp_path / "run", ordered=False).run.manifest.games == 2
