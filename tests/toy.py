"""Siege, a small game: one against many, with roles, camps, hidden hands, and no score.

It is a package that was written against an older version, so that each test of it also shows that such packages work.
tests/games looks like a folder into which games were installed: it holds the metadata that names the package.
Tests find both through `pythonpath` in pyproject.toml; a command in a process of its own needs `environment()`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

TOY = "siege"
ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ROOT / "tests/older/november-2026/packages"
"""Packages with games that were written against 7fa3fd5, and what one could import then; never written again."""
INSTALLED = (str(ROOT / "tests/games"), str(PACKAGES / "siege-game"))


def environment(*games: Path, **changes: str) -> dict[str, str]:
    """Return the environment of a process that finds this checkout, the game, and further folders with games."""
    paths = filter(None, [str(ROOT), *INSTALLED, *map(str, games), os.environ.get("PYTHONPATH")])
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | changes


def uncompiled(*arguments: object) -> str:
    """Run Python without Numba's compiler on this checkout, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=environment(NUMBA_DISABLE_JIT="1"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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
