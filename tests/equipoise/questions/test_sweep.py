"""`equipoise sweep`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from analysis import precision
from analysis.sweep import sweeping
from tests.brief import tune_briefly
from tests.equipoise.conftest import Cli

MORE = ("--set", "starting_coins.2=0..60:60")
GREEDY = ("--strategies", "greedy", "--games", 400)


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "cells"
    folder.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: folder)


def test_prints_a_line_a_cell_and_what_it_comes_to(cli: Cli) -> None:
    said = cli("sweep", *MORE, *GREEDY, "--target", "seat-2=0.9", "--margin", "40pp", "--format", "none")
    assert said.code == 0, said
    cells = [line.split() for line in said.out.splitlines() if " pts" in line and "%" in line]
    assert [line[-1] for line in cells] == ["no", "no", "yes"]
    assert cells[-1][0] == "60"
    told = " ".join(said.out.split())
    assert "The largest change seen at 4 players (60 coins for seat 2): seat 2 wins" in told
    assert (
        "Of 2 cells, 1 meets the target (seat-2=0.9) with confidence at 4 players, closest to par first: "
        "60 coins for seat 2" in told
    )
    assert all(len(line) <= 80 for line in said.out.splitlines())


def test_files_hold_every_cell(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "page"
    arguments = ("sweep", *MORE, "--set", "effects.mill_coins=1..2", *GREEDY, "--players", "3,4", "--out", out)
    found = json.loads(cli(*arguments, "--format", "html,csv,parquet", "--lang", "fr", "--json").out)
    assert [result["players"] for result in found["results"]] == [3]
    assert len(found["results"][0]["cells"]) == 2 * (1 + 4)
    table = pl.read_parquet(out / "sweep.parquet")
    assert table.height == len(found["results"][0]["table"])
    assert {"starting_coins.2", "effects.mill_coins", "players", "kind", "name", "value", "difference"} <= set(
        table.columns
    )
    page = (out / "sweep.html").read_text(encoding="utf-8")
    assert "balayage (pièces du siège 2" in page and "Écart du meilleur au pire" in page
    assert page.count("<svg") >= 2 * 3


def test_the_next_step_is_about_who_played_the_fairest_cell() -> None:
    """Seat 2 of greedy players stands out by 60 coins; that of random ones does not."""
    result = eq.sweep(
        settings={"starting_coins.2": [0, 60]}, players=[2, 3], strategies=["greedy", "random"], games=400
    )
    (sweep,) = result.results
    best, inputs = sweep.fairest
    assert (best["players"], sweep.lineups[best["lineup"]][0]) == (inputs.players, inputs.strategies[0])
    tried = next(step.command for step in result.report().steps if " mend " in step.command)
    assert f"--players {best['players']}" in tried and f"--strategies {inputs.strategies[0]}" in tried


def test_a_file_says_the_same(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('strategies = ["greedy"]\ngames = 400\n[set]\n"starting_coins.2" = [0, 60]\n')
    told = json.loads(cli("sweep", path, "--format", "none", "--json").out)
    (first,) = told["results"]
    (second,) = json.loads(cli("sweep", *MORE, *GREEDY, "--format", "none", "--json").out)["results"]
    played, again = ([cell.pop("again") for cell in result["cells"]] for result in (first, second))
    assert not all(played) and all(again)
    assert first["cells"] == second["cells"]
    same = eq.sweep(settings={"starting_coins.2": [0, 60]}, strategies="greedy", games=400)
    assert [row["value"] for row in told["results"][0]["table"]] == same.table["value"].to_list()


@pytest.mark.parametrize("option", ["game", "players", "strategies", "rules", "games", "seed", "set"])
def test_options_that_a_file_answers_are_refused(refused: Callable[..., str], tmp_path: Path, option: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('strategies = ["greedy"]\ngames = 400\n[set]\n"starting_coins.2" = [0, 60]\n')
    value = {"game": "middle-ages", "set": "effects.mill_coins=1..2", "strategies": "greedy", "rules": "base"}
    said = refused("sweep", path, f"--{option}", value.get(option, "3"))
    assert said == f"--{option}: the file describes the sweep; leave out the option or the file"


def test_an_interrupted_sweep_goes_on(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real, count = sweeping._play, 0

    def broken(*arguments: object) -> object:
        nonlocal count
        count += 1
        if count == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(sweeping, "_play", broken)
    said = cli("sweep", *MORE, *GREEDY, "--out", tmp_path / "page")
    assert said.code == 130
    assert said.err.endswith("what was played is kept; run the same command again to continue\n")
    assert not list((tmp_path / "page").glob("*"))
    count = 10
    again = cli("sweep", *MORE, *GREEDY, "--out", tmp_path / "page")
    assert again.code == 0
    assert "were played before" in " ".join(again.out.split())


def test_a_long_sweep_asks_first(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "LONG", 0)
    said = cli("sweep", "--set", "effects.mill_coins=3..5", *GREEDY, "--format", "none")
    assert said.code == 2
    assert "this would take about" in said.err and "--yes" in said.err
    assert cli("sweep", "--set", "effects.mill_coins=3..5", *GREEDY, "--format", "none", "--yes").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name a key and its values"),
        (("--set", "effects.mill_coin=1..2"), "did you mean 'mill_coins'"),
        (("--set", "effects.mill_coins=4..1"), "write effects.mill_coins=1..4"),
        (("--set", "effects.mill_coins=-1..2"), "must be 0 or more"),
        (("--set", "effects.mill_coins=1..2", "--target", "seat-9=0.2"), "has no 'seat-9'"),
        (("--set", "effects.mill_coins=1..2", "--target", "seat"), "write seats, camps"),
        (("--set", "effects.mill_coins=1..2", "--margin", "3pp"), "belongs to a target"),
        (("missing.toml",), "no such file"),
        (("--set", "effects.mill_coins=1..2", "--strategies", "greedy|gredy"), "did you mean 'greedy'"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused("sweep", *arguments)


def test_says_before_it_tunes_how_long_that_takes(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    tune_briefly(monkeypatch.setattr, 60)
    few = ("sweep", "--set", "effects.mill_coins=3", "--players", 2, "--games", 300, "--format", "none", "--retune", 1)
    said = cli(*few)
    assert said.code == 0, said
    assert "Tuning champion for the changed rules 3 times, 1 generation each: about" in said.err
    assert "Without --retune, the players play by habit" in said.err
    assert "By habit: " in said.err and "Not tuned for the rules" not in said.out
    assert "3 seeds" in " ".join(said.out.split())
    assert "Tuning" not in cli(*few, "--quiet").err
    assert "kept from before" not in cli(*few, "--seed", 2).err, "the tunings follow the seed"
