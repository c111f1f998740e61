"""Where commands write to: files that appear whole or not at all, and standard output."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from equipoise.outlet import has_left
from equipoise.signals import unfinished
from simcore.errors import UsageError

Write = Callable[[bytes], object]


@contextlib.contextmanager
def whole_file(path: Path, force: bool = False, option: str = "--out") -> Iterator[Write]:
    """Give a function that writes bytes; the file appears when the block ends well, and not otherwise.

    Parameters
    ----------
    path
        The file.
    force
        Whether it may replace a file.
    option
        What messages blame.

    Raises
    ------
    UsageError
        If it exists, or cannot be written.
    """
    with whole_path(path, force, option) as part, part.open("xb") as file:
        yield file.write


@contextlib.contextmanager
def whole_path(path: Path, force: bool = False, option: str = "--out") -> Iterator[Path]:
    """Give the path of a new file; it is moved to its place when the block ends well; see `whole_file`."""
    check_file(path, force, option)
    if not path.parent.is_dir():
        raise UsageError(f"{option}: {path} cannot be written: No such file or directory: {path.parent}")
    part = path.with_name(f".{path.name[:60]}.{os.getpid()}.part")
    unfinished.add(part)
    try:
        yield part
        part.replace(path)
    except OSError as error:
        raise UsageError(f"{option}: {path} cannot be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        unfinished.discard(part)


def check_file(path: Path, force: bool = False, option: str = "--out") -> None:
    """Refuse a file that could not be written in the end; to be asked before long work, not after it.

    Its folder may be missing yet.  What is no ordinary file, such as /dev/null, is not replaced by one.

    Raises
    ------
    UsageError
        Saying what is in the way.
    """
    if path.is_dir():
        raise UsageError(f"{option}: {path} is a folder; name a file")
    if os.path.lexists(path) and not force:
        raise UsageError(f"{option}: {path} exists; name another file, or give --force")
    if path.exists() and not path.is_file():
        raise UsageError(f"{option}: {path} is no ordinary file; name another")
    try:
        with tempfile.TemporaryFile(dir=next(place for place in path.absolute().parents if os.path.lexists(place))):
            pass
    except OSError as error:
        raise UsageError(f"{option}: {path} cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def standard_output() -> Iterator[Write]:
    """Give a function that writes bytes to standard output; a reader who leaves early ends the block in peace.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    stream = typer.get_binary_stream("stdout")

    def write(data: bytes) -> None:
        stream.write(data)
        if has_left(stream):
            raise BrokenPipeError

    try:
        yield write
        stream.flush()
    except BrokenPipeError:
        pass
    except OSError as error:
        # What is left in the buffer must not fail again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UsageError(f"standard output cannot be written: {error.strerror or error}") from None
