"""`equipoise compare`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from reports.pages.compare import SHOWN, first_rows
from reports.words import ENGLISH
from tests.brief import tune_briefly
from tests.equipoise.conftest import Cli

MORE = "starting_coins=[0,60,0,0,0]"
GREEDY = ("--strategies", "greedy", "--games", 400)


def test_prints_whether_it_helped_each_seat_and_what_else_moved(cli: Cli) -> None:
    said = cli("compare", "base", "--set", MORE, *GREEDY, "--format", "none")
    assert said.code == 0, said
    lines = [line.strip() for line in said.out.splitlines()]
    assert "versions: base; base: 60 coins for seat 2 ·" in " ".join(said.out.split())
    assert [line.split()[0] for line in lines if line[1:3] == "  "] == ["1", "2", "3", "4"]
    told = " ".join(said.out.split())
    assert "the best and the worst seat were" in lines[2] and "Seat 2 moves most: it wins" in told
    assert "What else moved: " in told
    assert all(len(line) <= 80 for line in said.out.splitlines())


def test_json_and_files_hold_the_same(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "page"
    arguments = ("compare", "base", "--set", MORE, *GREEDY, "--out", out, "--format", "html,csv,json", "--lang", "fr")
    told = json.loads(cli(*arguments, "--json").out)
    assert [version["label"] for version in told["versions"]] == ["base", f"base with {MORE}"]
    assert [row["seat"] for row in told["seats"]] == [1, 2, 3, 4]
    assert told["moved"] and len(told["verdicts"]) == 2 and told["cautions"] == []
    assert json.loads((out / "comparison.json").read_text(encoding="utf-8"))["seats"] == told["seats"]
    page = (out / "comparison.html").read_text(encoding="utf-8")
    assert "Le siège 2 bouge le plus\u202f: il gagne" in page and "<svg" in page
    assert "base : 60 pièces pour le siège 2" in page.replace("\u202f", " ")
    assert "base with" not in page
    assert any((out / "comparison-data").iterdir())
    significant = sum(row["p_holm"] is not None and row["p_holm"] < 0.05 for row in told["moved"])
    assert ("Le tableau montre les" in page) == (significant > SHOWN)
    same = eq.compare("base", settings=MORE, strategies="greedy", games=400)
    assert [row["difference"] for row in told["seats"]] == pytest.approx(same.table["difference"].to_list())


def test_a_caption_says_how_many_rows_are_shown_only_if_some_are_not() -> None:
    rows = pl.DataFrame({"size": range(38)})
    assert first_rows(ENGLISH, rows.head(SHOWN), rows) == " The table shows the first 25."
    assert first_rows(ENGLISH, rows.head(5), rows.head(5)) == ""


def test_players_are_tuned_for_each_version_unless_habit_will_do(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tune_briefly(monkeypatch.setattr)
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: tmp_path)
    gentle = ("compare", "base", "gentler-barracks", "--players", 2, "--games", 300, "--format", "none")
    said = cli(*gentle, "--retune", 1)
    assert "half a point needs" in said.err, "the columns are sized before they are played"
    told = " ".join(said.out.split())
    assert "players by habit" in told and "players tuned for each version" in told
    assert "with 2 players" in told and "(1 generation, 3 seeds)" in told
    assert "By habit: " in said.err and "--habit answers without it" in said.err
    assert "among players hardly tuned for the change" in told and "hardly tuned for the present rules" in told
    both = json.loads(cli(*gentle, "--retune", 1, "--json").out)
    assert {row["who"] for row in both["seats"]} == {"habit", "known"}
    assert [player["was"] for player in both["retuned"]] == ["champion"] * 3
    assert all(player["hardly_tuned"] and player["kept_from_before"] for player in both["retuned"])
    assert "Of 3 tuned players, 3 are kept from an earlier tuning" in " ".join(both["notes"])
    quick = json.loads(cli(*gentle, "--habit", "--json").out)
    assert {row["who"] for row in quick["seats"]} == {"habit"}
    assert "It plays by habit" in quick["cautions"][0]


def test_a_report_on_two_runs_says_the_same_sentence(cli: Cli, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, more in ((old, ()), (new, ("--set", MORE))):
        assert cli("simulate", "--players", 2, *GREEDY, "--out", folder, *more).code == 0
    sentence, _ = json.loads(cli("compare", old, new, "--format", "none", "--json").out)["verdicts"]
    assert "the best and the worst seat were" in sentence
    named = sentence.replace(str(old), "old").replace(str(new), "new")  # a page names no folder of its maker's machine
    assert named in cli("report", old, new, "--deals", 20, "--format", "csv").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("base",), "--set: there is one version"),
        (("base", "--set", "effects.mill_coin=3"), "mill_coins"),
        (("base", "gentler-baracks"), "did you mean 'gentler-barracks'?"),
        (("base", "gentler-barracks", "--retune", "soon"), "--retune: 'soon'"),
        (("base", "gentler-barracks", "--habit", "--retune", "9s"), "--retune: with habit, no players are tuned"),
        (("base", "nowhere.toml"), "nowhere.toml: no such file"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    refused: Callable[..., str], arguments: tuple[str, ...], told: str
) -> None:
    assert told in refused("compare", *arguments)


def test_a_folder_that_is_no_run_and_options_that_a_run_answers_are_refused(
    cli: Cli, refused: Callable[..., str], tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert "not a run folder" in refused("compare", folder, "base")
    run = eq.simulate(strategies="greedy", games=80, out=tmp_path / "run").run
    assert run is not None
    assert refused("compare", run.folder, "base", "--games", 100).startswith("--games: the runs say what was played")
    with pytest.raises(eq.UsageError, match="seed: the runs say what was played"):
        eq.compare(run, "base", seed=2)
