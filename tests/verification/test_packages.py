"""Packages with games that were written against an older version: they still play, and give the same games.

They are a scaffold of `new-game` and one with cards, Pig of docs/reference/add-a-game.md, Kuhn poker of the tests, and
Siege of the tests.  The folder and its digests were written at 7fa3fd5 and stay so.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tests.in_turn import in_turn
from tests.toy import PACKAGES, leave_installed

DIGESTS = json.loads((PACKAGES / "digests.json").read_text(encoding="utf-8"))
"""By package: digests of the games of each line-up, and of three games as a log and as text."""


@pytest.mark.parametrize("package", DIGESTS)
def test_an_older_package_plays_the_same_games_and_passes_the_checks(package: str, tmp_path: Path) -> None:
    shutil.copytree(PACKAGES / package, tmp_path / "installed", ignore=shutil.ignore_patterns("__pycache__"))
    leave_installed(tmp_path / "installed")
    lines = [*DIGESTS[package], f"equipoise test-game {package.removesuffix('-game')}"]
    *played, checked = in_turn(lines, tmp_path, tmp_path / "installed").values()
    assert {line: digest(said.out) for line, said in zip(lines, played, strict=False)} == DIGESTS[package]
    assert checked.code == 0, checked


def digest(said: str) -> str:
    """Return the digest of the games that a command names at its end, else that of all that it says."""
    *_, last = said.splitlines() or [""]
    return (
        last.removeprefix("Digest").strip() if last.startswith("Digest") else hashlib.sha256(said.encode()).hexdigest()
    )
