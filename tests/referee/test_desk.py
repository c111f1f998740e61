"""Whole files of games, the command line, and what the referees share."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .middle_ages import check, check_file, main
from .middle_ages.player import Game
from .ranking import rank


def write(path: Path, *logs: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for log in logs for record in log), encoding="utf-8")
    return path


def test_a_file_of_many_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = [Game(seed, ["greedy", "random", "greedy"]).play() for seed in range(4)]
    path = write(tmp_path / "clean.jsonl", *logs)
    assert check_file(path) == {"games": 4, "faulty": 0, "violations": 0, "messages": []}
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == "4 games checked, 0 faulty, 0 violations\n"

    logs[1][-1]["final"][0] += 1  # a wrong number
    del logs[2][30:]  # a game cut short
    path = write(tmp_path / "faulty.jsonl", *logs)
    report = check_file(path)
    assert (report["games"], report["faulty"], report["violations"]) == (4, 2, 2)
    assert report["messages"][0].startswith(f"game 2 from line {len(logs[0]) + 1}: record {len(logs[1]) - 1} (end)")
    assert main([str(path)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace('"kind": "deal"', '"kind": "deal", "kind": "deal"', 1),
        lambda text: text.replace('"round": 1,', '"round": 1.0,', 1),
        lambda text: text.replace("}\n", "}\n\n", 1),
        lambda text: text + "null\n",
        lambda text: text.split("\n", 1)[1],
        lambda text: "",
    ],
    ids=["doubled field", "not a whole number", "blank line", "something after the end", "no game line", "empty file"],
)
def test_files_that_are_no_log(tmp_path: Path, spoil: Callable[[str], str]) -> None:
    path = write(tmp_path / "log.jsonl", Game(1, ["greedy"] * 2).play())
    text = path.read_text(encoding="utf-8")
    assert spoil(text) != text
    path.write_text(spoil(text), encoding="utf-8")
    assert check_file(path)["violations"] == 1


def test_output_is_bounded(tmp_path: Path) -> None:
    log = Game(1, ["greedy"] * 2).play()
    for record in log:
        if record["kind"] == "income":
            record["coins"] += 100
    assert len(check(log)) == 20
    report = check_file(write(tmp_path / "log.jsonl", log, log))
    assert (report["violations"], len(report["messages"])) == (40, 20)


def test_places_and_shares() -> None:
    assert rank([7, 8, 8, 8]) == ([4, 1, 1, 1], [0, 20, 20, 20])
    assert rank([(10, 2), (10, 2), (5, 9)]) == ([1, 1, 3], [30, 30, 0])


def test_the_referees_stand_alone() -> None:
    """Neither the referees nor their players may know the simulator."""
    games = ("middle_ages", "medievallons", "seigneurial")
    parts = [f"tests.referee.{game}{part}" for game in games for part in ("", ".player")]
    code = f"import sys, {', '.join(parts)}; print(*sys.modules)"
    root = Path(__file__).parents[2]
    loaded = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout
    assert not {"simcore", "strategies", "configs", "numba", "numpy"} & set(loaded.split())
