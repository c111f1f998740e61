"""`equipoise test-game`: the checks of conformance for an installed game, without a checkout's tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.toy import TOY, environment


def test_a_game_that_is_not_installed_is_named(refused: Callable[..., str]) -> None:
    message = refused("test-game", "sieg")
    assert message.startswith("no game 'sieg'; did you mean 'siege'?")
    assert message.endswith("pip install FOLDER")


def test_without_pytest_it_says_what_to_install(refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytest", None)
    assert refused("test-game", TOY) == "test-game needs pytest; install it with: pip install 'equipoise[test]'"


LIAR = """
import dataclasses, sys
import siege
from equipoise.conformance import check_game

siege.GAME = dataclasses.replace(siege.GAME, par=lambda rules, players: [1.0] * players)
sys.exit(not check_game("siege", ["-k", "par_is_a_share"]))
"""


def test_a_game_that_keeps_the_rules_passes_where_there_is_no_checkout(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '--no-such-option'\n")
    (tmp_path / "conftest.py").write_text("1 / 0")
    command = [sys.executable, "-m", "equipoise", "test-game", TOY]
    some = environment(PYTEST_ADDOPTS="-k 'resolve or share'")  # tests/conformance runs all of them
    done = subprocess.run(command, env=some, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^1\d passed", done.stdout, re.MULTILINE)


def test_a_game_that_lies_about_its_par_fails(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIAR]
    done = subprocess.run(command, env=environment(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    line = "game 'siege': par: the shares for 3 players are (1, 1, 1); give 3 positive shares that sum to 1"
    assert line in done.stdout
    assert re.search(r"^6 failed, \d+ deselected in ", done.stdout, re.MULTILINE)  # at 3 to 8 players
