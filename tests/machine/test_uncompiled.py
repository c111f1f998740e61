"""A game that does not compile: its own error in plain Python is told, with file and line, in one line."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from equipoise.cli import app, run
from tests.in_turn import in_turn
from tests.toy import leave_installed

ROOT = Path(__file__).resolve().parents[2]
Ended = Callable[..., tuple[int, list[str]]]
POINTS = "    row.points += points\n"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a new game, left as pip would leave it."""
    folder = tmp_path_factory.mktemp("new")
    with contextlib.chdir(folder):
        assert run(app, ["new-game", "squares"]) == 0
    leave_installed(folder / "squares")
    return folder / "squares"


@pytest.fixture
def ended(written: Path, monkeypatch: pytest.MonkeyPatch) -> Ended:
    """Return a function that puts a mistake into a file of the game, runs a command, and returns code and error."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(written)]))
    monkeypatch.chdir(written)

    def call(file: str, right: str, wrong: str, *line: str) -> tuple[int, list[str]]:
        path = written / "squares" / file
        text = path.read_text(encoding="utf-8")
        assert right in text
        path.write_text(text.replace(right, wrong), encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, "-m", "equipoise", *line], capture_output=True, text=True, timeout=300, check=False
            )
        finally:
            path.write_text(text, encoding="utf-8")
        told = [one for one in done.stderr.splitlines() if not one.startswith("Compiling")]
        return done.returncode, told

    return call


def line_of(written: Path, file: str, text: str) -> int:
    lines = (written / "squares" / file).read_text(encoding="utf-8").splitlines(keepends=True)
    return lines.index(text) + 1


def test_a_field_that_is_misspelt_is_named_with_its_line(written: Path, tmp_path: Path) -> None:
    """By commands that play, in one process that finds the game as pip would leave it; `replay` has the tests below."""
    folder = Path(shutil.copytree(written, tmp_path / "squares"))
    kernel = folder / "squares/kernel.py"
    text = kernel.read_text(encoding="utf-8")
    assert POINTS in text
    kernel.write_text(text.replace(POINTS, POINTS.replace("points +=", "pointz +=")), encoding="utf-8")
    place = f"squares{os.sep}kernel.py, line {line_of(written, 'kernel.py', POINTS)}, in step"
    lines = ["simulate --game squares", "equipoise test-game squares"]
    for line, said in in_turn(lines, folder, folder).items():
        (told,) = [one for one in said.err.splitlines() if not one.startswith("Compiling")]
        assert said.code == 2, line
        assert told.startswith(f"error: squares: in plain Python: {place}: AttributeError: "), line
        assert "pointz" in told and "Numba says: " in told


def test_what_only_numba_refuses_is_told_in_its_words(ended: Ended, written: Path) -> None:
    wrong = "    row.points += int('{}'.format(points))\n"
    code, (told,) = ended("kernel.py", POINTS, wrong, "replay", "--game", "squares")
    assert code == 2
    assert "a game in plain Python ends without an error. Numba says: squares" in told
    assert f"kernel.py, line {line_of(written, 'kernel.py', POINTS)}: " in told


def test_a_strategy_of_the_game_that_fails_is_named(ended: Ended, written: Path) -> None:
    code, (told,) = ended(
        "strategies.py", "    return best\n", "    return list(best)\n", "replay", "--game", "squares"
    )
    line = line_of(written, "strategies.py", "    return best\n")
    assert code == 2
    assert f"squares{os.sep}strategies.py, line {line}, in weigh: TypeError: " in told


def test_without_the_compiler_a_game_plays_and_its_error_is_one_line(ended: Ended) -> None:
    wrong = "    row.points += [points][1]\n"
    code, (told,) = ended("kernel.py", POINTS, wrong, "replay", "--game", "squares", "--no-compile")
    assert code == 1
    assert told.endswith("in step: IndexError: list index out of range")
    assert ended("kernel.py", POINTS, POINTS, "simulate", "--games", "20", "--game", "squares", "--no-compile")[0] == 0
