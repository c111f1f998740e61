"""Run folders as places for the files of a run: where one may be made, and by one process at a time."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.runs.frames import system_reason
from analysis.runs.manifest import FILE, Manifest, check_name
from simcore.atomic import replacing
from simcore.errors import UsageError
from simcore.lock import hold, release

GAMES, TABLES, TOTALS = "games", "tables", "totals"
REPORT = {"report.html", "report.md", "report.pdf", "report-figures", "report-data"}
"""Files that `equipoise report` writes into the folder of a run; they are removed when the run is replaced."""

FORMATS = "equipoise-run/"
"""Prefix of the format of a run's manifest, in every version."""

MAKE_ROOM = "make room or choose another folder"

MOST_TRIES = 100
"""Number of attempts to find a free folder while other processes take them."""

Fill = Callable[[Path], object]
"""Function that writes a file to a path on this machine."""

Commit = Callable[[Callable[[], object]], bool]
"""Function that moves a file into place unless the run was given up; returns whether it did so."""


def check_free(folder: Path, force: bool = False) -> None:
    """Refuse a folder that `claim` would refuse, without changing anything.

    Raises UsageError if the folder exists (with `force`: if it exists and is no run folder).
    """
    check_name(folder, "out")
    run = _is_run(folder)
    try:
        if folder.is_dir():
            hold(folder)  # says so if another process writes there
            release(folder)
        if not (force and run) and folder.exists() and not _is_unbegun(folder):
            if not run:
                raise UsageError(
                    f"{folder} exists; it is no run, or holds other files too; choose another folder", "out"
                )
            raise UsageError(f"{folder} exists; choose another folder", "out", (", or replace that run with", "force"))
    except OSError as error:
        raise _unwritable(folder, error) from None


def claim(folder: Path, force: bool = False) -> None:
    """Make a new, empty run folder, and keep other processes out of it until its run ends.

    Raises
    ------
    UsageError
        If the folder exists (with `force`: if it exists and is no run folder), or it cannot be made.
    """
    check_free(folder, force)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        hold(folder)
        if not _is_unbegun(folder) and not (force and _is_run(folder)):
            release(folder)
            raise UsageError(f"{folder} exists; choose another folder", "out")
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        (folder / GAMES).mkdir()
    except OSError as error:
        raise _unwritable(folder, error) from None


