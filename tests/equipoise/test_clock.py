"""The date of the machine moves no result, wherever it jumps; only budgets of time look at a clock, one that cannot."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.equipoise.conftest import Cli
from tests.test_rooms import PRODUCT
from tests.toy import ROOT

CALENDAR = {"time.time", "time.time_ns", "datetime.now", "datetime.today", "datetime.utcnow", "date.today"}
ASKED = [
    "analysis/attacks.py: datetime.now",
    "analysis/check/claims.py: datetime.now",
    "analysis/runs/manifest.py: datetime.now",
    "equipoise/lab/page.py: time.time",
]
"""An attack says when it was measured, an exception until when it holds, a manifest when its run began; the lab notices
that the machine has slept."""

YEAR = 365 * 86_400
SMALL = "--players 2 --games 240 --format json"
LINES = {
    "run/manifest.json": "simulate --players 2 --strategies random --games 2400 --out run",
    "swept/sweep.json": f"sweep {SMALL} --strategies random --set starting_coins.1=0..2 --out swept",
    "played/tournament.json": f"tournament {SMALL} --strategies greedy,random --out played",
    "tuned.toml": "tune --players 2 --budget 2 --games 60 --population 4 --out tuned.toml",
}


def asked() -> Iterator[str]:
    """Yield where a module asks for the date."""
    attributes = {name.partition(".")[2] for name in CALENDAR}
    asking = re.compile(rf"\.\s*({'|'.join(attributes)})\b|\btime\s+import\b")
    for room in PRODUCT:
        for path in sorted((ROOT / room).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if asking.search(text) else ():
                called = ast.unparse(node) if isinstance(node, ast.Attribute) and node.attr in attributes else ""
                if called in CALENDAR or called.removeprefix("datetime.") in CALENDAR:
                    yield f"{path.relative_to(ROOT)}: {called}"
                if isinstance(node, ast.ImportFrom) and node.module == "time":
                    assert "time" not in [name.name for name in node.names], path


def test_nothing_that_plays_or_judges_asks_for_the_date() -> None:
    assert list(asked()) == ASKED


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
