"""`equipoise new-game`: the package that it writes is installed, played, reported and checked at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.equipoise.conftest import Cli
from tests.toy import environment, leave_installed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["1x"], "NAME: '1x' cannot name a game; use lower-case letters and digits, separated by '-', and "),
        (["Harbour"], "NAME: 'Harbour' cannot name a game; "),
        (["a/b"], "NAME: 'a/b' cannot name a game; "),
        (["class"], "NAME: 'class' is a keyword of Python; choose another name"),
        (["medievallons"], "NAME: there is a game 'medievallons' already; choose another name"),
        (["numpy"], "NAME: there is a Python module 'numpy' already; choose another name"),
        (["harbour", "--players", "1-4"], "--players: '1-4' is not a number of players; write 4 or 2-5, from 2 to 8"),
        (["harbour", "--players", "5-3"], "--players: '5-3' is not a number of players; "),
        (["harbour", "--players", "many"], "--players: 'many' is not a number of players; "),
        (["harbour", "--roles", "king"], "--roles: give two or more different names, such as warlord,burgher"),
        (["harbour", "--roles", "king,king"], "--roles: give two or more different names, such as warlord,burgher"),
        (["harbour", "--roles", "king,1"], "--roles: '1' cannot name a role; use lower-case letters, digits and '_'"),
        (["harbour", "--roles", "a,b,c"], "--roles: 3 roles need at least 3 players; give more players"),
    ],
)
def test_what_cannot_be_used_is_one_line(refused: Callable[..., str], arguments: list[str], message: str) -> None:
    assert refused("new-game", *arguments).startswith(message)


def test_a_folder_that_exists_is_left_alone(refused: Callable[..., str]) -> None:
    Path("harbour").mkdir()
    Path("harbour/mine.txt").write_text("mine")
    message = refused("new-game", "harbour", left=("harbour",))
    assert message == "NAME: 'harbour' exists already; choose another name or delete it"
    assert [path.name for path in Path("harbour").iterdir()] == ["mine.txt"]


SHAPES = {
    "harbour": ["--players", "2"],
    "night-fair": ["--players", "3-4", "--cards", "--roles", "king,trader"],
}


@pytest.fixture(params=SHAPES)
def made(request: pytest.FixtureRequest, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a new game, left as pip would leave it."""
    monkeypatch.chdir(tmp_path)
    said = cli("new-game", request.param, *SHAPES[request.param])
    assert said.code == 0, said
    folder = tmp_path / request.param
    written = sorted(path.relative_to(tmp_path) for path in folder.rglob("*") if path.is_file())
    assert sorted(map(Path, said.out.split("\n\n")[0].splitlines())) == written
    leave_installed(folder)
    return folder


def run(folder: Path, *arguments: str) -> str:
    """Run a command where the game is found, and return what it prints."""
    found = environment()
    done = subprocess.run(
        [sys.executable, "-m", "equipoise", *arguments],
        env=found | {"PYTHONPATH": os.pathsep.join([found["PYTHONPATH"], str(folder)])},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_a_new_game_plays_reports_and_passes_at_once(made: Path) -> None:
    name = made.name
    packages = tomllib.loads((made / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    assert packages == [name.replace("-", "_")]
    run(made, "simulate", "--game", name, "--games", "1e4", "--format", "none")
    text = run(made, "replay", "--game", name, "--index", "3")
    assert "turn: turn 1, seat 1, " in text
    run(made, "report", "--game", name, "--games", "200", "--out", "report")
    assert (made / "report/report.html").is_file()
    assert re.search(r"^\d+ passed", run(made, "test-game", name), re.MULTILINE)


@pytest.mark.parametrize("command", ["check --select=E,F,UP,B", "format --check"])
def test_what_is_written_keeps_the_rules_of_style(made: Path, command: str) -> None:
    ruff = [sys.executable, "-m", "ruff", *command.split(), "--isolated", "--line-length=120", "."]
    done = subprocess.run(ruff, cwd=made, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
