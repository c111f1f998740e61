"""Commands in processes of their own, and what a run that ended early must have left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from simcore.errors import UsageError
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
if "tune" in sys.argv:
    from tests.brief import tune_briefly
    tune_briefly(setattr)
from equipoise.start import main
main()
"""
RANDOM = ("--strategies", "random")


def start(*arguments: object, environment: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """Start `equipoise` in a process of its own that Ctrl-C reaches, even where this one may not be interrupted."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "80", **(environment or {})},
        text=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options,
    )


def interrupt(
    process: subprocess.Popen[str], ready: Callable[[], bool], signal_: int = signal.SIGINT, within: float = PATIENCE
) -> tuple[str, str]:
    """Press Ctrl-C, or send another signal, once something holds; return what the process said."""
    try:
        until(lambda: ready() or process.poll() is not None, PATIENCE)
        assert process.poll() is None or ready(), process.communicate()
        process.send_signal(signal_)
        return process.communicate(timeout=within)
    finally:
        process.kill()


PLAYING, LOADING = 0.3, 5
"""Seconds of processor time after which a process has begun to play; seconds to wait where the system does not tell."""

_calm: dict[int, tuple[int, float]] = {}
"""Of each process, the number of its main thread's page faults when they last increased, and the time it had used."""


def plays(process: subprocess.Popen[str]) -> bool:
    """Return whether a process has begun to play, in other threads or in its main thread.

    A main thread that imports and compiles makes page faults all the time; one that goes round in a kernel makes none.
    """
    worked, faults = {}, 0
    for path in Path(f"/proc/{process.pid}/task").glob("*/stat"):
        with suppress(OSError):  # the thread has just ended
            fields = path.read_text().rpartition(")")[2].split()
            worked[path.parent.name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            faults += int(fields[7]) if path.parent.name == str(process.pid) else 0
    if not worked:
        time.sleep(LOADING)
        return True
    own = worked.pop(str(process.pid), 0.0)
    if _calm.get(process.pid, (-1, 0.0))[0] != faults:
        _calm[process.pid] = faults, own
    return sum(worked.values()) > PLAYING or own - _calm[process.pid][1] > PLAYING


def check_ended(folder: Path, status: str) -> None:
    """A run that ended early says so, and what it has is whole."""
    with pytest.raises(UsageError) as raised:
        eq.load(folder)
    said = str(raised.value)
    assert f"the run {status} (" in said
    assert "the option 'partial'" in said
    assert "\n" not in said
    run = eq.load(folder, partial=True)
    assert run.manifest.digest is None
    assert run.manifest.games_written < run.manifest.games
    assert all(not path.name.startswith(".") for path in folder.rglob("*"))
    for path in (folder / "games").glob("*.parquet"):
        assert pl.read_parquet(path).height % 4 == 0
    if run.manifest.parts:
        frame = run.polars().select("game_id", "share60").collect()
        assert frame.height == run.manifest.rows == 4 * run.manifest.games_written
        assert frame["share60"].sum() == 60 * run.manifest.games_written
        assert frame["game_id"].n_unique() == run.manifest.games_written
