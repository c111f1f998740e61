"""Siege, the small game in tests/games: one against many, with roles, camps, hidden hands, and no score.

tests/games looks like a folder into which games were installed: it holds the package and the metadata that names it.
Tests find it through `pythonpath` in pyproject.toml; a command in a process of its own needs `environment()`.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

TOY = "siege"
ROOT = Path(__file__).resolve().parents[1]
INSTALLED = ROOT / "tests/games"


def environment(*games: Path, **changes: str) -> dict[str, str]:
    """Return the environment of a process that finds this checkout, the game, and further folders with games."""
    paths = filter(None, [str(ROOT), str(INSTALLED), *map(str, games), os.environ.get("PYTHONPATH")])
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | changes


def leave_installed(top: Path) -> None:
    """Write beside a package what pip would make of its pyproject.toml for Python to find it; no network is needed."""
    project = tomllib.loads((top / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    installed = top / f"{name}-{version}.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in entries.items()))
    ]
    (installed / "entry_points.txt").write_text("\n".join(lines))
