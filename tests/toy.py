"""Siege, the small game in tests/games: one against many, with roles, camps, hidden hands, and no score.

tests/games looks like a folder into which games were installed: it holds the package and the metadata that names it.
Tests find it through `pythonpath` in pyproject.toml; a command in a process of its own needs `environment()`.
"""

from __future__ import annotations

import os
from pathlib import Path

TOY = "siege"
ROOT = Path(__file__).resolve().parents[1]
INSTALLED = ROOT / "tests/games"


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of a process that finds this checkout and the game."""
    paths = filter(None, [str(ROOT), str(INSTALLED), os.environ.get("PYTHONPATH")])
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | changes
