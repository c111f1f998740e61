"""`simulate`: what it prints and what it leaves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from equipoise.cli import run, simulate_app
from simcore.game import DETAILS
from tests.equipoise.conftest import Cli

RANDOM = ("--strategies", "random")
MIXED = ("--strategies", "greedy,random,random,random")


def summary(cli: Cli, *arguments: object) -> dict[str, Any]:
    said = cli("simulate", *arguments, "--json")
    assert (said.code, said.err) == (0, "")
    return json.loads(said.out)


def test_prints_who_wins_from_which_seat(cli: Cli, tmp_path: Path) -> None:
    said = cli("simulate", "--games", "2000", *MIXED, "--seed", 3, "--out", tmp_path / "run")
    lines = [line.rstrip() for line in said.out.splitlines()]
    assert (said.code, said.err) == (0, "")
    assert lines[0] == "Middle-Ages, 4 players, rules 'base', greedy against random, seed 3"
    assert lines[1].startswith("2,000 games in ")
    assert lines[2].split() == ["seat", "wins", "95", "%", "interval", "of", "par", "mean", "coins"]
    assert [line.split()[0] for line in lines[3:7]] == ["1", "2", "3", "4"]
    assert [line.split()[0] for line in lines[7:10]] == ["strategy", "greedy", "random"]
    assert "500 whole deals (2,000 games)" in said.out
    assert f"Digest    {eq.load(tmp_path / 'run').manifest.digest}" in lines
    assert all(len(line) <= 80 for line in lines if str(tmp_path) not in line)


@pytest.mark.parametrize("columns", ["20", "40", "80"])
def test_no_figure_is_cut_in_a_narrow_terminal(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """Bars go first; then the terminal wraps the lines.  Paths and digests stay in one piece for the clipboard."""
    monkeypatch.setenv("COLUMNS", columns)
    out = tmp_path / ("long" * 30)
    lines = cli("simulate", "--games", 400, *MIXED, "--out", out).out.splitlines()
    assert [len(re.findall(r"\d%", line)) for line in lines if re.match(r"(\d|greedy|random) .*%", line)] == [3] * 6
    assert not any("…" in line for line in lines)
    assert any("█" in line for line in lines) == (columns == "80")
    assert f"Table     {out}" in lines
    assert any(re.fullmatch(r"Digest    [0-9a-f]{64}", line) for line in lines)


def test_names_what_was_changed(cli: Cli) -> None:
    said = cli(
        "simulate", "--games", 50, *RANDOM, "--set", "shortfall=debt", "--rules", "gentler-barracks", "--format", "none"
    )
    assert "rules 'gentler-barracks' with shortfall=debt, random, seed 1" in " ".join(said.out.split())
    assert "Table" not in said.out


def test_shares_are_those_of_the_table(cli: Cli, tmp_path: Path) -> None:
    told = summary(cli, "--games", 2000, *MIXED, "--out", tmp_path / "run")
    frame = eq.load(tmp_path / "run").polars().collect()
    for estimate, (_, seat) in zip(told["seats"], sorted(frame.group_by("seat")), strict=True):
        assert estimate["win_share"] == pytest.approx(seat["share60"].mean() / 60)
        assert estimate["mean_score"] == pytest.approx(seat["coins"].mean())
        assert estimate["low"] < estimate["win_share"] < estimate["high"]
        assert estimate["par"] == 0.25
    for estimate, name in zip(told["by_strategy"], ("greedy", "random"), strict=True):
        assert estimate["name"] == name
        won = frame.filter(pl.col("strategy") == name)["share60"].sum() / 60 / 2000
        assert estimate["win_share"] == pytest.approx(won)
    assert told["by_strategy"][0]["par"] == 0.25
    assert (told["games"], told["deals"], told["out"]) == (2000, 500, str(tmp_path / "run"))


@pytest.mark.parametrize("design", ["rotate", "fixed", "shuffle"])
@pytest.mark.parametrize("games", [1, 3, 10, 1001])
def test_one_row_a_game_and_seat(cli: Cli, tmp_path: Path, design: str, games: int) -> None:
    """Also where the last deal is cut short."""
    told = summary(cli, "--games", games, *MIXED, "--design", design, "--out", tmp_path / "run")
    frame = eq.load(tmp_path / "run").polars().select("game_id", "deal_id", "seat").collect()
    per_deal = 4 if design == "rotate" else 1
    assert frame["game_id"].to_list() == [game for game in range(games) for _ in range(4)]
    assert frame["deal_id"].to_list() == [game // per_deal for game in range(games) for _ in range(4)]
    assert frame["seat"].to_list() == [1, 2, 3, 4] * games
    assert told["deals"] == games // per_deal
    if told["deals"] == 0:
        assert told["seats"][0]["win_share"] is None


def test_too_few_games_say_nothing(cli: Cli) -> None:
    said = cli("simulate", "--games", 3, *MIXED, "--format", "none")
    assert said.code == 0
    assert "Too few deals to say anything" in said.out
    assert "nan" not in said.out
    said = cli("simulate", "--games", 1, *RANDOM, "--format", "none")
    assert "1 game. Ties are split." in said.out


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write what few games leave in several parts."""
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (960, 122_880))


