"""The one way in which files are written: completely or not at all."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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
    part = path.with_name(f".{path.name[:60]}.{uuid.uuid4().hex[:8]}{path.suffix}")
    try:
        yield part
        if durable:
            with part.open("rb") as file:
                os.fsync(file.fileno())
        commit(lambda: part.replace(path))
    finally:
        with suppress(OSError):
            shutil.rmtree(part) if part.is_dir() else part.unlink(missing_ok=True)
