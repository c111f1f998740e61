"""A table becomes a run that the analyses read, and what is said of games that were not played here."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from analysis.compare.comparing import compare_sources
from analysis.course.drama import closeness
from analysis.data.results import Unanswered
from analysis.data.sources import open_source
from analysis.ratings.strengths import strengths
from analysis.runs import load
from analysis.runs.export import write_table
from analysis.runs.folders import beside
from analysis.seats.advantage import seat_advantage
from analysis.tables import importing
from analysis.tables.importing import import_table
from simcore.errors import Damaged, UsageError
from tests.analysis.tables.conftest import club

Write = Callable[..., Path]


def test_a_run_holds_what_the_table_says(table: Write, tmp_path: Path) -> None:
    made = import_table(table(club(60)), tmp_path / "run", title="Azul")
    frame, origin = made.run.polars().collect(), made.origin
    assert (made.run.manifest.games, made.run.manifest.players, made.run.manifest.status) == (60, 4, "complete")
    assert (origin.title, origin.file, origin.wins, origin.seats, origin.score) == (
        "Azul",
        "results.csv",
        "highest",
        True,
        True,
    )
    assert len(origin.people) == 12 and frame["player"].dtype == pl.Enum(origin.people)
    read = pl.read_csv(tmp_path / "results.csv")
    assert frame["score"].to_list() == read["score"].to_list()
    assert frame["minutes"].to_list() == read["minutes"].to_list()
    best = read.with_columns(won=pl.col("score") == pl.col("score").max().over("game"))["won"]
    assert ((frame["share60"] == 60) == best).all()
    assert [note.code for note in made.notes] == ["import_highest"]


def test_the_same_table_gives_the_same_digest_and_another_one_another(table: Write, tmp_path: Path) -> None:
    rows = club(40)
    one = import_table(table(rows), tmp_path / "one").run.manifest.digest
    assert import_table(table(rows), tmp_path / "two").run.manifest.digest == one
    assert import_table(table(rows), tmp_path / "low", lowest_wins=True).run.manifest.digest != one


def test_each_number_of_players_and_each_set_of_rules_has_a_run(table: Write, tmp_path: Path) -> None:
    rows = [
        f"{game},{seat},{seat},{'v 2' if game % 3 else 'v 1'}" for game in range(30) for seat in range(1, 3 + game % 2)
    ]
    made = import_table(table(["game,seat,score,rules", *rows]), tmp_path / "runs")
    assert sorted(run.folder.name for run in made.runs) == ["2p-v-1", "2p-v-2", "3p-v-1", "3p-v-2"]
    assert [run.manifest.games for run in made.runs] == [10, 10, 5, 5]
    assert {run.manifest.rules["name"] for run in made.runs} == {"v 1", "v 2"}


def test_names_may_be_replaced_by_letters(table: Write, tmp_path: Path) -> None:
    made = import_table(table(club(30)), tmp_path / "run", anonymous=True)
    assert made.origin.people == tuple("ABCDEFGHIJKL")
    kept = b"".join(path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert b"P01" not in kept


def test_what_is_incomplete_is_left_out_and_said(table: Write, tmp_path: Path) -> None:
    rows = [f"{game},{seat},{seat == 1:d},{'' if game == 7 else 5},fine" for game in range(40) for seat in (1, 2)]
    made = import_table(table(["game,seat,winner,turns,remark", *rows]), tmp_path / "run")
    assert [(note.code, note.values.get("column"), note.values.get("row")) for note in made.notes] == [
        ("import_gaps", "turns", 16),
        ("import_text", "remark", 2),
    ]
    assert "turns" not in made.run.schema


def test_without_seats_nothing_is_said_about_them(table: Write, tmp_path: Path) -> None:
    rows = [row.split(",", 2) for row in club(60)]
    made = import_table(table([f"{game},{rest}" for game, _, rest in rows]), tmp_path / "run")
    assert "import_no_seats" in [note.code for note in made.notes]
    with pytest.raises(Unanswered, match="the table names no seats"):
        seat_advantage(made.run)
    assert len(strengths(made.run).table) == 12 and closeness(made.run).games == 60


def test_cooperative_games_are_flagged(table: Write, tmp_path: Path) -> None:
    rows = [f"{game},{seat},{game % 2}" for game in range(40) for seat in (1, 2, 3)]
    made = import_table(table(["game,seat,winner", *rows]), tmp_path / "run")
    assert made.origin.cooperative and "import_together" in [note.code for note in made.notes]
    with pytest.raises(Unanswered, match="all won or all lost together"):
        seat_advantage(made.run)


def test_scores_with_decimals_are_neither_tied_nor_cut_off(table: Write, tmp_path: Path) -> None:
    rows = [f"{game},{seat},{10 + 0.25 * seat}" for game in range(40) for seat in (1, 2, 3)]
    row = closeness(import_table(table(["game,seat,score", *rows]), tmp_path / "run").run)
    assert row.table["margin"][0] == 0.25 and row.table["spread"][0] == 0.5 and row.table["level"][0] == 0
    assert row.margins["margin"].to_list() == [0.25]


def test_more_than_256_people(table: Write, tmp_path: Path) -> None:
    rows = [f"{game},{seat},N{(game * 3 + seat) % 700:03d},{seat}" for game in range(700) for seat in (1, 2, 3)]
    made = import_table(table(["game,seat,player,score", *rows]), tmp_path / "run")
    frame = made.run.polars().collect()
    assert len(made.origin.people) == 700 and frame["player"].to_list()[:2] == ["N001", "N002"]
    assert len(strengths(made.run).table) == 700


def test_games_that_were_not_played_here_cannot_be_played(table: Write, tmp_path: Path) -> None:
    run = import_table(table(club(30)), tmp_path / "run").run
    assert not run.playable
    with pytest.raises(UsageError, match=r"not played here, but read from results\.csv; they cannot be played again"):
        run.spec  # noqa: B018


def test_nothing_is_left_of_a_table_that_cannot_be_used(table: Write, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="row 63"):
        import_table(table([*club(15), "99,1,P01,5,3", "99,1,P02,5,3"]), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    made = import_table(table(club(30)), tmp_path / "run")
    with pytest.raises(UsageError, match="exists"):
        import_table(table(club(20)), tmp_path / "run")
    assert load(made.run.folder).manifest.games == 30
    assert import_table(table(club(20)), tmp_path / "run", force=True).run.manifest.games == 20


@pytest.mark.parametrize("at", ["_values", "move_in"])
def test_an_earlier_import_stays_until_the_new_one_is_complete(
    table: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    first = import_table(table(club(30)), tmp_path / "run").run

    def stopped(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as change:
        change.setattr(importing, at, stopped)
        with pytest.raises(KeyboardInterrupt):
            import_table(table(club(20)), tmp_path / "run", force=True)
    assert load(tmp_path / "run").manifest == first.manifest
    second = import_table(table(club(20)), tmp_path / "run", force=True).run.manifest
    alone = import_table(table(club(20)), tmp_path / "alone").run.manifest
    assert (second.games, second.digest, second.parts) == (20, alone.digest, alone.parts)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone", "results.csv", "run"]


def test_a_changed_origin_is_found(table: Write, tmp_path: Path) -> None:
    folder = import_table(table(club(30)), tmp_path / "run").run.folder
    text = json.loads((folder / "manifest.json").read_text())
    text["origin"]["people"][0] = "somebody"
    (folder / "manifest.json").write_text(json.dumps(text))
    with pytest.raises(Damaged):
        load(folder)


def test_hostile_names_are_kept_on_one_line(table: Write, tmp_path: Path) -> None:
    rows = [f'{game},{seat},"<b>{seat}\n\x1b[31m",{seat}' for game in range(30) for seat in (1, 2)]
    made = import_table(table(["game,seat,player,score", *rows]), tmp_path / "run", title="<script>\n")
    assert all(name.isprintable() for name in (*made.origin.people, made.origin.title))


def plays(count: int = 40, seats: bool = True) -> dict[str, object]:
    """Return what BG Stats exports: plays of two people, without scores, and one play alone."""

    def play(game: int, number: int, size: int) -> dict[str, object]:
        scores = [
            {
                "playerRefId": who,
                "score": "",
                "winner": who == 1 + number % 2,
                "rank": 0,
                "seatOrder": who if seats else 0,
                "role": "",
            }
            for who in (1, 2)[:size]
        ]
        return {"gameRefId": game, "playDate": "2026-01-01 20:00:00", "durationMin": 40, "playerScores": scores}

    return {
        "players": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}],
        "games": [{"id": 5, "name": "Azul", "highestWins": True}, {"id": 6, "name": "Solo"}],
        "plays": [*(play(5, number, 2) for number in range(count)), play(6, 0, 1)],
    }


def test_plays_of_bg_stats(table: Write, tmp_path: Path) -> None:
    path = table(json.dumps(plays()), "BGStatsExport.json")
    with pytest.raises(UsageError, match="plays of 2 games, most often Azul, Solo; name one"):
        import_table(path, tmp_path / "none")
    made = import_table(path, tmp_path / "run", title="azul")
    assert (made.origin.title, made.origin.people, made.origin.wins) == ("Azul", ("Ann", "Bob"), "winner")
    assert (made.run.manifest.games, made.origin.seats, made.origin.length) == (40, True, True)
    assert not import_table(table(json.dumps(plays(seats=False)), "b.json"), tmp_path / "b", title="Azul").origin.seats
    with pytest.raises(UsageError, match="no play of 'Azuul'; did you mean 'Azul'"):
        import_table(path, tmp_path / "c", title="Azuul")


def dealt(folder: Path, start: int, wins: int) -> Path:
    """Return a run of 60 deals in which seat 1 wins those whose number is below `wins`."""
    rows = [
        f"{deal},{deal},{seat},{int((seat == 1) == (deal % 40 < wins))}"
        for deal in range(start, start + 60)
        for seat in (1, 2)
    ]
    folder.mkdir()
    (folder / "t.csv").write_text("\n".join(["game,deal,seat,winner", *rows]))
    return import_table(folder / "t.csv", folder / "run").run.folder


def test_tables_are_paired_by_their_deals_and_by_nothing_else(table: Write, tmp_path: Path) -> None:
    one, two = dealt(tmp_path / "a", 0, 20), dealt(tmp_path / "b", 20, 20)
    found = compare_sources({"a": open_source(one), "b": open_source(two)})
    assert found.table["paired"].all() and found.table["deals"][0] == 40
    assert found.table["difference"].to_list() == [0, 0]
    other = import_table(table(club(60)), tmp_path / "c").run
    again = import_table(table(club(60)), tmp_path / "d").run
    alone = compare_sources({"c": open_source(other), "d": open_source(again)})
    assert not alone.table["paired"].any()
    assert [note.code for note in alone.notes] == ["compare_tables_unpaired"]


def test_measures_may_be_called_like_our_own_columns(table: Write, tmp_path: Path) -> None:
    head = "game,seat,winner,row,size,won,number"
    rows = [
        f"{game},{seat},{int(seat == 1)},7,{game + 10},{seat + 20},{game + 30}" for game in (1, 2) for seat in (1, 2)
    ]
    made = import_table(table([head, *rows]), tmp_path / "run")
    assert [(one.name, one.column) for one in made.origin.measures] == [
        ("row", "row"),
        ("size_", "size"),
        ("won_", "won"),
        ("number_", "number"),
    ]
    frame = made.run.polars().collect()
    assert frame.select("row", "size_", "won_", "number_").rows() == [
        (7, 11, 21, 31),
        (7, 11, 22, 31),
        (7, 12, 21, 32),
        (7, 12, 22, 32),
    ]


def test_lists_in_a_parquet_file_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    rows = {"game": [1, 1, 2, 2], "seat": [1, 2, 1, 2], "winner": [1, 0, 0, 1], "tags": [[1], [2], [3], [4]]}
    pl.DataFrame(rows).write_parquet(path)
    assert import_table(path, tmp_path / "run").origin.measures == ()


def test_a_deal_has_the_same_number_in_every_table(table: Write, tmp_path: Path) -> None:
    numbered, mixed = (
        import_table(
            table(
                ["game,seat,winner,deal", *(f"{deal},{seat},{seat - 1},{deal}" for deal in deals for seat in (1, 2))]
            ),
            tmp_path / name,
        ).run
        for name, deals in (("a", ("7", "8")), ("b", ("7", "x")))
    )
    first, second = (run.polars().collect()["deal"].to_list() for run in (numbered, mixed))
    assert first == [7, 7, 8, 8] and second[:2] == [7, 7] and second[2] == second[3] > 8


def test_every_game_needs_its_deal(table: Write, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="row 4: deal: empty; number all deals, or leave out the column"):
        import_table(table(["game,seat,winner,deal", "1,1,1,4", "1,2,0,4", "2,1,1,", "2,2,0,"]), tmp_path / "run")


def test_an_import_that_was_killed_is_no_obstacle_and_leaves_nothing(table: Write, tmp_path: Path) -> None:
    """While another process writes a folder under a hidden name, it stays."""
    rows = [f"{game},{seat},{seat}" for game in range(6) for seat in range(1, 3 + game % 3)]
    path, out = table(["game,seat,score", *rows]), tmp_path / "runs"
    program = f"""
