"""Keep two processes from writing to the same place."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from simcore.errors import UsageError

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

_held: dict[Path, int] = {}


def hold(path: Path) -> None:
    """Take a file or folder that exists for this process, until `release` or the end of the process.

    The process itself may take it again.

    Raises
    ------
    UsageError
        If another process holds it, or has just removed it.
    """
    if fcntl is None:
        return
    release(path)
    handle = os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network drives know no locks
            _lock(handle, path)
        if not os.path.samestat(os.fstat(handle), path.stat()):
            raise FileNotFoundError
    except FileNotFoundError:
        os.close(handle)
        raise _busy(path) from None
    except UsageError:
        os.close(handle)
        raise
    _held[path.absolute()] = handle


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _busy(path) from None


def _busy(path: Path) -> UsageError:
    return UsageError(f"--out: {path}: another process writes there; wait until it ends, or choose another place")


def release(path: Path) -> None:
    """Let other processes take a path again."""
    handle = _held.pop(path.absolute(), None)
    if handle is not None:
        os.close(handle)