@contextmanager
def beside(folder: Path) -> Iterator[Path]:
    """Yield a new hidden folder next to another one; it is removed in the end."""
    above = folder.absolute().parent
    try:
        above.mkdir(parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(prefix=f".{folder.name[:60]}.", dir=above)
    except OSError as error:
        raise _unwritable(above, error) from None
    with made as place:
        yield Path(place)


def move_in(whole: Path, folder: Path) -> None:
    """Put a complete run, in a folder of the same disk, in the place of an earlier one or of nothing."""
    claim(folder, force=True)
    try:
        (folder / GAMES).rmdir()
        for path in sorted(whole.iterdir(), key=lambda path: path.name == FILE):  # the manifest comes last
            path.rename(folder / path.name)
    except OSError as error:
        raise _unwritable(folder, error) from None
    finally:
        release(folder)


def _unwritable(path: Path, error: Exception, cure: str = "choose another folder") -> UsageError:
    return UsageError(f"{path} cannot be written: {system_reason(error)}; {cure}", "out")


def _is_run(folder: Path) -> bool:
    """Return whether a folder contains a run and nothing else."""
    try:
        if not (folder / FILE).is_file():
            return False
        text = (folder / FILE).read_text(encoding="utf-8", errors="replace")
        inside = {path.name for path in folder.iterdir() if not path.name.startswith((f".{FILE}", ".report."))}
    except OSError:
        return False
    return FORMATS in text and inside <= {FILE, GAMES, TABLES, TOTALS, *REPORT}


def _is_unbegun(folder: Path) -> bool:
    """Return whether a folder is empty, except for files of a run that was killed before its first manifest."""
    inside = [path for path in folder.rglob("*") if not path.name.startswith((f".{FILE}", ".part-"))]
    return folder.is_dir() and inside in ([], [folder / GAMES]) and all(path.is_dir() for path in inside)


def free_folder(base: Path, stem: str) -> Path:
    """Return the first of stem-1, stem-2, ... that does not exist in `base`."""
    number = 1
    while (base / f"{stem}-{number}").exists():
        number += 1
    return base / f"{stem}-{number}"


def claim_free(base: Path, stem: str) -> Path:
    """Make a run folder at the first of stem-1, stem-2, ... that is free and that no other process takes first."""
    for _ in range(MOST_TRIES):
        folder = free_folder(base, stem)
        try:
            claim(folder)
        except UsageError:
            if not folder.exists():
                raise
        else:
            return folder
    raise UsageError(f"{base} cannot be written: too many runs start at once; choose another folder", "out")


def check_rooms(folder: Path) -> None:
    """Raise `UsageError` if a folder inside a run is a link: files elsewhere would be removed and written."""
    for name in (GAMES, TABLES, TOTALS):
        if (folder / name).is_symlink():
            raise UsageError(f"{folder / name} is a link to another folder; put a folder in its place", "resume")


def remove_strays(folder: Path) -> None:
    """Remove the incomplete files of a run."""
    places = (folder, f".{FILE}.*"), *((folder / name, ".*-*") for name in (GAMES, TABLES, TOTALS))
    for stray in [path for place, pattern in places for path in place.glob(pattern)]:
        stray.unlink(missing_ok=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class Folder:
    """A folder as a place for the files of a run."""

    path: Path  # its path, the same on all machines that write there

    def check_free(self, force: bool = False) -> None:
        """Raise `UsageError` if something is in the way, without changing anything."""
        check_free(self.path, force)

    def claim(self, force: bool = False) -> None:
        """Make the empty folder, and keep other processes out of it until the run ends."""
        claim(self.path, force)

    def take_up(self) -> Manifest:
        """Keep other processes out, remove files that were not written to their end, and return the manifest."""
        check_name(self.path, "resume")
        if not self.path.is_dir():
            raise UsageError(f"{self.path}: no such run folder", "resume")
        if _is_unbegun(self.path) and any(self.path.iterdir()):
            raise UsageError(f"{self.path}: the run was stopped before it began; begin it again", "resume")
        if not os.access(self.path, os.W_OK):
            raise UsageError(f"{self.path} cannot be written: Permission denied; choose another folder", "resume")
        hold(self.path, option="resume")
        try:
            manifest = Manifest.read(self.path)
            check_rooms(self.path)
        except UsageError:
            self.release()
            raise
        remove_strays(self.path)
        return manifest

    def read(self, name: str) -> bytes:
        """Return what is in a file."""
        return (self.path / name).read_bytes()

    def sha256(self, name: str) -> str | None:
        """Return the SHA-256 of a file; None if it is missing or cannot be read."""
        try:
            return _sha256(self.path / name)
        except OSError:
            return None

    def put(self, name: str, fill: Fill, commit: Commit) -> str | None:
        """Write a file there, completely or not at all; return its SHA-256, or None if the run was given up."""
        path, done = self.path / name, list[bool]()
        try:
            path.parent.mkdir(exist_ok=True)
            with replacing(path, durable=True, commit=lambda move: done.append(commit(move))) as part:
                fill(part)
                sha256 = _sha256(part)
        except (OSError, pl.exceptions.ComputeError) as error:
            raise _unwritable(self.path, error, MAKE_ROOM) from None
        return sha256 if all(done) else None

    def put_manifest(self, manifest: Manifest) -> None:
        """Write the manifest there, completely or not at all."""
        try:
            manifest.write(self.path)
        except OSError as error:
            raise _unwritable(self.path / FILE, error, MAKE_ROOM) from None

    def remove(self, name: str) -> None:
        """Remove a file."""
        (self.path / name).unlink(missing_ok=True)

    def tidy(self, listed: Container[str]) -> None:
        """Remove the run's files that are not listed."""
        remove_strays(self.path)
        for room in (GAMES, TABLES, TOTALS):
            for path in (self.path / room).glob("*-*"):
                if f"{room}/{path.name}" not in listed:
                    path.unlink(missing_ok=True)

    def drop(self) -> None:
        """Remove a run that has no part."""
        with suppress(OSError):
            (self.path / FILE).unlink(missing_ok=True)
            for room in (TABLES, TOTALS, GAMES):
                shutil.rmtree(self.path / room, ignore_errors=True)
            self.path.rmdir()

    def release(self) -> None:
        """Let other processes write there."""
        release(self.path)

    def __str__(self) -> str:
        return str(self.path)
