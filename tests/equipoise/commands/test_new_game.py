"""`equipoise new-game`: the package that it writes is installed, played, reported and checked at once."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from equipoise.cli import app, run
from tests.equipoise.conftest import Cli
from tests.in_turn import in_turn
from tests.toy import leave_installed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["1x"], "NAME: '1x' cannot name a game; use lower-case letters and digits, separated by '-', and "),
        (["Harbour"], "NAME: 'Harbour' cannot name a game; "),
        (["con"], "NAME: Windows allows no file or folder called 'con'; choose another name"),
        (["lpt1", "--plain"], "NAME: Windows allows no file or folder called 'lpt1'; choose another name"),
        (["a/b"], "NAME: 'a/b' cannot name a game; "),
        (["class"], "NAME: 'class' is a keyword of Python; choose another name"),
        (["medievallons"], "NAME: there is a game 'medievallons' already; choose another name"),
        (["numpy"], "NAME: there is a Python module 'numpy' already; choose another name"),
        (["harbour", "--players", "1-4"], "--players: '1-4' is not a number of players; write 4 or 2-5, from 2 to 8"),
        (["harbour", "--players", "5-3"], "--players: '5-3' is not a number of players; "),
        (["harbour", "--players", "many"], "--players: 'many' is not a number of players; "),
        (["harbour", "--like", "race"], "--like: only a game in plain Python begins like another one; add --plain"),
        (["fair", "--plain", "--like", "auktion"], "--like: no game 'auktion'; did you mean 'auction'?"),
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
    "harbour": "--players 2",
    "night-fair": "--players 3-4 --cards --roles king,trader",
}


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all the new games, each left as pip would leave it."""
    folder = tmp_path_factory.mktemp("new")
    with contextlib.chdir(folder):
        for name, options in SHAPES.items():
            assert run(app, ["new-game", name, *options.split()]) == 0
            leave_installed(folder / name)
    return folder


@pytest.mark.parametrize("name", SHAPES)
def test_every_file_that_is_written_is_named(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said = cli("new-game", name, *SHAPES[name].split())
    assert said.code == 0, said
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert sorted(map(Path, said.out.split("\n\n")[0].splitlines())) == written


def test_a_new_game_plays_at_once(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python; tests/machine compiles it, reports on it, and checks it."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    played = [f"simulate --game {name} --games 20 --format none" for name in SHAPES]
    replayed = [f"equipoise replay --game {name} --index 3" for name in SHAPES]
    said = in_turn([*played, *replayed], top, *(top / name for name in SHAPES))
    assert [one for one in said.values() if one.code] == []
    assert all("turn: turn 1, seat 1, " in said[line].out for line in replayed)


@pytest.mark.parametrize("command", ["check --select=E,F,UP,B", "format --check"])
def test_what_is_written_keeps_the_rules_of_style(top: Path, command: str) -> None:
    ruff = [sys.executable, "-m", "ruff", *command.split(), "--isolated", "--line-length=120", "."]
    done = subprocess.run(ruff, cwd=top, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
