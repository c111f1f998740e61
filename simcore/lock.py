"""The one lock: keep two processes from writing to the same place, or from doing the same work twice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from simcore.errors import UsageError

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

_held: dict[Path, int] = {}


def hold(path: Path, named: Path | None = None, option: str = "out") -> None:
    """Lock an existing file or folder for this process, until `release` or the end of the process.

    The process itself may lock it again.

    path: The file or folder.
    named, option: Path to show in messages instead, and the option that they name.
    Raises UsageError if another process has locked it, or has just removed it.
    """
    if fcntl is None:
        return
    release(path)
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # which does not wait at a pipe
    try:
        with suppress(OSError):  # some network drives know no locks
            _lock(handle)
        if not os.path.samestat(os.fstat(handle), path.stat()):
            raise _Busy
    except (FileNotFoundError, _Busy):
        os.close(handle)
        raise UsageError(
            f"{named or path}: another process writes there; wait until it ends, or choose another place", option
        ) from None
    _held[path.absolute()] = handle


class _Busy(Exception):
    """Raised if another process has locked the path."""


def _lock(handle: int) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _Busy from None


def is_held(path: Path) -> bool:
    """Return whether this process has locked a path."""
    return path.absolute() in _held


def release(path: Path) -> None:
    """Unlock a path, so that other processes can lock it."""
    handle = _held.pop(path.absolute(), None)
    if handle is not None:
        os.close(handle)


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Let one process of this machine run the block, while the others wait for their turn at a file."""
    with path.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
