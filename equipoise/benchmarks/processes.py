"""The costs of a whole process: seconds until the first result, and memory."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from equipoise.benchmarks.timing import clock
from simcore.child_processes import python, small
from simcore.errors import UsageError

FRESH = 5
"""Number of repetitions of a warm start."""

PATIENCE = 3600

PEAK = """
import json, os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)]))
"""
MEASURE = small(PEAK)
"""A small process of its own, because a child's peak counts the memory of its parent at the time of the fork."""

_EQUIPOISE = python("equipoise")

Arguments = Sequence[str]
"""Arguments of `simulate` that say what to play, but not the number of games."""


def _simulate(arguments: Arguments, games: int, *options: str) -> list[str]:
    return [*_EQUIPOISE, "simulate", "--quiet", *arguments, "--games", str(games), *options]


def output(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a command and return what it prints; raise its error message as our own."""
    done = subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1].removeprefix("error: ")
        raise UsageError(f"{_told(command)}: {reason}")
    return done.stdout


def _told(command: Sequence[str]) -> str:
    """Return a command line as a user would write it."""
    own = len(_EQUIPOISE)
    return " ".join(["equipoise", *command[own:]] if list(command[:own]) == _EQUIPOISE else command[1:])


def _fresh(name: str, command: Sequence[str], tick: Callable[[], None]) -> dict[str, Any]:
    seconds = []
    for _ in range(FRESH):
        seconds.append(clock(lambda: output(command)))
        tick()
    return {"what": name, "seconds": min(seconds), "seconds_median": statistics.median(seconds)}


def start(arguments: Arguments, cold: bool, folder: Path | None, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Measure fresh processes from the command line to their end.

    arguments: Arguments of `simulate` that say what to play.
    cold: Whether to measure also a process with an empty cache of kernels.
    folder: Folder for temporary folders.  If None, the system's folder.
    tick: Function that is called after each process.
    """
    few = _simulate(arguments, 1000, "--format", "none")
    found = []
    with tempfile.TemporaryDirectory(prefix="equipoise-bench-", dir=folder) as room:
        if cold:
            seconds = clock(lambda: output(few, {"EQUIPOISE_CACHE_DIR": room}))
            found.append({"what": "cold, 1,000 games", "seconds": seconds, "seconds_median": seconds})
            tick()
        output(few)
        written = [*_simulate(arguments, 1000), "--out", str(Path(room) / "run"), "--force"]
        found.append(_fresh("warm, 1,000 games", few, tick))
        found.append(_fresh("warm, 1,000 games written", written, tick))
        found.append(_fresh("warm, --help", [*_EQUIPOISE, "--help"], tick))
    return found


def memory(arguments: Arguments, games: int, folder: Path | None, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Measure the peak memory of a run that writes its table, and of one ten times as long.

    arguments: Arguments of `simulate` that say what to play.
    games: Number of games of the shorter run.
    folder: Folder for temporary folders.  If None, the system's folder.
    tick: Function that is called after each process.
    """
    if not hasattr(os, "wait4"):
        raise UsageError("this system does not say how much memory a process used; leave it out", "memory")
    found: list[dict[str, Any]] = []
    for count in (games, 10 * games):
        with tempfile.TemporaryDirectory(prefix="equipoise-bench-", dir=folder) as room:
            command = _simulate(arguments, count, "--out", str(Path(room) / "run"))
            code, peak = json.loads(output([*MEASURE, *command]).splitlines()[-1])
            if code:
                raise UsageError(f"{_told(command)}: exit code {code}")
        least = found[0]["peak_bytes"] if found else peak
        found.append({"games": count, "peak_bytes": peak, "ratio": peak / least})
        tick()
    return found
