"""What Windows lacks is not needed: all modules are imported, and commands work, where nothing of it can be had.

This stands in for a Windows machine.  It shows that no name is missing there, and not that everything works.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.machine.processes import PATIENCE
from tests.toy import environment

PROGRAM = """
import builtins, importlib, mmap, os, pkgutil, signal, sys
import distributed, fsspec, matplotlib.pyplot, numba, pandas, platformdirs.unix, polars, pyarrow.parquet, pytest
import scipy.stats, typer

MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
MISSING = {
    os: "fork geteuid getuid killpg mkfifo O_DIRECTORY O_NOFOLLOW O_NONBLOCK sched_getaffinity statvfs sysconf wait4",
    signal: "SIGALRM SIGHUP SIGKILL SIGQUIT SIGUSR1 pthread_sigmask setitimer",
    mmap: "MAP_ANON MAP_ANONYMOUS MAP_PRIVATE PROT_READ PROT_WRITE",
}
ROOMS = ("simcore", "strategies", "analysis", "reports", "equipoise")
imported = builtins.__import__

def without(name, globals=None, *rest, **named):
    asking = (globals or {}).get("__name__", "").partition(".")[0]
    if name in MODULES and asking in ROOMS:
        raise ImportError(f"No module named '{name}'")
    return imported(name, globals, *rest, **named)

builtins.__import__ = without
for module, names in MISSING.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
count = 0
for room in ROOMS:
    package = importlib.import_module(room)
    for found in pkgutil.walk_packages(package.__path__, f"{room}."):
        if "templates" not in found.name and not found.name.endswith("__main__"):
            importlib.import_module(found.name)
            count += 1
assert count > 400, count

from equipoise.start import main
from equipoise.cli import app, run
lines = (
    "simulate --strategies random --games 40 --out run --quiet",
    "simulate --resume run --quiet",
    "verify run",
    "export run --out x.csv",
    "odds 4..8 6 --chart odds.svg",
    "new-game mine",
)
assert [run(app, line.split()) for line in lines] == [0] * len(lines)
sys.argv = ["equipoise", "games"]
main()
"""


def test_nothing_needs_what_windows_lacks(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Fief 2" in done.stdout
