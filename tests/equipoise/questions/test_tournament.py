"""`equipoise tournament`: its files, its answers in each form, and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from analysis.tournament import playing
from equipoise.api.tournament import enter
from simcore.game import load_game
from tests.equipoise.conftest import Cli
from tests.toy import TOY

ALL = "html,md,csv,json,parquet"
FEW = ("--strategies", "greedy,random,miller", "--games", "2e3", "--players", "3")
TWO = ("--strategies", "greedy,random", "--games", "80", "--players", "2")
"""Where it does not matter who wins."""


def test_files_and_standings(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "cup"
    said = cli("tournament", *FEW, "--tables", "all", "--out", out, "--format", ALL, "--no-open")
    assert said.code == 0, said.err
    names = ("greedy", "random", "miller")
    standing = [name for line in said.out.splitlines() for name in names if line.startswith(f"{name}  ")]
    assert sorted(standing) == sorted(names) and standing[-1] == "random"
    assert all(len(line) <= 80 for line in said.out.splitlines() if str(out) not in line)
    page = (out / "tournament.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 2
    assert "alone at a table of the column" in (out / "tournament.md").read_text(encoding="utf-8")
    told = json.loads((out / "tournament.json").read_text(encoding="utf-8"))
    (found,) = told["results"]
    assert found["players"] == 3
    assert found["games"] == found["deals"] * 24  # 8 orders of 7 tables, 3 rotations
    assert [row["strategy"] for row in found["table"]][-1] == "random"
    frame = pl.read_parquet(out / "tournament.parquet")
    assert frame.columns == list(found["companies"][0])
    assert len(frame) == 7 * 2 + 1  # every table of three seats, and one of all three
    again = cli("tournament", *FEW, "--out", out)
    assert again.code == 2
    assert "exists; name another file, or replace it with --force" in again.err


def test_json_alone_writes_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = cli("tournament", *TWO[:-1], "2,3", "--format", "none", "--json")
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert [found["players"] for found in told["results"]] == [2, 3]
    assert told["command"][:2] == ["equipoise", "tournament"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("deals", [1, 2])
def test_a_deal_or_two_say_only_what_they_can(cli: Cli, deals: int) -> None:
    """Two strategies of which neither dominates are not resampled either; nothing may trip over that."""
    said = cli("tournament", "--strategies", "greedy,random", "--games", 8 * deals, "--format", "none", "--json")
    assert said.code == 0, said.err
    (found,) = json.loads(said.out)["results"]
    assert found["deals"] == deals
    assert all(row["mix_low"] is None for row in found["table"])


def test_names_are_text(cli: Cli, tmp_path: Path) -> None:
    """Titles and descriptions of strategy files may hold anything; the page takes none of it for markup."""
    file = tmp_path / "mine.toml"
    file.write_text(
        'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "mine"\n'
        'title = "<script>alert(1)</script>"\npolicy = "greedy"\nblunder = 0.5\n',
        encoding="utf-8",
    )
    out = tmp_path / "cup"
    short = ("--players", 2, "--games", 200, "--lang", "fr")
    said = cli("tournament", "--strategies", f"{file},random", *short, "--out", out, "--format", "html")
    assert said.code == 0, said.err
    page = (out / "tournament.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "part équitable" in page


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--strategies", "planner"], "--strategies: 'planner' has nobody to play; name two or more"),
        (["--strategies", "planner,planner"], "--strategies: 'planner' is given twice; name each one once"),
        (["--strategies", "planner,greddy"], "; did you mean 'greedy'?"),
        (["--strategies", "planner,nowhere.toml"], "nowhere.toml: no such file"),
        (["--strategies", "random,greedy,miller", "--games", "20"], "20 are too few; 6 tables and orders of 4 players"),
        (["--players", "4,7"], "--players: Middle-Ages is for 2 to 5 players, not 7"),
        (["--players", "four"], "--players: 'four' is not a number"),
        (["--tables", "some"], "Invalid value for '--tables'"),
        (["--tables", "all", "--players", "5", "--games", "1e5"], "or choose the tables 'one-vs-rest'"),
        (["--format", "none,html"], "--format: 'none' writes nothing"),
        (["--format", "none", "--out", "cup"], "--format: 'none' writes nothing"),
        (["--out", "/proc/cup", "--games", "4e9"], "--out: /proc/cup/tournament.html cannot be written"),
        (["--out", "cup.html"], "--out: cup.html names a file; name a folder"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: list[str], says: str) -> None:
    assert says in refused("tournament", *arguments)


def test_interrupted_leaves_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(playing, "resumable", stopped)
    said = cli("tournament", *FEW, "--out", tmp_path / "cup")
    assert said.code == 130
    assert said.err == "interrupted: what was played is kept; run the same command again to continue\n"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_takes_the_first_free_number(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        assert cli("tournament", *TWO, "--format", "json").code == 0
        assert (tmp_path / f"runs/middle-ages-tournament-{number}/tournament.json").is_file()


def test_all_quick_strategies_play_where_none_is_named() -> None:
    from simcore.game import load_game
    from strategies.library import quick_strategies

    game = load_game("middle-ages")
    assert [one.name for some in enter(game, []) for one in some] == quick_strategies(game)


def test_the_players_up_to_a_skill_play_beside_those_that_are_named() -> None:
    entered = enter(load_game("middle-ages"), ["warlord"], "club")
    assert [one.name for some in entered for one in some] == ["random", "greedy", "planner", "warlord"]
    by_role = [[one.name for one in some] for some in enter(load_game("seigneurial"), [], "club")]
    assert by_role == [["random", "collector", "bailiff"], ["random", "payer", "gatherer"]]


def test_a_game_with_roles_is_judged_by_role(cli: Cli, tmp_path: Path) -> None:
    line = "bully,schemer,giver,burgher=random"
    said = cli("tournament", "--game", TOY, "--games", "3000", "--strategies", line, "--out", tmp_path, "--no-open")
    assert said.code == 0, said
    assert "warlord=bully" in said.out and "burgher=random" in said.out and "times par" in said.out
    assert "With 4 players" in said.out or "with 4 players" in said.out
    page = (tmp_path / "tournament.html").read_text(encoding="utf-8")
    assert "Warlord against Burgher" in page and "Burgher against Warlord" in page
    (found,) = json.loads((tmp_path / "tournament.json").read_text(encoding="utf-8"))["results"]
    assert {(one["role"], one["strategy"]) for one in found["table"]} == {
        ("warlord", "bully"),
        ("warlord", "schemer"),
        ("burgher", "giver"),
        ("burgher", "random"),
    }
    assert {one["role"] for one in found["companies"]} == {"warlord", "burgher"}


def test_each_role_is_played_by_all_quick_strategies_that_can_where_none_is_named() -> None:
    entered = enter(load_game(TOY), [])
    assert [[one.name for one in some] for some in entered] == [
        ["bully", "random", "schemer"],
        ["giver", "random", "steward", "warden"],
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("bully,schemer", "--strategies: nobody plays the role 'burgher'; write burgher=NAME"),
        ("bully,giver", "--strategies: every role has one strategy; name two or more for one of them"),
        ("bully,random", "--strategies: 'random' can play every role; write warlord=random or burgher=random"),
        ("burgher=bully,giver", "--strategies: 'bully' plays the role 'warlord', not 'burgher'"),
        ("lord=bully,giver", "--strategies: Siege has no role 'lord'"),
        ("bully,giver,burgher=giver", "--strategies: 'giver' is given twice"),
    ],
)
def test_line_ups_by_role_that_cannot_be_are_told_in_one_line(cli: Cli, line: str, told: str) -> None:
    said = cli("tournament", "--game", TOY, "--games", "3000", "--strategies", line, "--format", "none")
    assert said.code == 2
    assert told in said.err and said.err.count("\n") == 1
