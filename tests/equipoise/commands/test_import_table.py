"""`equipoise import`, and what other commands say of games that were not played here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import equipoise as eq
from equipoise.cli import app, run
from tests.analysis.tables.conftest import club
from tests.undrawn import leave_blank


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a folder with a table, imported as `run`."""
    monkeypatch.chdir(tmp_path)
    leave_blank(monkeypatch.setattr)
    Path("results.csv").write_text("\n".join(club(60)) + "\n")
    assert run(app, ["import", "results.csv", "--out", "run"]) == 0
    assert capsys.readouterr().out == (
        "Only the scores say who won: the highest score wins.\nrun: 60 games with 4 players, 12 people\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "replay run --index 3",
        "verify run",
        "compare run base",
        "simulate --resume run",
        "simulate --game imported",
        "tournament --game imported",
        "rules show base --game imported",
    ],
)
def test_what_needs_the_game_says_so_in_one_line(folder: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, line.split()) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert "not played here" in said.err


def test_one_command_makes_a_report_of_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["report", "results.csv"]) == 0
    assert Path("runs/results-1/report.html").is_file()
    assert run(app, ["report", "run", "--lang", "fr"]) == 0
    assert "personnes" in capsys.readouterr().out


def test_export_writes_the_names(folder: Path) -> None:
    assert run(app, ["export", "run", "--out", "out.csv", "--columns", "game_id,seat,player,score"]) == 0
    assert Path("out.csv").read_text().splitlines()[0] == "game_id,seat,player,score"
    assert len(Path("out.csv").read_text().splitlines()) == 241


def test_json_lists_the_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["import", "results.csv", "--out", "again", "--json", "--lowest-wins"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["runs"][0]["games"] == 60 and found["notes"] == ["The lowest score wins."]


def test_names_in_a_table_are_escaped_on_the_page(folder: Path) -> None:
    text = Path("results.csv").read_text().replace("P03", "<img src=x onerror=alert(1)>")
    Path("evil.csv").write_text(text)
    assert run(app, ["import", "evil.csv", "--out", "evil", "--title", "<script>alert(2)</script>"]) == 0
    assert run(app, ["report", "evil", "--format", "html,md"]) == 0
    page = Path("evil/report.html").read_text()
    assert "<img src=x" not in page and "<script>alert(2)" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_a_later_table_is_checked_against_the_baseline_of_an_earlier_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("later.csv").write_text("\n".join(club(60, seed=2)) + "\n")
    assert run(app, ["import", "later.csv", "--out", "later"]) == 0
    assert run(app, ["check", "--update", "--results", "run", "club.toml"]) == 0
    assert run(app, ["check", "--results", "run", "club.toml"]) == 0
    assert run(app, ["check", "--results", "later", "club.toml", "--page", "check.html", "--lang", "fr"]) == 3
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "60 real games, from later.csv, compared with the values in the file. No simulation stands behind either."
        in said
    )
    assert "Aucune simulation" in Path("check.html").read_text()
    assert eq.check("club.toml", results="later").results == "later.csv"
    with pytest.raises(eq.UsageError, match="seed: nothing is played if a table of results is judged"):
        eq.check("club.toml", results="later", seed=3)


def test_a_baseline_that_would_move_beyond_its_margins_stays(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["check", "--update", "--results", "run", "club.toml"]) == 0
    swapped = {"1": "1", "2": "2", "3": "4", "4": "3"}
    text = re.sub(r",(\d),P", lambda found: f",{swapped[found[1]]},P", Path("results.csv").read_text())
    Path("later.csv").write_text(text)
    assert run(app, ["import", "later.csv", "--out", "later"]) == 0
    before = Path("club.toml").read_text()
    assert run(app, ["check", "--update", "--results", "later", "club.toml"]) == 2
    assert "margins are broken" in capsys.readouterr().err
    assert Path("club.toml").read_text() == before
    assert run(app, ["check", "--update", "--yes", "--results", "later", "club.toml"]) == 0
    assert Path("club.toml").read_text() != before
    limit = '\n[limits]\n"win_share_by_seat.seat-1" = { max = 0.01 }\n\n[measured]'
    Path("club.toml").write_text(Path("club.toml").read_text().replace("\n[measured]", limit, 1))
    assert run(app, ["check", "--update", "--results", "later", "club.toml"]) == 1
    assert "breaks the limit of at most 1.00 %" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check --results run", "--results: name one baseline file, such as club.toml"),
        (
            "check --results run club.toml --games 2000",
            "--games: cannot be combined with --results, which plays nothing",
        ),
        ("check --update --results run club.txt", "club.txt: the name of a baseline must end in .toml"),
        ("import none.csv --out x", "none.csv: no such file or directory; name a CSV, Parquet or JSON file"),
        ("import results.csv --out run", "--out: run exists; choose another folder, or replace that run with --force"),
        ("import results.csv --out x --column seat", "--column: 'seat': write FIELD=NAME, such as seat=Position"),
        ("import results.csv --out x --column points=score", "--column: no field 'points'"),
    ],
)
def test_bad_input_takes_one_line(folder: Path, line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, line.split()) == 2
    assert capsys.readouterr().err.startswith(f"error: {said}")
    assert not Path("x").exists()
