"""Siege, a game with roles, camps, many options, hidden hands and no score, goes through every command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from equipoise.cli import app, run
from tests.brief import tune_briefly
from tests.equipoise.conftest import Cli
from tests.toy import TOY

MIXED = "warlord=schemer,burgher=steward,burgher=giver,burgher=random"


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run whose burghers differ."""
    out = tmp_path_factory.mktemp("toy") / "run"
    line = ["simulate", "--game", TOY, "--strategies", MIXED, "--games", "3000", "--quiet", "--out", str(out)]
    assert run(app, line) == 0
    return out


def test_simulate(cli: Cli) -> None:
    said = cli("simulate", "--game", TOY, "--games", "3000", "--format", "none", "--json")
    assert said.code == 0, said
    found = json.loads(said.out)
    assert found["players"] == 4
    assert "mean_score" not in found


@pytest.mark.parametrize("players", [3, 8])
def test_simulate_at_other_tables(cli: Cli, players: int) -> None:
    said = cli("simulate", "--game", TOY, "--players", players, "--games", "2000", "--format", "none")
    assert said.code == 0, said
    assert f"Siege, {players} players" in said.out


def test_the_table_of_a_run_names_roles_and_leaves_out_what_another_role_has(run_folder: Path) -> None:
    table = pl.read_parquet(sorted(run_folder.rglob("*.parquet")))
    burghers = table.filter(pl.col("role") == "burgher")
    assert set(table["role"].unique()) == {"warlord", "burgher"}
    assert set(burghers["camp"].unique()) == {"town"}
    assert burghers["demanded"].null_count() == len(burghers)
    assert burghers["given"].null_count() == 0
    assert (table.group_by("game_id").agg(pl.col("share840").sum())["share840"] == 840).all()


def test_report(cli: Cli, run_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    said = cli("report", run_folder, "--out", out, "--no-open")
    assert said.code == 0, said
    assert "Burgher" in out.read_text(encoding="utf-8")


def test_replay(cli: Cli, run_folder: Path) -> None:
    said = cli("replay", run_folder, "--index", "5")
    assert said.code == 0, said
    assert said.out.startswith("Siege, 4 players")
    assert "demand of " in said.out


def test_export(cli: Cli, run_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.csv"
    said = cli("export", run_folder, "--out", out)
    assert said.code == 0, said
    assert {"role", "camp", "demanded", "given"} <= set(out.read_text(encoding="utf-8").partition("\n")[0].split(","))


def test_check(cli: Cli, tmp_path: Path) -> None:
    baseline = tmp_path / "siege.toml"
    said = cli("check", baseline, "--update", "--game", TOY, "--games", "1000")
    assert said.code == 0, said
    said = cli("check", baseline)
    assert said.code == 0, said


def test_tune(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tune_briefly(monkeypatch.setattr)
    out = tmp_path / "tuned.toml"
    options = (
        "--players",
        "3",
        "--role",
        "burgher",
        "--start-from",
        "steward",
        "--budget",
        "1",
        "--population",
        "4",
        "--games",
        "200",
    )
    said = cli("tune", "--game", TOY, *options, "--out", out)
    assert said.code == 0, said
    assert 'game = "siege"' in out.read_text(encoding="utf-8")


def test_restrict(cli: Cli, tmp_path: Path) -> None:
    options = ("--strategy", "burgher=steward", "--players", "3", "--games", "500", "--out", tmp_path / "restrict")
    said = cli("restrict", "--game", TOY, *options)
    assert said.code == 0, said
    assert "grain" in said.out


def test_compare(cli: Cli) -> None:
    options = "--players", "3", "--games", "300", "--set", "walls=8", "--strategies", "warlord=bully,burgher=giver"
    said = cli("compare", "base", "--game", TOY, *options, "--format", "none", "--json")
    assert said.code == 0, said
    found = json.loads(said.out)
    assert {(row["kind"], row["camp"]) for row in found["seats"]} == {
        ("seat", "warlord"),
        ("seat", "town"),
        ("camp", "warlord"),
        ("camp", "town"),
    }
    assert not [row for row in found["moved"] if row["measure"] == "score"]


def test_sensitivity(cli: Cli) -> None:
    said = cli("sensitivity", "--game", TOY, "--players", "3", "--games", "300", "--format", "none")
    assert said.code == 0, said
    assert "honours=false" in said.out


def test_bench(cli: Cli) -> None:
    said = cli("bench", "--game", TOY, "--players", "3", "--only", "speed", "--seconds", "0.1")
    assert said.code == 0, said


def test_rules(cli: Cli) -> None:
    said = cli("rules", "show", "--game", TOY)
    assert said.code == 0, said
    assert "honours = true" in said.out


@pytest.mark.parametrize(
    ("strategies", "message"),
    [
        ("warlord=giver,burgher=giver", "'giver' plays the role 'burgher' and cannot sit in seat 1"),
        ("warlord=bully", "nobody plays the role 'burgher'"),
        ("warlord=bully,merchant=giver", "no role 'merchant'"),
    ],
)
def test_a_wrong_line_up_is_one_line(refused: Callable[..., str], strategies: str, message: str) -> None:
    assert message in refused("simulate", "--game", TOY, "--strategies", strategies)
