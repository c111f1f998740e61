"""Results that are stored between processes, in files that are checked before they are used.

The first line of every file holds the SHA-256 of the rest and the digest that is the file's name.  A file with one
wrong bit, one that was cut, or one that was copied over another is therefore as good as none: its result is computed
again, and the file is written again.  The line is a comment in TOML, so that a stored strategy stays a strategy file.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from simcore.atomic import write
from simcore.kernel.cache import beside_kernels

MOST_BYTES = 500_000_000
"""Largest size of a folder, and of a file in it; the oldest files are deleted first."""


def sealed(name: str, data: bytes) -> bytes:
    """Return data with a first line that holds their checksum and a name.

    Examples
    --------
    >>> sealed("a", b"1\\n").splitlines()[1]
    b'1'
    """
    return _seal(name, data) + data


def unsealed(name: str, whole: bytes) -> bytes:
    """Return the data that were sealed under a name.

    Raises ValueError if they are not exactly what was sealed, or were sealed under another name.
    """
    head, end, data = whole.partition(b"\n")
    if head + end != _seal(name, data):
        raise ValueError(f"{name}: not what was stored")
    return data


def _seal(name: str, data: bytes) -> bytes:
    checksum = hashlib.sha256(name.encode() + b"\n" + data).hexdigest()
    return f"# {checksum} {name}\n".encode()


@dataclass(frozen=True)
class Store:
    """A folder of results next to the compiled kernels, each in a file that a digest names."""

    folder: str  # name of the folder
    suffix: str  # ending of the files

    def path(self, digest: str) -> Path:
        """Return the path of a result, whether it is stored or not."""
        return beside_kernels(self.folder) / f"{digest}{self.suffix}"

    def recall(self, digest: str) -> bytes | None:
        """Return what was stored under a digest; None if there is nothing, or anything but exactly that."""
        try:
            with os.fdopen(os.open(self.path(digest), os.O_RDONLY | NO_LINK), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
                    return None
                return unsealed(digest, file.read())
        except (OSError, ValueError):
            return None

    def keep(self, digest: str, data: bytes) -> None:
        """Store a result, if the disk allows it, in place of whatever has its name."""
        with suppress(OSError):
            path = self.path(digest)
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            write(path, sealed(digest, data))
            self._trim(path.parent)

    def _trim(self, folder: Path) -> None:
        """Delete the oldest files if the folder is too large."""
        files = [(path.lstat(), path) for path in folder.glob(f"*{self.suffix}")]
        total = 0
        for status, path in sorted(files, key=lambda pair: -pair[0].st_mtime):
            total += status.st_size
            if total > MOST_BYTES:
                path.unlink(missing_ok=True)


NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags for opening a file that follow no link and do not wait for a pipe, where the system has them."""
