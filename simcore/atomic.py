"""The one way in which files are written: completely or not at all."""

from __future__ import annotations

import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from simcore.errors import UsageError
from simcore.lock import hold, is_held, release

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
    return path.with_name(f"{_stem(path)}{uuid.uuid4().hex[:8]}{path.suffix}")


def remove_leftovers(path: Path) -> None:
    """Remove what stands under a hidden name beside a path because its process was killed, as nobody holds its lock.

    Only the one who keeps others from writing the path may call this, because files that are being written are not
    locked themselves.
    """
    name = re.compile(f"{re.escape(_stem(path))}[0-9a-f]{{8}}{re.escape(path.suffix)}")
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
