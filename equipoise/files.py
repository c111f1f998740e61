"""Writing of files, which appear complete or not at all, and of standard output."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import typer

from equipoise.process import together, unfinished
from simcore.atomic import hold, is_held, release, remove_leftovers, replacing
from simcore.errors import UsageError

# --- Recognise the files that our commands have written, and so may replace ---


_BEGINS = {
    ".csv": rb"([\w .]+,)*game_id(,[\w .]+)*\r?\n",
    ".html": rb'(?s).*<meta name="generator" content="Equipoise',
    ".json": (
        rb'\s*(\{\s*"(format": "equipoise|game": "[\w-]+",\s*"(rules|players|versions)": )'
        rb'|\[\s*(\]|\{\s*"description": "[^\n]*",\s*"check_name": "balance/))'
    ),
    ".jsonl": rb'\{[^\n]*"format": ?"equipoise-',
    ".md": rb"(## Balance\n|<!-- Equipoise -->\n)",
    ".parquet": rb"PAR1",
    ".pdf": rb"%PDF-",
    ".png": rb"(?s)\x89PNG.*Software\0Equipoise",
    ".svg": rb"(?s).*<!-- Equipoise -->\s*<svg",
    ".toml": rb'(?s).*format = "equipoise-',
    ".txt": rb"[^\n]+: game \d+ of seed ",
    ".xml": rb"(?s).*<testsuites[^>]*equipoise check",
}
"""The beginnings of files that our commands write, by the ending of the name."""

_ENDS = {
    ".parquet": rb"(?s).*(game_id|players|verdict|Software.{1,9}Equipoise)",
    ".pdf": rb"(?s).*/Creator \(Equipoise",
}
"""What the ends of some files also contain."""

_WITHOUT = (".json", ".jsonl", ".txt")
"""The kinds of files that are written under any name."""

_IN_DATA = re.compile(r"(figure|table)-[\w-]+\.csv")
"""Names of the tables beside a page, whose columns differ; their folder is called after the page."""

SAMPLE = 65_536
"""Number of bytes that are examined at the beginning of a file, and at its end."""


def is_ours(path: Path) -> bool:
    """Return whether a file is empty, or is a file with such a name that our commands write.

    Raises OSError if the file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE)
        file.seek(max(path.stat().st_size - SAMPLE, 0))
        tail = file.read(SAMPLE)
    suffix = path.suffix.lower()
    if path.parent.name.endswith("-data") and _IN_DATA.fullmatch(path.name):
        return True
    begins = [_BEGINS[suffix]] if suffix in _BEGINS else [_BEGINS[kind] for kind in _WITHOUT]
    known = any(re.match(mark, head) for mark in begins)
    return not head or (known and bool(re.match(_ENDS.get(suffix, b""), tail)))


# --- Standard output and standard error; what is printed after their reader has closed them is discarded ---


class _Stream(io.FileIO):
    """A stream of this process that discards everything once its reader has closed it.

    descriptor: The stream's file descriptor.
    gone: The error that shows that the reader is gone; for standard error, any error.
    """

    def __init__(self, descriptor: int, gone: type[OSError]) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self.gone = gone
        self.left = False

    def write(self, data: object) -> int:
        """Write bytes."""
        try:
            return super().write(data)  # type: ignore[arg-type]
        except self.gone:
            self.left = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return memoryview(data).nbytes  # type: ignore[arg-type]


def open_streams() -> None:
    """Let a reader stop early, as `head` does, without an error or a different exit code."""
    for name, gone in (("stdout", BrokenPipeError), ("stderr", OSError)):
        stream = getattr(sys, name)
        if not isinstance(stream, io.TextIOWrapper):
            continue
        stream.reconfigure(errors="replace")
        if os.name == "posix":
            stream.flush()
            binary = io.BufferedWriter(_Stream(stream.fileno(), gone))
            setattr(sys, name, io.TextIOWrapper(binary, stream.encoding, "replace", "\n", stream.line_buffering))


def has_left(stream: object) -> bool:
    """Return whether the reader of a binary stream of this process has closed it."""
    return getattr(getattr(stream, "raw", None), "left", False)


# --- Writing of files, which appear complete or not at all, and of standard output ---


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
    with claimed(target, option), _begun(path, target, option) as part:
        yield part


@contextlib.contextmanager
def _begun(path: Path, target: Path, option: str) -> Iterator[Path]:
    """Yield the path of a new file, which becomes the target of a path if the block ends without an error."""
    try:
        with replacing(target) as part:
            unfinished.append(part)
            try:
                yield part
            finally:
                unfinished.remove(part)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}", option) from None


def write_together(files: Iterable[tuple[Path, bytes]], page: Path, force: bool = False, option: str = "out") -> None:
    """Write files that belong together: all are whole before the first appears, and no signal comes between them.

    They appear in the opposite order, the page last; who writes the page keeps other processes from all of them.

    Raises UsageError if a file exists, or cannot be written; if it cannot be begun, none has changed.
    """
    made = list[Path]()
    with claimed(page, option), contextlib.ExitStack() as begun:
        begun.callback(_forget, made)
        for path, data in files:
            check_file(path, force, option)
            target = _target(path, option)
            new = [folder for folder in target.parents if not os.path.lexists(folder)]
            made += new
            unfinished.extend(reversed(new))
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UsageError(f"{target.parent} cannot be written: {error.strerror or error}", option) from None
            remove_leftovers(target)
            with begun.enter_context(_begun(path, target, option)).open("xb") as file:
                file.write(data)
        with together():
            begun.close()


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
