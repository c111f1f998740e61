"""The fixture `balance_check`, in tests of another repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASELINE = "configs/middle-ages/baselines/default.toml"

TESTS = f"""
BASELINE = "{BASELINE}"
def test_as_it_was(balance_check):
    assert balance_check(BASELINE).verdict == "pass"

def test_moved(balance_check):
    balance_check(BASELINE, settings=["starting_coins=[0, 30, 0, 0, 0]"], games=2000)

def test_too_few_games(balance_check):
    found = balance_check(BASELINE, full=True, games=1000, inconclusive=True)
    assert found.verdict == "inconclusive"

def test_no_such_file(balance_check):
    balance_check("configs/none.toml")
"""


def test_the_fixture_passes_fails_and_says_why(tmp_path: Path, measured: Path) -> None:
    (tmp_path / "configs").symlink_to(measured.parents[2])
    (tmp_path / "test_balance.py").write_text(TESTS, encoding="utf-8")
    # Named, and not found by itself: the package need not be installed here.
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "equipoise.pytest_plugin", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "2 failed, 2 passed" in done.stdout
    assert "The rules changed: starting_coins: [0, 0, 0, 0, 0] -> [0, 30, 0, 0, 0]." in done.stdout
    assert "win_share_by_seat.seat-2 at 4 players" in done.stdout
    assert "none.toml: no such file" in done.stdout
    assert "Traceback" not in done.stdout


def test_the_package_offers_it() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nequipoise = "equipoise.pytest_plugin"' in text
