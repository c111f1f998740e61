"""The one way in which files are written, completely or not at all, and the one lock between processes."""

from __future__ import annotations

import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from simcore.errors import UsageError

# --- The one lock: keep two processes from writing to the same place, or from doing the same work twice ---


try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

_held: dict[str, int] = {}
"""Handles of what is locked, by its path without links."""


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
    _held[os.path.realpath(path)] = handle


class _Busy(Exception):
    """Raised if another process has locked the path."""


def _lock(handle: int) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _Busy from None


def is_held(path: Path) -> bool:
    """Return whether this process has locked a path."""
    return os.path.realpath(path) in _held


def release(path: Path) -> None:
    """Unlock a path, so that other processes can lock it."""
    handle = _held.pop(os.path.realpath(path), None)
    if handle is not None:
        os.close(handle)


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Let one process of this machine run the block, while the others wait for their turn at a file."""
    with path.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


# --- The one way in which files are written: completely or not at all ---


Commit = Callable[[Callable[[], object]], object]
"""Function that is given the last step, which moves the file into place, and takes it if it is still wanted."""


@contextmanager
def replacing(path: Path, durable: bool = False, commit: Commit = lambda move: move()) -> Iterator[Path]:
    """Yield the path of a new file, which takes the place of another one if the block ends without an error.

    The new file stands in the same folder, under a hidden name with the same ending; if anything fails, it is removed
    and what stood there before is untouched.  A link is replaced by the file, not followed.  The block may also make a
    folder, if nothing stood there.

    path: Where the file is to appear.
    durable: Whether its bytes must be on the disk before it appears, so that it is whole even if the power fails.
    commit: Takes the last step, or leaves it out.
    Raises OSError if the file cannot be written.
    """
    part = hidden(path)
    try:
        yield part
        if durable:
            with part.open("rb") as file:
                os.fsync(file.fileno())
        commit(lambda: part.replace(path))
    finally:
        with suppress(OSError):
            _remove(part)


def write(path: Path, data: bytes | str, durable: bool = False, mode: int = 0o666) -> None:
    """Write a file, completely or not at all; text in UTF-8.

    durable: See `replacing`.
    mode: Who may read and write the file.
    Raises OSError if the file cannot be written.
    """
    with replacing(path, durable) as part:
        part.touch(mode, exist_ok=False)
        part.write_bytes(data.encode() if isinstance(data, str) else data)


def hidden(path: Path) -> Path:
    """Return a new hidden name beside a path, with the same ending."""
    return path.with_name(f"{_stem(path)}{uuid.uuid4().hex}{path.suffix}")


def remove_leftovers(path: Path) -> None:
    """Remove what stands under a hidden name beside a path because its process was killed, as nobody holds its lock.

    Only the one who keeps others from writing the path may call this, because files that are being written are not
    locked themselves.
    """
    name = re.compile(f"{re.escape(_stem(path))}[0-9a-f]{{32}}{re.escape(path.suffix)}")
    with suppress(OSError):
        for left in [other for other in path.parent.iterdir() if name.fullmatch(other.name) and not is_held(other)]:
            with suppress(OSError, UsageError):
                hold(left)
                try:
                    _remove(left)
                finally:
                    release(left)


def _stem(path: Path) -> str:
    return f".{path.name[:60]}."


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