import os, signal
from pathlib import Path
from analysis.tables import importing
importing.move_in = lambda *given: os.kill(os.getpid(), signal.SIGKILL)
importing.import_table(Path({str(path)!r}), Path({str(out)!r}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    (left,) = tmp_path.glob(".runs.*")
    with beside(out) as busy:
        assert not left.exists()
        made = import_table(path, out)
        assert busy.exists() and len(made.runs) == 3
    assert sorted(one.name for one in tmp_path.iterdir()) == ["results.csv", "runs"]


def test_each_set_of_rules_is_a_run_up_to_fifty(table: Write, tmp_path: Path) -> None:
    rows = [f"{game},{seat},{seat},v{game % 51}" for game in range(102) for seat in (1, 2)]
    with pytest.raises(
        UsageError, match="the column 'rules' names more than 50 sets of rules, and each would be a run"
    ):
        import_table(table(["game,seat,score,rules", *rows]), tmp_path / "many")
    assert len(import_table(table(["game,seat,score,rules", *rows[:100]]), tmp_path / "fifty").runs) == 50


def test_rows_of_one_field_are_refused_before_they_are_read(
    table: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("analysis.tables.reading._csv")
    with pytest.raises(UsageError, match="row 2: 1 field, but the first row names 3 columns; give a field for each"):
        import_table(table(["game,seat,winner", *map(str, range(30_000))]), tmp_path / "run")


def test_names_of_our_own_export_are_read_back(table: Write, tmp_path: Path) -> None:
    names = ["=cmd|' /C calc'!A0", "@SUM(1)", "+1+2", "-x", "O'Neil", "-5"]
    rows = [f"{game},{seat},{names[game * 2 + seat - 1]},{seat},@g" for game in range(3) for seat in (1, 2)]
    run = import_table(table(["game,seat,player,score,group", *rows]), tmp_path / "run").run
    write_table(run, tmp_path / "e.csv", "csv", ["game_id", "seat", "player", "score", "group"])
    written = (tmp_path / "e.csv").read_text().splitlines()
    assert written[1:4] == [f"0,1,'{names[0]},1.0,'@g", "0,2,'@SUM(1),2.0,'@g", "1,1,'+1+2,1.0,'@g"]
    again = import_table(tmp_path / "e.csv", tmp_path / "again", {"game": "game_id"})
    assert again.origin.people == tuple(names) and again.origin.groups == ("@g",)


def test_no_run_of_an_earlier_table_stays_beside_those_of_another(table: Write, tmp_path: Path) -> None:
    rows = [f"{game},{seat},{seat}" for game in range(6) for seat in range(1, 3 + game % 3)]
    out = tmp_path / "runs"
    import_table(table(["game,seat,score", *rows]), out)
    import_table(table(["game,seat,score", *rows]), out, force=True)
    fewer = table(["game,seat,score", *rows[:5]], "fewer.csv")
    with pytest.raises(UsageError, match="4p holds a run that this table has none for; choose another folder"):
        import_table(fewer, out, force=True)
    assert len(load(out / "3p").polars().collect()) == 6
    import_table(table(["game,seat,score", *rows[:2]]), tmp_path / "one")
    with pytest.raises(UsageError, match="one holds a run that this table has none for"):
        import_table(fewer, tmp_path / "one", force=True)


def test_a_link_leads_to_the_run_that_is_replaced(table: Write, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    real, link = tmp_path / "disk" / "real", tmp_path / "link"
    link.symlink_to(real)
    rows = [f"{game},{seat},{seat}" for game in range(3) for seat in (1, 2)]
    import_table(table(["game,seat,score", *rows[:4]]), real)
    import_table(table(["game,seat,score", *rows]), link, force=True)
    assert link.is_symlink() and load(real).manifest.games == 3 and [*real.parent.iterdir()] == [real]


def test_any_text_in_a_file_of_bg_stats_is_read_or_refused(table: Write, tmp_path: Path) -> None:
    file = plays()
    for play in file["plays"]:
        play["playDate"] = "\ud800"
        play["playerScores"] = [one | {"score": 5 * one["winner"]} for one in play["playerScores"]]
    made = import_table(table(json.dumps(file), "b.json"), tmp_path / "run", title="Azul")
    assert set(made.run.polars().collect()["score"]) == {0, 5}
    file["plays"][0]["playerScores"][0]["rank"] = "\ud800"
    again = import_table(table(json.dumps(file), "c.json"), tmp_path / "c", title="Azul")
    assert again.run.manifest.digest == made.run.manifest.digest


def test_people_whose_names_begin_alike_stay_two_people(table: Write, tmp_path: Path) -> None:
    ann, bob = "x" * 90 + "Ann", "x" * 90 + "Bob"
    rows = [f"{game},{seat},{name},{seat + game % 2}" for game in range(9) for seat, name in ((1, ann), (2, bob))]
    people = import_table(table(["game,seat,player,score", *rows]), tmp_path / "run").origin.people
    assert len(people) == len(set(people)) == 2 and all(len(name) <= 80 for name in people)
