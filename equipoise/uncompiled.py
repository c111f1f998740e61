"""Games without the compiler: Python's own errors, with file and line, in place of those of Numba."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import traceback
from pathlib import Path

from simcore.errors import UsageError

SWITCH = "NUMBA_DISABLE_JIT"
"""Variable of the environment that Numba reads when it is imported."""

PATIENCE = 60
"""Seconds after which one game in plain Python is given up."""

_LIBRARY = re.compile(r"/(numpy|numba|simcore/(kernel|running))/|/lib/python[\d.]+/(?!(site|dist)-packages/)|^<")
"""Files that are not to blame."""


def switch_off(wanted: bool) -> bool:
    """Compile nothing in this process if that is wanted.

    Raises UsageError if what compiles is imported already.
    """
    if wanted and not is_off():
        if "numba" in sys.modules:
            raise UsageError("this process has begun to compile; give the command to a new one", "no_compile")
        os.environ[SWITCH] = "1"
    return wanted


def is_off() -> bool:
    """Return whether this process compiles nothing."""
    return os.environ.get(SWITCH) == "1"


def told(error: Exception) -> str:
    """Return where an error was raised, and what it says, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    last = next((one for one in reversed(frames) if not _LIBRARY.search(Path(one.filename).as_posix())), frames[-1])
    said = " ".join(str(error).split())
    return f"{os.path.relpath(last.filename)}, line {last.lineno}, in {last.name}: {type(error).__name__}: {said}"


def without_compiler(game: str) -> str:
    """Play one game in plain Python, in a process of its own; return the error it ends with, or that it ends well."""
    from simcore.child_processes import environment, python  # a room that imports Numba

    try:
        done = subprocess.run(
            python("equipoise", "replay", "--game", game, "--no-compile"),
            env=environment(),
            timeout=PATIENCE,
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except subprocess.TimeoutExpired:
        return f"a game in plain Python did not end in {PATIENCE} s"
    if done.returncode == 0:
        return "a game in plain Python ends without an error"
    said = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
    return f"in plain Python: {said[0].removeprefix('error: ')}"
