"""Where commands write to: files that appear whole or not at all, and standard output."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import typer

from equipoise.kinds import is_ours
from equipoise.output.outlet import has_left
from equipoise.signals import unfinished
from simcore.errors import UsageError
from simcore.lock import hold, is_held, release

SYSTEM = (("dev",), ("proc",), ("sys",))
"""Folders at the root whose files are none."""

Write = Callable[[bytes], object]


@contextlib.contextmanager
def whole_file(path: Path, force: bool = False, option: str = "out") -> Iterator[Write]:
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
def whole_path(path: Path, force: bool = False, option: str = "out") -> Iterator[Path]:
    """Give the path of a new file; it is moved to its place when the block ends well; see `whole_file`."""
    check_file(path, force, option)
    target = _target(path, option)
    if not target.parent.is_dir():
        raise UsageError(f"{path} cannot be written: No such file or directory: {path.parent}", option)
    part = target.with_name(f".{target.name[:60]}.{os.getpid()}.part")
    with claimed(target, option):
        unfinished.append(part)
        try:
            yield part
            part.replace(target)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}", option) from None
        finally:
            _forget([part])


@contextlib.contextmanager
def claimed(path: Path, option: str = "out") -> Iterator[None]:
    """Keep other processes from writing a file, or a page and what belongs to it, while the block runs.

    Folders that are missing are made; they go again where they stay empty.

    Raises
    ------
    UsageError
        If another process writes it, or the folder cannot be made.
    """
    guard = path.with_name(f".{path.name[:60]}.lock")
    if is_held(guard):
        yield
        return
    made = [folder for folder in path.parents if not os.path.lexists(folder)]
    unfinished.extend(reversed(made))
    try:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            guard.touch()
            hold(guard, path, option)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}", option) from None
        unfinished.append(guard)
        try:
            yield
        finally:
            _forget([guard])
            release(guard)
    finally:
        _forget(made)


def _forget(paths: Sequence[Path]) -> None:
    """Remove files, and folders that are empty."""
    for path in paths:
        with contextlib.suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
        with contextlib.suppress(ValueError):
            unfinished.remove(path)


def check_file(path: Path, force: bool = False, option: str = "out") -> None:
    """Refuse a file that could not be written in the end; to be asked before long work, not after it.

    Its folder may be missing yet.  A link stands for the file that it leads to.  What is not an ordinary file, such as
    /dev/null, is not replaced by one, nor is a file that no command of ours has written.

    Raises
    ------
    UsageError
        Saying what is in the way.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file", option)
    if os.path.lexists(path) and not force:
        raise UsageError(f"{path} exists; name another file, or replace it with the option 'force'", option)
    target = _target(path, option)
    if target.exists() and not target.is_file():
        raise UsageError(f"{path} is not an ordinary file; name another", option)
    for place in (path.absolute(), target):
        if place.parts[1:2] in SYSTEM and place.parts[1:3] != ("dev", "shm"):
            raise UsageError(f"{path} cannot be written: the system keeps no files there; name another", option)
    try:
        if target.exists() and not is_ours(target):
            raise UsageError(f"{path} holds something that this command did not write; name another file", option)
        with tempfile.TemporaryFile(dir=next(place for place in target.parents if os.path.lexists(place))):
            pass
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}", option) from None


def _target(path: Path, option: str) -> Path:
    """Return the file that a path leads to, links followed.

    Raises
    ------
    UsageError
        If it leads in a circle.
    """
    try:
        target = path.resolve()
        circle = target.is_symlink()
    except (OSError, RuntimeError):
        circle = True
    if circle:
        raise UsageError(f"{path} is a link that leads in a circle; name another file", option)
    return target


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
