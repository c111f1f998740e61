"""A new game is compiled, played, reported and checked at once."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.equipoise.commands.test_new_game import SHAPES, top  # noqa: F401  a fixture
from tests.in_turn import in_turn

REPORTS = {"harbour": "--quick", "night-fair": ""}
"""A whole report is made where a game has all that `new-game` can give it."""


def steps(name: str) -> list[str]:
    """Return what is done with a new game at once."""
    return [
        f"simulate --game {name} --games 1e3 --format none",
        f"equipoise replay --game {name} --index 3",
        f"equipoise report --game {name} --games 200 --out {name}/report {REPORTS[name]}",
        f"equipoise test-game {name}",
    ]


@pytest.mark.parametrize("name", SHAPES)
def test_a_new_game_plays_reports_and_passes_at_once(top: Path, name: str) -> None:  # noqa: F811
    said = in_turn(steps(name), top, top / name)
    packages = tomllib.loads((top / name / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    assert packages == [name.replace("-", "_")]
    for line in steps(name):
        assert said[line].code == 0, said[line]
    _, replayed, _, checked = steps(name)
    assert "turn: turn 1, seat 1, " in said[replayed].out
    assert (top / name / "report/report.html").is_file()
    assert re.search(r"^\d+ passed", said[checked].out, re.MULTILINE)