@pytest.mark.usefixtures("small_parts")
def test_same_arguments_same_digest_on_any_number_of_threads(cli: Cli, tmp_path: Path) -> None:
    base = ("--games", "5e3", *MIXED, "--seed", 5)
    digests = {
        summary(cli, *base, *more)["digest"]
        for more in (
            ("--format", "none"),
            ("--format", "none", "--threads", 1),
            ("--format", "none", "--threads", 2),
            ("--out", tmp_path / "a", "--threads", 3, "--detail", "full"),
            ("--out", tmp_path / "b", "--format", "csv", "--detail", "minimal"),
        )
    }
    assert len(digests) == 1
    assert summary(cli, *base[:-1], 6, "--format", "none")["digest"] not in digests
    one, two = (pl.read_parquet(tmp_path / "a" / "games" / "*.parquet") for _ in range(2))
    assert one.equals(two)


@pytest.mark.usefixtures("small_parts")
def test_files_are_the_same_byte_for_byte(cli: Cli, tmp_path: Path) -> None:
    for name, threads in (("a", 1), ("b", 2)):
        cli("simulate", "--games", 5_000, *MIXED, "--threads", threads, "--out", tmp_path / name)
    for part in eq.load(tmp_path / "a").manifest.parts:
        assert (tmp_path / "a" / part.file).read_bytes() == (tmp_path / "b" / part.file).read_bytes()


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("detail", DETAILS)
def test_csv_and_parquet_hold_the_same(cli: Cli, tmp_path: Path, detail: str) -> None:
    for form in ("parquet", "csv", "both"):
        cli("simulate", "--games", 2_000, *MIXED, "--format", form, "--detail", detail, "--out", tmp_path / form)
    runs = {form: eq.load(tmp_path / form) for form in ("parquet", "csv", "both")}
    frames = {form: loaded.polars().collect() for form, loaded in runs.items()}
    assert frames["parquet"].equals(frames["both"])
    exact = pl.all().exclude(pl.Float32)
    assert frames["csv"].schema == frames["parquet"].schema
    assert frames["csv"].select(exact).equals(frames["parquet"].select(exact))
    for name in frames["csv"].select(pl.col(pl.Float32)).columns:
        assert (frames["csv"][name] - frames["parquet"][name]).abs().max() < 1e-4
    kinds = [sorted({path.suffix for path in (tmp_path / form / "games").iterdir()}) for form in runs]
    assert kinds == [[".parquet"], [".csv"], [".csv", ".parquet"]]


