"""`equipoise log`: every run and experiment of a folder, how far apart its seats are, and what cannot be read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path

import pytest

import equipoise as eq
from reports.page import Table
from tests.equipoise.conftest import Cli

PLAYED = ("--strategies", "greedy", "--games", 400)
MORE = "starting_coins.2=60"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, the same with a change, and a comparison of the two rule sets."""
    folder = tmp_path_factory.mktemp("project") / "runs"
    eq.simulate(strategies="greedy", games=400, out=folder / "first")
    eq.simulate(strategies="greedy", games=400, settings=MORE, out=folder / "second" / "run")
    found = eq.compare("base", settings=MORE, strategies="greedy", games=400)
    (path,) = found.save(folder / "compared", "json")
    later = path.stat().st_mtime + 60  # runs know when they began to the second
    os.utime(path, (later, later))
    return folder


def test_every_run_and_experiment_with_its_tilt(cli: Cli, project: Path) -> None:
    told = json.loads(cli("log", project, "--json").out)
    assert told["problems"] == []
    first, second, compared = told["entries"]
    assert [entry["what"] for entry in told["entries"]] == ["run", "run", "comparison"]
    assert [entry["changed"] for entry in told["entries"]] == ["", MORE, f"base with {MORE}"]
    apart = astuple(eq.seat_advantage(eq.load(project / "first")).distance)
    assert (first["after"], first["after_low"], first["after_high"]) == pytest.approx(apart)
    assert first["before"] is None
    assert (compared["before"], compared["after"]) == pytest.approx((first["after"], second["after"]))
    assert compared["after_low"] <= compared["after"] <= compared["after_high"]
    assert "looks furthest off" in first["verdict"]
    assert first["games"] == 400


def test_the_terminal_and_the_page(cli: Cli, project: Path, tmp_path: Path) -> None:
    page = tmp_path / "log.html"
    said = cli("log", project, "--out", page, "--lang", "fr", "--no-open")
    assert said.code == 0, said
    french = " ".join(said.out.replace("\u00a0", " ").replace("\u202f", " ").split())
    assert french.count("écart du meilleur au pire : ") == 3 and "changé : 60 pièces pour le siège 2" in french
    said = " ".join(cli("log", project).out.split())
    assert said.count("best and worst apart: ") == 3 and "changed: 60 coins for seat 2" in said
    assert re.search(r"Middle-Ages, best so far at 4 players \(greedy\): .*points of the wins apart; ", said)
    text = page.read_text(encoding="utf-8")
    assert "Ce qui a été essayé" in text and "<svg" in text
    assert "base : 60 pièces pour le siège 2" in text.replace("\u202f", " ") and "base with" not in text
    again = cli("log", project, "--out", page, "--no-open")
    assert again.code == 2 and "--force" in again.err
    assert cli("log", project, "--out", page, "--no-open", "--force").code == 0


def test_it_finds_the_runs_where_they_are(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.parent)
    log = json.loads(cli("log", "--json").out)
    assert len(log["entries"]) == 3
    fairest = min(log["entries"], key=lambda entry: entry["after"])
    assert log["best"] == [fairest["path"]]


def test_runs_of_other_players_are_no_better(cli: Cli, tmp_path: Path) -> None:
    for name, who in (("first", "random"), ("second", "random"), ("other", "greedy")):
        settings = MORE if name == "second" else ()
        eq.simulate("middle-ages", strategies=who, games=400, settings=settings, out=tmp_path / name)
    log = json.loads(cli("log", tmp_path, "--json").out)
    assert sorted(entry["strategies"] for entry in log["entries"]) == ["greedy", "random", "random"]
    (fairest,) = log["best"]
    assert Path(fairest).name in ("first", "second")


def test_the_page_says_of_each_game_what_is_known_and_what_changed_in_its_words(cli: Cli, tmp_path: Path) -> None:
    for game, settings in (("middle-ages", MORE), ("medievallons", ())):
        eq.simulate(game, strategies="random", games=400, settings=settings, out=tmp_path / game)
    report = eq.log(tmp_path).report()
    assert sorted(sentence.text.partition(": ")[0] for sentence in report.verdicts) == ["Middle-Ages", "Médiévallons"]
    tables = [block for section in report.sections for block in section.blocks if isinstance(block, Table)]
    assert "60 coins for seat 2" in {datum.text for table in tables for row in table.rows for datum in row}


def test_what_is_damaged_is_named_and_the_rest_is_listed(cli: Cli, project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    damaged = ("{", '{"game": "<script>", "seats": [{"par": 0}]}', "[" * 100_000, '{"game": "x", "strategies": [{}]}')
    for name, text in zip(("a", "b", "c", "f"), damaged, strict=True):
        (folder / name).mkdir(parents=True)
        (folder / name / "comparison.json").write_text(text)
    (folder / "d").mkdir()
    (folder / "d" / "manifest.json").write_text("{}")
    (folder / "e").mkdir()
    (folder / "e" / "sweep.json").write_text('{"game": "<b>x</b>", "results": [{"players": 4, "verdicts": ["<i>"]}]}')
    (folder / "link").symlink_to(project / "first")
    page = tmp_path / "log.html"
    said = cli("log", folder, "--out", page, "--no-open")
    assert said.code == 0
    assert said.out.count("Not read: ") == 5
    assert "sweep, <b>x</b>, 4 players" in said.out and "run, " not in said.out
    assert "<b>x</b>" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("missing",), "missing: no such folder"),
        ((".",), "contains no run and no experiment"),
        ((".", "--out", "log.txt"), "must end in .html"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused("log", *arguments)
