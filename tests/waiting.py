"""Tests wait for what they can see, and for no longer than a bound; nothing waits a while and hopes."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def until(holds: Callable[[], T], seconds: float = 180, otherwise: Callable[[], object] = lambda: "") -> T:
    """Ask until something holds, and return it; after so many seconds, fail with what there is to say."""
    deadline = time.monotonic() + seconds
    while not (seen := holds()):
        assert time.monotonic() < deadline, otherwise()
        time.sleep(0.005)
    return seen


def ended(child: int, seconds: float) -> int | None:
    """Return the exit code of a forked process; None where it had to be killed after so many seconds."""
    ends = os.pidfd_open(child)
    try:
        in_time = bool(select.select([ends], [], [], max(seconds, 0))[0])
    finally:
        os.close(ends)
    if not in_time:
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    return os.waitstatus_to_exitcode(status) if in_time else None


def gone(process: int) -> bool:
    """Return whether a process has ended, also if nobody has collected it yet."""
    try:
        return "zombie" in Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return True


def took_its_signals(process: int) -> bool:
    """Return whether no signal waits for a process, so that a second one is not merged with the first."""
    masks = _masks(process)
    return not masks["SigPnd"] | masks["ShdPnd"]


def hears_again(process: int) -> bool:
    """Return whether a process took Ctrl-C, of which the system lets it hear one, and listens for the next."""
    return took_its_signals(process) and bool(_masks(process)["SigCgt"] >> signal.SIGINT - 1 & 1)


def _masks(process: int) -> dict[str, int]:
    """Return which signals wait for a process and which it catches, a bit for each."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    named = (line.partition(":") for line in lines)
    return {name: int(mask, 16) for name, _, mask in named if name in ("SigPnd", "ShdPnd", "SigCgt")}
