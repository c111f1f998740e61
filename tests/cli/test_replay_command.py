"""`equipoise replay`: what it writes, where, and what it refuses."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from equipoise.commands.replay import replay as command
from simcore.batch import MAX_GAMES
from simcore.errors import KernelFault, UsageError
from simcore.replay import Replay, replay, replays
from strategies.spec import make_spec
from tests.referee.middle_ages import check_file

app = typer.Typer()
app.command()(command)
RANDOM = ("--strategies", "random")


def run(*arguments: str | int | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def complaint(*arguments: str | int | Path) -> str:
    result = run(*arguments)
    assert isinstance(result.exception, UsageError), result.output
    return str(result.exception)


def test_text_of_one_game_goes_to_standard_output() -> None:
    result = run("--players", 3, "--strategies", "greedy,random,random", "--seed", 7, "--index", 5)
    spec = make_spec(players=3, strategies=["greedy", "random", "random"], seed=7)
    assert result.exit_code == 0
    assert result.stdout == replay(spec, 5).text()


def test_defaults_are_those_of_a_run() -> None:
    assert run().stdout == replay(make_spec(), 0).text()


def test_games_stand_one_after_another() -> None:
    seats, switches = ["random", "greedy"], ["shortfall=debt", "event_loss=top"]
    spec = make_spec(players=2, strategies=seats, settings=switches, design="shuffle", seed=3)
    options = ("--players", 2, "--strategies", "random, greedy", "--seed", 3, "--design", "shuffle")
    which = ("--set", switches[0], "--set", switches[1], "--index", 4, "--count", 3)
    games = list(replays(spec, 4, 3))
    assert run(*options, *which, "--format", "jsonl").stdout == "".join(game.jsonl() for game in games)
    assert run(*options, *which).stdout == "\n\n".join(game.text() for game in games)


def test_rules_file_of_the_user(tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('extends = "base"\nempty_domain_penalty = 3\n', encoding="utf-8")
    spec = make_spec(strategies=["greedy"], settings=["empty_domain_penalty=3"])
    assert (
        run("--strategies", "greedy", "--rules", rules).stdout.splitlines()[-5:]
        == replay(spec, 0).text().splitlines()[-5:]
    )


def test_file_is_written_whole(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = run("--players", 5, "--strategies", "random", "--count", 600, "--format", "jsonl", "--out", out)
    assert (result.exit_code, result.stdout) == (0, "")
    report = check_file(out)
    assert (report["games"], report["violations"]) == (600, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


def test_file_that_exists_is_replaced_only_by_force(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    out.write_text("mine", encoding="utf-8")
    assert complaint(*RANDOM, "--out", out) == f"--out: {out} exists; name another file, or give --force"
    assert out.read_text(encoding="utf-8") == "mine"
    assert run(*RANDOM, "--out", out, "--force").exit_code == 0
    assert out.read_text(encoding="utf-8").startswith("Middle-Ages: game 0 of seed 1")


def test_nothing_is_left_of_a_file_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(played: Replay) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Replay, "jsonl", full)
    out = tmp_path / "game.jsonl"
    said = complaint(*RANDOM, "--format", "jsonl", "--out", out)
    assert said == f"--out: {out} cannot be written: No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(played: Replay) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Replay, "text", interrupted)
    assert run(*RANDOM, "--out", tmp_path / "game.txt").exit_code != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "middle-age"], "--game: no game 'middle-age'; did you mean 'middle-ages'?"),
        (["--players", "6"], "--players: Middle-Ages is for 2 to 5 players, not 6"),
        (["--players", "0"], "--players: Middle-Ages is for 2 to 5 players, not 0"),
        (["--index", "-1"], "--index: -1 is below 0, the first game"),
        (["--count", "0"], "--count: 0; give 1 or more"),
        (["--index", "1000000000000"], f"--index 1000000000000 --count 1: a run has at most {MAX_GAMES:,} games"),
        (["--seed", "-1"], "--seed: -1 is out of range"),
        (["--seed", str(2**64)], f"--seed: {2**64} is out of range"),
        (["--design", "rotat"], "--design: no design 'rotat'; did you mean 'rotate'?"),
        (["--strategies", "greedy,random"], "--strategies: 2 given for 4 players; give one for all, or one a seat"),
        (["--strategies", "gredy"], "--strategies: 'gredy' is no shipped name"),
        (["--strategies", "greedy,,random,random"], "--strategies: '' is no shipped name"),
        (["--set", "shortfal=debt"], "shortfal"),
        (["--rules", "nowhere.toml"], "nowhere.toml: no such file"),
        (["--out", "/nowhere/at/all.txt"], "--out: /nowhere/at/all.txt cannot be written: No such file or directory"),
        (["--out", "/"], "--out: / is a folder; name a file"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    said = complaint(*RANDOM, *arguments)
    assert message in said
    assert "\n" not in said


def test_run_folder_says_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec(players=3, strategies=["random"], seed=5, games=20)
    monkeypatch.setitem(sys.modules, "analysis.runs", SimpleNamespace(load_spec=lambda folder: spec))
    assert run("runs/first", "--index", 19).stdout == replay(spec, 19).text()
    assert complaint("runs/first", "--index", 19, "--count", 2).endswith("run runs/first has games 0 to 19")
    assert complaint("runs/first", "--seed", 5, "--set", "shortfall=debt").startswith(
        "--seed, --set: the run runs/first"
    )


def test_broken_game_is_shown_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec(players=2, strategies=["random"], seed=5)

    def faulty(rules: object, lineup: object, state: dict[str, int], *rest: object) -> int:
        spec.game.play_batch(rules, lineup, state, *rest)
        state["fault"] = 1
        return 0

    broken = replace(spec, game=replace(spec.game, play_batch=faulty))
    monkeypatch.setitem(sys.modules, "analysis.runs", SimpleNamespace(load_spec=lambda folder: broken))
    result = run("runs/first", "--index", 7)
    assert isinstance(result.exception, KernelFault)
    assert "game 7: a policy chose an illegal move" in str(result.exception)
    assert result.stdout.endswith("Fault: a policy chose an illegal move\n")
