"""`--retune` of the commands: players who know the rules in hand play, and what was tuned is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import equipoise as eq
from strategies.tuning import retune, search, steps
from tests.equipoise.conftest import Cli

GENTLE = ("--rules", "gentler-barracks")
SMALL = ("--players", 2, "--games", 200)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Fewer games where the number does not matter, and a folder of its own for what is kept."""
    for name in ("TRIAL_GAMES", "FINAL_GAMES", "SCORE_GAMES"):
        monkeypatch.setattr(search, name, 240)
    monkeypatch.setattr(retune, "GAMES", 60)
    monkeypatch.setattr(steps, "GAMES", 12)
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(retune, "beside_kernels", lambda name: folder)


def test_simulate_plays_with_players_who_know_the_rules(cli: Cli, tmp_path: Path) -> None:
    said = cli("simulate", *GENTLE, *SMALL, "--retune", 1, "--out", tmp_path / "run")
    assert (said.code, said.err) == (0, "")
    printed = " ".join(said.out.split())
    assert "rules 'gentler-barracks', champion_retuned, seed 1" in printed
    assert "at 2 players (1 generation, " in printed
    assert "It plays by habit" not in printed
    run = eq.load(tmp_path / "run")
    assert run.manifest.strategies == ["champion_retuned"] * 2
    assert "--retune" in run.manifest.command
    told = json.loads(cli("simulate", *GENTLE, *SMALL, "--retune", 1, "--format", "none", "--json").out)
    assert told["habits"] == []
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
    from reports.field import plan

    monkeypatch.setattr(reporting, "plan", lambda *given: [item for item in plan(*given) if "2p" in item.name])
    seen: list[tuple[str, ...]] = []

    def stop(planned: list[object], *rest: object) -> None:
        seen.extend(item.spec.strategies for item in planned)  # type: ignore[attr-defined]
        raise eq.UsageError("enough")

    monkeypatch.setattr(reporting, "_simulated", stop)
    said = cli("report", "--game", "middle-ages", "--games", 200, *GENTLE, "--retune", 1, "--out", tmp_path / "page")
    assert said.err.endswith("error: enough\n")
    assert ("champion_retuned",) * 2 in seen and ("random",) * 2 in seen
    assert said.err.count("champion tuned for these rules") + said.err.count("No better player") == 1


def test_report_refuses_to_tune_for_runs_that_were_played(refused: Callable[..., str]) -> None:
    assert refused("report", "runs/first", "--retune", "60s").startswith("--retune: the runs say what was played")


def test_check_judges_with_players_who_know_the_rules(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = ("--game", "middle-ages", "--players", "2", "--strategies", "champion", "--games", "2000")
    assert cli("check", "--update", *first).code == 0
    gentle = ("--set", "effects.barracks_buries=false", "--games", "2000", "--json")
    by_habit, knowing = (json.loads(cli("check", *gentle, *more).out)["checks"][0] for more in ((), ("--retune", 2)))
    assert [habit["strategy"] for habit in by_habit["habits"]] == ["champion"] and by_habit["retuned"] == []
    assert knowing["habits"] == [] and [player["was"] for player in knowing["retuned"]] == ["champion"]
    assert [item["measure"] for item in by_habit["findings"]] == [item["measure"] for item in knowing["findings"]]
    if knowing["retuned"][0]["better"]:
        assert [item["now"] for item in by_habit["findings"]] != [item["now"] for item in knowing["findings"]]
    assert json.loads(cli("check", "--json", "--retune", 2).out)["checks"][0]["retuned"] == []
    assert "--retune: not with --update" in cli("check", "--update", "--retune", "60s").err
