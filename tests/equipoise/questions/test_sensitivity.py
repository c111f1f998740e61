"""`equipoise sensitivity`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from tests.equipoise.conftest import Cli


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "cells"
    folder.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: folder)


LINE = ("sensitivity", "--strategies", "greedy", "--games", 400)


def test_one_sentence_a_switch_in_the_terminal_and_on_the_page(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "page"
    said = cli(*LINE, "--out", out, "--format", "html,json,parquet", "--lang", "fr")
    assert said.code == 0, said
    told = " ".join(said.out.split())
    for switch in ("shortfall", "final_floor", "plot_token_supply", "slot_capacity", "event_loss", "tiles"):
        assert told.count(switch) >= 1
    assert all(len(line) <= 80 for line in said.out.splitlines() if str(tmp_path) not in line)
    assert "le vainqueur change dans" in told and "graine du hasard" in told and "seed" not in told
    page = (out / "sensitivity.html").read_text(encoding="utf-8")
    assert "lectures possibles" in page and "<svg" in page
    found = json.loads((out / "sensitivity.json").read_text(encoding="utf-8"))["results"][0]
    assert len(found["verdicts"]) == len(found["table"]) == 6
    assert pl.read_parquet(out / "sensitivity.parquet").height == len(found["variants"]) == 5 + 3
    same = eq.sensitivity(strategies="greedy", games=400)
    assert same.table["difference"].to_list() == [row["difference"] for row in found["table"]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--only", "shortfal"), "did you mean 'shortfall'"),
        (("--shuffles", "0"), "give a whole number from 1 to 100"),
        (("--margin", "many"), "is not a margin"),
        (("--rules", "missing"), "no rules 'missing'"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused("sensitivity", *arguments)
