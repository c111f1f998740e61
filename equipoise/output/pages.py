"""Checking for existing files, and writing the files of a page."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from equipoise.files import REPLACE, check_file, whole_file
from simcore.errors import UsageError


def check(files: Sequence[Path], folders: Sequence[Path], force: bool) -> None:
    """Report before the work what would fail after it."""
    for path in files:
        check_file(path, force)
        _refuse_link(path)
    for path in folders:
        _refuse_link(path)
        if path.exists() and not path.is_dir():
            raise UsageError(f"{path} is not a folder; name another file", "out")
        if path.is_dir() and any(path.iterdir()) and not force:
            raise UsageError(f"{path} exists; name another file", "out", REPLACE)


def _refuse_link(path: Path) -> None:
    """Refuse to write through a link that came with a folder, such as the run of a stranger."""
    from analysis.runs.manifest import FILE

    stranger = next((place for place in (path.parent, path) if place.is_symlink()), None)
    if stranger and (stranger.parent / FILE).exists():
        raise UsageError(f"{stranger} is a link in a run folder, which leads elsewhere; remove it", "out")


def write(files: Iterable[tuple[Path, Callable[[], bytes]]], page: Path, force: bool) -> list[Path]:
    """Make all files, write them, and return the paths to show the user: single files, and each further folder once.

    files: The path of each file, and the function that makes its bytes.
    page: Path of the page; files in the same folder are returned one by one.
    force: Whether existing files may be replaced.
    """
    told: dict[Path, None] = {}
    for path, data in [(path, make()) for path, make in files]:
        _refuse_link(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{path.parent} cannot be written: {error.strerror or error}", "out") from None
        with whole_file(path, force) as put:
            put(data)
        told[path if path.parent == page.parent else path.parent] = None
    return list(told)


def has_desktop() -> bool:
    """Return whether the process runs in a terminal on a desktop."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
