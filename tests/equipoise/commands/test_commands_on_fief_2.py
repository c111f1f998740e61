"""Fief 2 on the command line: every command that plays works for it, with few games."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.check.baseline import signed
from tests.brief import tune_briefly
from tests.equipoise.conftest import Cli
from tests.referee.fief_2 import check

GAME = ("--game", "fief-2", "--players", 4)
MIXED = "steward,random,steward,random"
COLUMNS = ("seat", "score", "money", "villages", "titles", "share60")


def answer(cli: Cli, command: str, *arguments: object) -> Any:
    """Return what a command says in JSON."""
    said = cli(command, *GAME, "--json", *arguments)
    assert said.code == 0, said.err
    return json.loads(said.out)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_simulate_writes_rows_and_events(form: str, cli: Cli, tmp_path: Path) -> None:
    """Score, money, villages and titles by seat; fights, deaths, elections and purchases."""
    line = (
        "--games",
        60,
        "--strategies",
        MIXED,
        "--format",
        form,
        "--tables",
        "events",
        "--out",
        tmp_path / "run",
    )
    assert cli("simulate", *GAME, *line).code == 0
    run = eq.load(tmp_path / "run")
    rows = run.polars().select(COLUMNS).collect()
    assert rows.height == 240 and rows["share60"].sum() == 60 * 60
    assert rows["titles"].max() > 0 and rows["villages"].sum() <= 60 * 24 and rows["money"].min() >= 0
    log = eq.replay(run, 7).records
    assert rows[28:32]["score"].to_list() == log[-1]["score"]
    assert rows[28:32]["titles"].to_list() == log[-2]["titles"]
    told = run.events().collect()
    counts = dict(told.filter(pl.col("game_id") == 7)["kind"].value_counts().rows())
    assert counts["death"] == sum(record.get("status") == "dead" for record in log)
    bought = [record for record in log if record.get("name") == "buy" and record["choice"]]
    assert counts["purchase"] == len(bought)
    assert counts["standing"] == 15 * 4
    assert {"fight", "result", "election"} <= set(told["kind"])


def test_a_long_game_of_six_replays_as_text_and_as_a_log(cli: Cli, tmp_path: Path) -> None:
    """25 turns at 6 players."""
    line = (
        "--game",
        "fief-2",
        "--players",
        6,
        "--strategies",
        f"{MIXED},random,random",
        "--set",
        "turns=25",
        "--index",
        3,
    )
    text = cli("replay", *line)
    assert text.code == 0 and "Turn 25" in text.out
    log = tmp_path / "game.jsonl"
    assert cli("replay", *line, "--format", "jsonl", "--out", log).code == 0
    records = [json.loads(row) for row in log.read_text(encoding="utf-8").splitlines()]
    assert records[-1]["turn"] == 25 and check(records) == []


def test_a_tournament(cli: Cli, tmp_path: Path) -> None:
    line = ("--games", 240, "--strategies", "steward,random", "--format", "json", "--out", tmp_path)
    assert cli("tournament", *GAME, *line).code == 0
    (found,) = json.loads((tmp_path / "tournament.json").read_text(encoding="utf-8"))["results"]
    assert [row["strategy"] for row in found["table"]] == ["steward", "random"]


def test_a_comparison_says_what_a_price_does(cli: Cli) -> None:
    line = (
        "base",
        "--set",
        "prices.mill=3000",
        "--games",
        100,
        "--strategies",
        "steward",
        "--habit",
        "--format",
        "none",
    )
    found = answer(cli, "compare", *line)
    assert [row["seat"] for row in found["seats"]] == [1, 2, 3, 4]
    assert sum(row["difference"] for row in found["seats"]) == pytest.approx(0)


def test_a_steward_without_mills_loses(cli: Cli) -> None:
    found = answer(cli, "restrict", "--games", 300, "--strategy", "steward", "--forbid", "mill", "--format", "none")
    (row,) = found["results"][0]["table"]
    assert row["restriction"] == "mill" and row["changed"] > 0.2 and row["cost"] > 0


def test_a_player_is_tuned(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tune_briefly(monkeypatch.setattr, 80)
    out = tmp_path / "tuned.toml"
    line = (
        "--start-from",
        "banker",
        "--against",
        "steward",
        "--budget",
        1,
        "--games",
        60,
        "--population",
        4,
        "--out",
        out,
    )
    answer(cli, "tune", *line)
    assert (
        answer(cli, "simulate", "--games", 20, "--strategies", f"{out},steward,steward,steward", "--format", "none")[
            "games"
        ]
        == 20
    )


def test_check_finds_that_placing_first_became_worth_more(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cards do to the score takes most of a check, and is left out of this one."""
    monkeypatch.setattr("analysis.check.checking.CARD_PART", 1000)
    file = tmp_path / "small.toml"
    line = ("--game", "fief-2", "--players", 3, "--update", "--strategies", "steward", "--games", 1000)
    assert cli("check", file, *line).code == 0
    text = re.sub("^card_score = .*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    file.write_text(signed(text), encoding="utf-8")
    said = cli("check", file, "--set", "scores.duke=500", "--json")
    assert said.code == 1, said.out
    (checked,) = json.loads(said.out)["checks"]
    assert "score" in [row["measure"] for row in checked["findings"] if row["verdict"] == "fail"]


def test_bench(cli: Cli) -> None:
    found = answer(cli, "bench", "--only", "speed", "--strategies", "random", "--seconds", 0.05)
    assert found["speed"][0]["games_per_second"] > 0
