"""Writing of files, which appear complete or not at all, and of standard output."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import typer

from equipoise.our_files import is_ours
from equipoise.output.standard_streams import has_left
from equipoise.signals import unfinished
from simcore.atomic import hold, is_held, release, remove_leftovers, replacing
from simcore.errors import UsageError

SYSTEM = (("dev",), ("proc",), ("sys",))
"""Folders at the root that contain no ordinary files."""

REPLACE = (", or replace it with", "force")
"""How messages go on about a file that exists."""

Write = Callable[[bytes], object]


@contextlib.contextmanager
def whole_file(path: Path, force: bool = False, option: str = "out") -> Iterator[Write]:
    """Yield a function that writes bytes; the file appears only if the block ends without an error.

    path: Path of the file.
    force: Whether an existing file may be replaced.
    option: The option that messages name.
    Raises UsageError if the file exists, or cannot be written.
    """
    with whole_path(path, force, option) as part, part.open("xb") as file:
        yield file.write


@contextlib.contextmanager
def whole_path(path: Path, force: bool = False, option: str = "out") -> Iterator[Path]:
    """Yield the path of a new file, which is moved into place if the block ends without an error; see `whole_file`."""
    check_file(path, force, option)
    target = _target(path, option)
    if not target.parent.is_dir():
        raise UsageError(f"{path} cannot be written: No such file or directory: {path.parent}", option)
    with claimed(target, option):
        try:
            with replacing(target) as part:
                unfinished.append(part)
                try:
                    yield part
                finally:
                    unfinished.remove(part)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}", option) from None


@contextlib.contextmanager
def claimed(path: Path, option: str = "out") -> Iterator[None]:
    """Keep other processes from writing a file, or a page and its files, while the block runs.

    Missing folders are made, and removed again if they stay empty.

    Raises UsageError if another process is writing it, or the folder cannot be made.
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
            remove_leftovers(path)
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
    """Refuse a file that could not be written later; to be called before long work.

    The file's folder need not exist yet.  A link stands for the file that it leads to.  Anything that is not an
    ordinary file, such as /dev/null, is not replaced by a file, and neither is a file that none of our commands has
    written.

    Raises UsageError if the file cannot be written; the message says why.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file", option)
    if os.path.lexists(path) and not force:
        raise UsageError(f"{path} exists; name another file", option, REPLACE)
    target = _target(path, option)
    if target.exists() and not target.is_file():
        raise UsageError(f"{path} is not an ordinary file; name another", option)
    for place in (path.absolute(), target):
        if place.parts[1:2] in SYSTEM and place.parts[1:3] != ("dev", "shm"):
            raise UsageError(f"{path} cannot be written: this is not a place for files; name another", option)
    try:
        if target.exists() and not is_ours(target):
            raise UsageError(f"{path} contains something that no command of this kind wrote; name another file", option)
        with tempfile.TemporaryFile(dir=next(place for place in target.parents if os.path.lexists(place))):
            pass
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}", option) from None


def _target(path: Path, option: str) -> Path:
    """Return the file that a path leads to after following links.

    Raises UsageError if the links form a circle.
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
    """Yield a function that writes bytes to standard output; if the reader closes it, the block ends without an error.

    Raises UsageError if standard output cannot be written.
    """
    try:
        stream = typer.get_binary_stream("stdout")
    except RuntimeError:  # `>&-`
        raise UsageError("standard output is closed; name a file", "out") from None

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
