"""`--retune` of the commands: players who know the rules in hand play, and what was tuned is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from equipoise import retuning
from equipoise.output.progress import Progress
from strategies.tuning import retune
from tests.brief import tune_briefly
from tests.equipoise.conftest import Cli
from tests.specs import make_spec
from tests.toy import TOY

GENTLE = ("--rules", "gentler-barracks")
SMALL = ("--players", 2, "--games", 200)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Fewer games where the number does not matter, and a folder of its own for what is kept."""
    tune_briefly(monkeypatch.setattr)
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: folder)


def test_simulate_plays_with_players_who_know_the_rules(cli: Cli, tmp_path: Path) -> None:
    said = cli("simulate", *GENTLE, *SMALL, "--retune", 1, "--out", tmp_path / "run")
    assert (said.code, said.err) == (0, "")
    printed = " ".join(said.out.split())
    assert "rules 'gentler-barracks', champion_retuned, seed 1" in printed
    assert "with 2 players (1 generation, " in printed
    assert "hardly tuned for the present rules (generations: 1)" in printed
    run = eq.load(tmp_path / "run")
    assert run.manifest.strategies == ["champion_retuned"] * 2
    assert "--retune" in run.manifest.command
    told = json.loads(cli("simulate", *GENTLE, *SMALL, "--retune", 1, "--format", "none", "--json").out)
    assert [one["generations"] for one in told["habits"]] == [1]
    (player,) = told["retuned"]
    assert (player["was"], player["players"], player["generations"]) == ("champion", 2, 1)
    assert player["kept_from_before"] and Path(player["path"]).is_file()
    assert told["digest"] == run.manifest.digest


def test_simulate_says_where_there_was_nothing_to_tune(cli: Cli) -> None:
    said = cli("simulate", *SMALL, "--retune", "60s", "--format", "none")
    assert "obody plays by habit here, so nothing was tuned" in said.out


@pytest.mark.parametrize("command", [("simulate",), ("report", "--game", "middle-ages"), ("check",)])
@pytest.mark.parametrize("budget", ["0s", "soon", "-1"])
def test_a_budget_that_cannot_be_is_one_line(
    refused: Callable[..., str], command: tuple[str, ...], budget: str
) -> None:
    assert refused(*command, f"--retune={budget}").startswith("--retune: ")


def test_report_tunes_before_it_simulates(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is played is what matters here; the analyses have tests of their own."""
    from equipoise.api import reporting
    from reports.study.study import plan

    monkeypatch.setattr(reporting, "plan", lambda *given: [item for item in plan(*given) if "2p" in item.name])
    seen: list[tuple[str, ...]] = []

    def stop(planned: list[object], *rest: object) -> None:
        seen.extend(item.spec.strategies for item in planned)
        raise eq.UsageError("enough")

    monkeypatch.setattr(reporting, "play_runs", stop)
    said = cli("report", "--game", "middle-ages", "--games", 200, *GENTLE, "--retune", 1, "--out", tmp_path / "page")
    assert said.err.endswith("error: enough\n")
    assert ("champion_retuned",) * 2 in seen and ("random",) * 2 in seen
    assert said.err.count("champion, hardly tuned for these rules") + said.err.count("Nothing better") == 1


def test_report_refuses_to_tune_for_runs_that_were_played(refused: Callable[..., str]) -> None:
    assert refused("report", ".", "--retune", "60s").startswith("--retune: the runs say what was played")


def test_check_judges_with_players_who_know_the_rules(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = ("--game", "middle-ages", "--players", "2", "--strategies", "champion", "--games", "2000")
    assert cli("check", "--update", *first).code == 0
    gentle = ("--set", "effects.barracks_buries=false", "--games", "2000", "--json")
    by_habit, knowing = (json.loads(cli("check", *gentle, *more).out)["checks"][0] for more in ((), ("--retune", 2)))
    assert [habit["strategy"] for habit in by_habit["habits"]] == ["champion"] and by_habit["retuned"] == []
    assert [one["generations"] for one in knowing["habits"]] == [2]
    assert [player["was"] for player in knowing["retuned"]] == ["champion"]
    assert [item["measure"] for item in by_habit["findings"]] == [item["measure"] for item in knowing["findings"]]
    if knowing["retuned"][0]["better"]:
        assert [item["now"] for item in by_habit["findings"]] != [item["now"] for item in knowing["findings"]]
    assert json.loads(cli("check", "--json", "--retune", 2).out)["checks"][0]["retuned"] == []
    assert "--retune: cannot be combined with --update" in cli("check", "--update", "--retune", "60s").err


def test_ctrl_c_in_a_tuning_leaves_nothing_half_written_and_the_same_command_goes_on(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first tuning ends and is kept; Ctrl-C comes in the middle of the second; another follows with its seed."""
    kept, out, real = tmp_path / "kept", tmp_path / "out", retune.tune
    cells = tmp_path / "cells"
    cells.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: cells if name == "played" else kept)
    began: list[object] = []
    line = ("sweep", "--set", "effects.mill_coins=3", *SMALL, "--retune", 2, "--out", out)

    def pressed(status: object) -> None:
        raise KeyboardInterrupt

    def tuned(plan: Any, budget: Any, threads: int, journal: Any, tick: Any, **options: Any) -> Any:
        began.append(plan)
        return real(plan, budget, threads, journal, pressed if len(began) == 2 else tick, **options)

    monkeypatch.setattr(retune, "tune", tuned)
    said = cli(*line, "--format", "json")
    assert said.code == 130
    assert said.err.splitlines()[-1] == (
        "interrupted: the tuning was not finished; players whose tuning was finished are kept"
    )
    assert not out.exists()
    (first,) = kept.iterdir()
    before = first.read_bytes()
    said = cli(*line, "--format", "json")
    assert said.code == 0, said
    assert len(began) == 4 and began[2].rules.digest == began[1].rules.digest
    assert first.read_bytes() == before and len(list(kept.iterdir())) == 3
    went_on = json.loads((out / "sweep.json").read_text())
    for file in [*kept.iterdir(), *cells.iterdir()]:
        file.unlink()
    assert cli(*line, "--format", "json", "--force").code == 0
    whole = json.loads((out / "sweep.json").read_text())
    assert went_on["results"][0]["table"] == whole["results"][0]["table"], "as if nobody had pressed Ctrl-C"


def test_the_bar_is_full_when_all_roles_are_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two roles, each in two rounds of half the generations; it never goes back."""
    spec = make_spec(4, {"warlord": ["schemer"], "burgher": ["steward"]}, ["walls=5"], game=TOY)
    printed = {"provenance": {"rules_digest": make_spec(game=TOY, strategies=["random"]).rules.digest}}
    spec = replace(spec, strategy_tables=tuple(table | printed for table in spec.strategy_tables))
    totals: list[int] = []
    shown: list[int] = []

    class Bar(Progress):
        def __init__(self, what: str, total: int, *rest: Any) -> None:
            totals.append(total)
            super().__init__(what, total, *rest)

        def update(self, done: int, *rest: Any) -> None:
            shown.append(done)

    monkeypatch.setattr(retuning, "Progress", Bar)
    retuning.retune_all([spec], retuning.find_how(4, 1), quiet=True)
    assert (totals, shown) == ([8], list(range(1, 9)))
