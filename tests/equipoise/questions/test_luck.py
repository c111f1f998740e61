"""`equipoise luck`: its page in both languages, its files, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.equipoise.conftest import Cli

FEW = ("--strategies", "greedy", "--games", "800")


def test_page_and_files(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "luck"
    said = cli("luck", *FEW, "--out", out, "--format", "html,md,csv,json,parquet", "--no-open")
    assert said.code == 0, said.err
    told = " ".join(said.out.split())
    assert told.startswith("Middle-Ages: decisions and luck What decides the outcome at tables of 4")
    assert "Among players who are alike, luck decides who wins: first stack" in told
    assert "The largest part: first stack, with " in told
    assert "Name several strategies" in told
    page = (out / "luck.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 1 and "Event deck" in page
    (found,) = json.loads((out / "luck.json").read_text(encoding="utf-8"))["results"]
    assert found["games"] == 800
    assert sum(row["part"] for row in found["table"]) == pytest.approx(1)
    assert pl.read_parquet(out / "luck.parquet")["source"].to_list() == [row["source"] for row in found["table"]]


def test_players_who_differ_decide_a_part(cli: Cli) -> None:
    few = ("--strategies", "random,greedy", "--players", "2", "--games", "1000", "--format", "none")
    said = cli("luck", *few)
    assert said.code == 0, said.err
    assert said.out.split("\n")[2].startswith("The players decide ") and "who plays" in said.out
    said = cli("luck", *few, "--lang", "fr")
    assert "Les joueurs décident de " in said.out and "qui joue" in said.out


def test_a_game_with_roles_and_a_game_for_chips(cli: Cli) -> None:
    said = cli("luck", "--game", "siege", "--games", "600", "--format", "none")
    assert said.code == 0, said.err
    said = cli("luck", "--game", "kuhn", "--games", "600", "--format", "none")
    assert said.code == 0 and "luck decides what each player gains" in " ".join(said.out.split()), said.err


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (("--games", "3"), "games: 3 games are fewer than one deal, which takes 5; give more"),
        (("--players", "9"), "players"),
        (("--strategies", "champoin"), "champion"),
        (("--skill", "family", "--strategies", "greedy"), "skill: says who plays"),
    ],
)
def test_bad_input(cli: Cli, options: tuple[str, ...], wrong: str) -> None:
    said = cli("luck", *options, "--format", "none")
    assert said.code == 2 and wrong in said.err and len(said.err.strip().splitlines()) == 1
