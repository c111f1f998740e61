"""The date of the machine moves no result, wherever it jumps; only budgets of time look at a clock, one that cannot."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import pytest

from tests.equipoise.conftest import Cli

YEAR = 365 * 86_400
SMALL = "--players 2 --games 240 --format json"
LINES = {
    "run/manifest.json": "simulate --players 2 --strategies random --games 2400 --out run",
    "swept/sweep.json": f"sweep {SMALL} --strategies random --set starting_coins.1=0..2 --out swept",
    "played/tournament.json": f"tournament {SMALL} --strategies greedy,random --out played",
    "tuned.toml": "tune --players 2 --budget 2 --games 60 --population 4 --out tuned.toml",
}


def results(folder: Path) -> dict[str, object]:
    """Return what commands came to."""
    found: dict[str, object] = {}
    for name in LINES:
        text = (folder / name).read_text(encoding="utf-8")
        if name.endswith(".json"):
            table = json.loads(text)
            answers = [(one["verdicts"], one["table"]) for one in table.get("results", ())]
            found[name] = (table.get("digest"), answers)
        else:
            found[name] = [line for line in text.splitlines() if "seconds" not in line and "minutes" not in line]
    return found


@pytest.mark.usefixtures("undrawn")
def test_a_date_that_jumps_moves_no_result(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored is from the past in one year, and from the future in another."""
    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: kept)
    chance, real = random.Random(1), time.time
    for name in ("steady", "jumping"):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        for line in LINES.values():
            assert cli(*line.split(), "--seed", 3, "--quiet").code == 0
            monkeypatch.setattr(time, "time", lambda: real() + chance.uniform(-30, 30) * YEAR)
            for path in kept.iterdir():
                os.utime(path, (0, chance.uniform(0, 60) * YEAR))
        assert cli("verify", "run").code == 0
    assert results(tmp_path / "jumping") == results(tmp_path / "steady")