def test_quiet_prints_the_folder_and_nothing_else(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        said = cli("simulate", "--games", 5, "--players", 3, *RANDOM, "-q")
        assert (said.code, said.out, said.err) == (0, f"runs/middle-ages-3p-{number}\n", "")
    said = cli("simulate", "--games", 5, *RANDOM, "--quiet", "--format", "none")
    assert (said.code, said.out) == (0, "")


def test_force_replaces_a_run(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "run"
    cli("simulate", "--games", 20, *RANDOM, "--out", out, "--format", "both")
    assert cli("simulate", "--games", 7, *RANDOM, "--out", out, "--force").code == 0
    assert eq.load(out).manifest.games == 7
    assert [path.name for path in (out / "games").iterdir()] == ["part-000000.parquet"]


def test_an_empty_folder_will_do(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    assert cli("simulate", "--games", 7, *RANDOM, "--out", tmp_path / "run").code == 0


@pytest.mark.parametrize("count", ["100", "1e2", "1_00", "1.0e2", " 100 "])
def test_counts_as_people_write_them(cli: Cli, count: str) -> None:
    assert summary(cli, "--games", count, *RANDOM, "--format", "none")["games"] == 100


def test_simulate_alone_is_the_same(cli: Cli, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = summary(cli, "--games", 100, *MIXED, "--format", "none")
    capsys.readouterr()
    assert run(simulate_app, ["--games", "100", *MIXED, "--json", "--out", str(tmp_path / "alone")]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == told["digest"]
    cli("simulate", "--games", 100, *MIXED, "--out", tmp_path / "sub")
    commands = [eq.load(tmp_path / name).manifest.command for name in ("alone", "sub")]
    assert commands[0] == ["simulate", "--games", "100", *MIXED, "--json", "--out", str(tmp_path / "alone")]
    assert commands[1] == ["simulate", "--games", "100", *MIXED, "--out", str(tmp_path / "sub")]


def test_default_is_the_champion_at_four_seats(cli: Cli) -> None:
    told = summary(cli, "--games", 20, "--format", "none")
    assert (told["strategies"], told["players"], told["rules"], told["seed"]) == (["champion"] * 4, 4, "base", 1)


def test_equal_strategies_need_no_rotation(cli: Cli) -> None:
    """METHODS: a line-up of identical strategies has no rotations; use fresh deals."""
    told = summary(cli, "--games", 40, *RANDOM, "--format", "none", "--design", "rotate")
    assert (told["design"], told["deals"]) == ("fixed", 40)


def test_odd_file_names_are_survived(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "run é [red]\x1b"
    said = cli("simulate", "--games", 5, *RANDOM, "--out", out, "--format", "csv")
    assert said.code == 0
    assert "[red]" in said.out
    assert eq.load(out).polars().collect().height == 20
    assert cli("export", out, "--out", tmp_path / "*.csv").code == 0


def test_replay_of_a_run_is_its_row(cli: Cli, tmp_path: Path) -> None:
    cli("simulate", "--games", 30, *MIXED, "--set", "shortfall=debt", "--seed", 9, "--out", tmp_path / "run")
    frame = eq.load(tmp_path / "run").polars().collect()
    log = cli("replay", tmp_path / "run", "--index", 13, "--format", "jsonl").out.splitlines()
    header, end = json.loads(log[0]), json.loads(log[-1])
    rows = frame.filter(pl.col("game_id") == 13)
    assert header["strategies"] == rows["strategy"].to_list()
    assert header["options"]["shortfall"] == "debt"
    assert end["final"] == rows["coins"].to_list()
    assert end["place"] == rows["place"].to_list()
    assert header["events"] == [rows[f"event_{slot}"][0] for slot in range(1, 5)]


def test_help_names_every_option_with_examples(cli: Cli) -> None:
    said = cli("simulate", "--help")
    assert said.code == 0
    for option in ("--games", "--strategies", "--set", "--threads", "--design", "--detail", "--json", "--quiet"):
        assert option in said.out
    assert "Examples:" in said.out
    assert "simulate --games 1e6" in said.out


def test_version(cli: Cli) -> None:
    said = cli("--version")
    assert said.code == 0
    assert [line.split()[0] for line in said.out.splitlines()][:2] == ["equipoise", "python"]


def test_without_a_command_the_help_is_printed(cli: Cli) -> None:
    said = cli()
    assert (said.code, said.err) == (0, "")
    assert "Usage:" in said.out


def test_says_who_was_tuned_for_other_rules(cli: Cli) -> None:
    """Under gentler Barracks the champion's seat 1 looks too weak; players who know the rule win too much there."""
    gentler = ("--games", 200, "--rules", "gentler-barracks", "--format", "none")
    printed = " ".join(cli("simulate", *gentler).out.split())
    assert "champion was tuned for the rules 'base', and the present rules differ (effects.barracks_buries)." in printed
    assert "even the sign of a result can be wrong" in printed
    (habit,) = summary(cli, *gentler)["habits"]
    assert (habit["strategy"], habit["tuned_for"]) == ("champion", "base")
    assert habit["changed"] == ["effects.barracks_buries"]
    assert f"{habit['warning']} --retune 15 tunes such players for the present rules first." in printed


@pytest.mark.parametrize("options", [("--rules", "gentler-barracks", "--strategies", "greedy"), ("--rules", "base")])
def test_says_nothing_of_players_without_a_habit(cli: Cli, options: tuple[str, ...]) -> None:
    assert "tuned for" not in cli("simulate", "--games", 200, *options, "--format", "none").out
    assert summary(cli, "--games", 200, *options, "--format", "none")["habits"] == []
