"""Run folders as places for the files of a run: where one may be made, and by one process at a time."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, Self

import polars as pl

from analysis.runs.frames import system_reason
from analysis.runs.manifest import FILE, Manifest, check_name, first_line, signed
from simcore.atomic import hidden, hold, release, remove_leftovers, replacing
from simcore.errors import UsageError

GAMES, TABLES, TOTALS = "games", "tables", "totals"
REPORT = {"report.html", "report.md", "report.pdf", "report-figures", "report-data"}
"""Files that `equipoise report` writes into the folder of a run; they are removed when the run is replaced."""

FORMATS = "equipoise-run/"
"""Prefix of the format of a run's manifest, in every version."""

NEW = ".new"
"""How the name of a run ends that takes the place of another one once it is whole."""

MAKE_ROOM = "make room or choose another folder"

MOST_TRIES = 100
"""Number of attempts to find a free folder while other processes take them."""

Fill = Callable[[Path], object]
"""Function that writes a file to a path on this machine."""

Commit = Callable[[Callable[[], object]], bool]
"""Function that moves a file into place unless the run was given up; returns whether it did so."""


def check_free(folder: Path, force: bool = False) -> None:
    """Refuse a folder that a run may not take, without changing anything.

    Raises UsageError if the folder exists (with `force`: if it exists and is no run folder).
    """
    check_name(folder, "out")
    run = _is_run(folder)
    try:
        _check_unheld(folder)
        if run and force and os.path.ismount(folder):  # pathlib takes "." for one
            raise UsageError(f"{folder} is a disk of its own, which no folder can replace; name a folder in it", "out")
        if not (force and run) and folder.exists() and not is_unbegun(folder):
            if not run:
                raise UsageError(
                    f"{folder} exists; it is no run, or holds other files too; choose another folder", "out"
                )
            raise UsageError(f"{folder} exists; choose another folder", "out", (", or replace that run with", "force"))
    except OSError as error:
        raise _unwritable(folder, error) from None


def claim(folder: Path, force: bool = False) -> Folder:
    """Make a new, empty run folder, and keep other processes out of it until its run ends.

    A run that is to be replaced stays as it is; the new folder stands beside it until `Folder.settle`.

    Raises UsageError if the folder exists (with `force`: if it exists and is no run folder), or it cannot be made.
    """
    check_free(folder, force)
    made = Folder(folder)
    if force and _is_run(folder):
        made = Folder(_new(folder), made.sha256(FILE))
        _check_new(made.path)
    try:
        made.path.mkdir(parents=True, exist_ok=True)
        hold(made.path)
        if not is_unbegun(made.path) and not (made.replaces and _is_to_replace(made.path)):
            made.release()
            raise UsageError(f"{made} exists; choose another folder", "out")
        remove_leftovers(folder.absolute())
        for path in made.path.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        (made.path / GAMES).mkdir()
    except OSError as error:
        raise _unwritable(made.path, error) from None
    return made


def _new(folder: Path) -> Path:
    """Return the folder beside a run in which the one that replaces it stands until it is whole."""
    target = followed(folder)
    return target.with_name(f"{target.name}{NEW}")


def followed(folder: Path) -> Path:
    """Return the folder that a link leads to; a folder that is no link stays as it is named."""
    return folder.resolve() if folder.is_symlink() or folder.name in ("", "..") else folder


def _check_new(new: Path) -> None:
    """Refuse what is in the way of a run that is to replace the one beside it, unless it was begun for that, too."""
    _check_unheld(new)
    if new.exists() and not is_unbegun(new) and not _is_to_replace(new):
        raise UsageError(f"{new} exists, where the new run would be until it is whole; choose another folder", "out")


def _check_unheld(folder: Path) -> None:
    """Raise `UsageError` if another process writes there."""
    if folder.is_dir():
        hold(folder)
        release(folder)


@contextmanager
def beside(folder: Path) -> Iterator[Path]:
    """Yield a new hidden folder next to another one; it is removed in the end."""
    place = hidden(folder.absolute())
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(folder.absolute())
        place.mkdir()
        hold(place)
    except OSError as error:
        raise _unwritable(place.parent, error) from None
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        release(place)


def move_in(whole: Path, folder: Path, force: bool = False) -> None:
    """Put complete runs, in a folder of the same disk, in the place of nothing, or with `force` of an earlier run."""
    check_free(folder, force)
    old = hidden(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.exists():
            hold(folder)  # also under its other name, until it is removed
            folder.rename(old)
        whole.rename(folder)
    except OSError as error:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise _unwritable(folder, error) from None
    else:
        shutil.rmtree(old, ignore_errors=True)
    finally:
        release(folder)


def not_settled(error: UsageError, new: object) -> UsageError:
    """Return the error that also says where the whole run is that could not replace another one."""
    return UsageError(f"{error.message}; the new run is whole, in {new}", "out")


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


def _is_to_replace(folder: Path) -> bool:
    """Return whether a folder contains a run that was begun to replace the one beside it, and is not whole yet."""
    try:
        return _is_run(folder) and (begun := Manifest.read(folder)).replaces is not None and begun.status != "complete"
    except UsageError:
        return False


def is_unbegun(folder: Path) -> bool:
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
    replaces: str | None = None  # SHA-256 of the manifest of the run beside it whose place it takes in the end

    def check_free(self, force: bool = False) -> None:
        """Raise `UsageError` if something is in the way, without changing anything."""
        check_free(self.path, force)
        if _is_run(self.path):
            _check_new(_new(self.path))

    def claim(self, force: bool = False) -> Folder:
        """Make the empty folder, or one beside the run that it is to replace, and keep other processes out of it."""
        return claim(self.path, force)

    def target(self, manifest: Manifest) -> Path | None:
        """Return the folder of the run that this one replaces; None if it replaces none."""
        named = manifest.replaces is not None and self.path.name.endswith(NEW)
        return self.path.with_name(self.path.name.removesuffix(NEW)) if named else None

    def settle(self, manifest: Manifest) -> Folder:
        """Put a whole run in the place of the one that it replaces, and return its folder."""
        target = self.target(manifest)
        if target is None:
            return self
        try:
            if target.exists() and not (_is_run(target) and Folder(target).sha256(FILE) == manifest.replaces):
                raise UsageError(f"{target} has changed since the new run began")
            move_in(self.path, target, force=True)
        except UsageError as error:
            raise not_settled(error, self) from None
        Folder(target).put_manifest(manifest.model_copy(update={"replaces": None}))
        self.release()
        return Folder(target)

    def room(self) -> tuple[int, int]:
        """Return the bytes that the run's files take, and those that are free."""
        files = [path for room in (GAMES, TABLES, TOTALS) for path in (self.path / room).glob("*")]
        return sum(path.stat().st_size for path in files), shutil.disk_usage(self.path).free

    def take_up(self) -> Manifest:
        """Keep other processes out, remove files that were not written to their end, and return the manifest."""
        check_name(self.path, "resume")
        if not self.path.is_dir():
            raise UsageError(f"{self.path}: no such run folder", "resume")
        if is_unbegun(self.path) and any(self.path.iterdir()):
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


# --- Folders in an object store as places for the files of a run, accessed with fsspec ---


@dataclass(frozen=True)
class Store:
    """A folder in an object store."""

    url: str
    """URL such as "s3://bucket/runs/one".  Credentials are taken from the store's usual environment variables and
    files."""
    replaces: str | None = None  # SHA-256 of the manifest of the run beside it whose place it takes in the end

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", self.url.rstrip("/"))

    @cached_property
    def _files(self) -> tuple[Any, str]:
        """The file system, and the path in it."""
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise UsageError(
                f"{self.url}: needs fsspec; install it with: pip install 'equipoise[cluster]'", "out"
            ) from None
        try:
            found: tuple[Any, str] = url_to_fs(self.url)
        except (ImportError, ValueError) as error:
            raise UsageError(f"{self.url}: {first_line(error)}", "out") from None
        return found

    def check_free(self, force: bool = False) -> None:
        """Raise `UsageError` if something is in the way or the store cannot be reached, without changing anything."""
        if self._found(force):
            self._new()

    def claim(self, force: bool = False) -> Store:
        """Return this place, or an empty one beside the run that it is to replace."""
        if not self._found(force):
            return self
        new = self._new()
        new._remove_all()
        return new

    def _new(self) -> Store:
        """Return the place beside this run for the one that replaces it, which may have been begun there before."""
        new = Store(f"{self.url}{NEW}", self.sha256(FILE))
        if new._found(True) and new.take_up().replaces is None:
            raise UsageError(f"{new} exists, where the new run would be until it is whole; choose another place", "out")
        return new

    def _remove_all(self) -> None:
        system, root = self._files
        with _told(self.url), suppress(FileNotFoundError):
            system.rm(root, recursive=True)

    def target(self, manifest: Manifest) -> Store | None:
        """Return the place of the run that this one replaces; None if it replaces none."""
        named = manifest.replaces is not None and self.url.endswith(NEW)
        return Store(self.url.removesuffix(NEW)) if named else None

    def settle(self, manifest: Manifest) -> Store:
        """Put a whole run in the place of the one that it replaces, and return its place."""
        target = self.target(manifest)
        if target is None:
            return self
        try:
            if target.sha256(FILE) not in (None, manifest.replaces):
                raise UsageError(f"{target} has changed since the new run began")
            target._remove_all()
            system, root = self._files
            with _told(target.url):
                for part in [*manifest.parts, *(part for parts in manifest.tables.values() for part in parts)]:
                    system.mv(f"{root}/{part.file}", f"{target._files[1]}/{part.file}")
            target.put_manifest(manifest.model_copy(update={"replaces": None}))
        except UsageError as error:
            raise not_settled(error, self) from None
        self._remove_all()
        return target

    def _found(self, force: bool) -> bool:
        """Return whether there is a run that may be replaced."""
        system, root = self._files
        with _told(self.url):
            system.invalidate_cache()
            there = bool(system.find(root, maxdepth=1, withdirs=True))
            run = there and system.exists(f"{root}/{FILE}")
        if there and not (force and run):
            if not run:
                raise UsageError(f"{self.url} exists; it is no run; choose another place", "out")
            raise UsageError(f"{self.url} exists; choose another place", "out", (", or replace that run with", "force"))
        return there

    def room(self) -> None:
        """Return None, because an object store has as much room as is paid for."""

    def take_up(self) -> Manifest:
        """Return the manifest; an object store knows no locks, so nothing keeps other processes out."""
        try:
            return Manifest.parse(self.read(FILE), f"{self.url}/{FILE}")
        except FileNotFoundError:
            raise UsageError(f"{self.url}: no run is there; it has no {FILE}", "resume") from None

    def read(self, name: str) -> bytes:
        """Return what is in a file."""
        system, root = self._files
        try:
            system.invalidate_cache()
            return bytes(system.cat_file(f"{root}/{name}"))
        except FileNotFoundError:
            raise
        except Exception as error:
            raise UsageError(f"{self.url} cannot be read: {first_line(error)}", "resume") from None

    def sha256(self, name: str) -> str | None:
        """Return the SHA-256 of a file; None if it is missing."""
        try:
            return hashlib.sha256(self.read(name)).hexdigest()
        except FileNotFoundError:
            return None

    def put(self, name: str, fill: Fill, commit: Commit) -> str | None:
        """Write a file there, completely or not at all; return its SHA-256, or None if the run was given up."""
        system, root = self._files
        with tempfile.TemporaryDirectory(prefix="equipoise-") as folder, _told(self.url):
            path = Path(folder) / Path(name).name
            fill(path)
            with path.open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            if not commit(lambda: None):  # others need not wait while this is sent
                return None
            system.put_file(str(path), f"{root}/{name}")
        return sha256

    def put_manifest(self, manifest: Manifest) -> None:
        """Write the manifest there, completely or not at all."""
        system, root = self._files
        with _told(self.url):
            system.pipe_file(f"{root}/{FILE}", signed(manifest.to_dict()).encode())

    def remove(self, name: str) -> None:
        """Remove a file."""
        system, root = self._files
        with _told(self.url), suppress(FileNotFoundError):
            system.rm_file(f"{root}/{name}")

    def tidy(self, listed: Container[str]) -> None:
        """Remove the run's files that are not listed."""
        system, root = self._files
        with _told(self.url):
            system.invalidate_cache()
            for path in system.find(root):
                name = path.removeprefix(system._strip_protocol(root)).lstrip("/")
                if name != FILE and name not in listed:
                    system.rm_file(path)

    def drop(self) -> None:
        """Remove a run that has no part."""
        self.remove(FILE)

    def release(self) -> None:
        """Do nothing, because an object store has no locks."""

    def __str__(self) -> str:
        return self.url


class _told:
    """Turns any error of a store into one line."""

    def __init__(self, url: str) -> None:
        self.url = url

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, FileNotFoundError):
            raise UsageError(f"{self.url} cannot be written: there is no such bucket; make it first", "out") from None
        if isinstance(error, Exception) and not isinstance(error, UsageError):
            raise UsageError(
                f"{self.url} cannot be written: {first_line(error)}; check the address and your keys", "out"
            ) from None


# --- What a place for the files of a run does: a folder, which several machines may share, or an object store ---


class Place(Protocol):
    """A place where the files of a run go; it can be sent to other machines."""

    def check_free(self, force: bool = False) -> None:
        """Raise `UsageError` if something is in the way, without changing anything."""

    @property
    def replaces(self) -> str | None:
        """SHA-256 of the manifest of the run beside it whose place it takes in the end; None if there is none."""

    def claim(self, force: bool = False) -> Self:
        """Make the place empty, or one beside the run that it is to replace, and keep other processes out of it."""

    def target(self, manifest: Manifest) -> object:
        """Return the place of the run that this one replaces; None if it replaces none."""

    def settle(self, manifest: Manifest) -> Self:
        """Put a whole run in the place of the one that it replaces, and return its place."""

    def take_up(self) -> Manifest:
        """Keep other processes out, and return the manifest of the run that is to go on there."""

    def room(self) -> tuple[int, int] | None:
        """Return the bytes that the run's files take and those that are free; None if that cannot be known."""

    def read(self, name: str) -> bytes:
        """Return what is in a file."""

    def sha256(self, name: str) -> str | None:
        """Return the SHA-256 of a file; None if it is missing or cannot be read."""

    def put(self, name: str, fill: Fill, commit: Commit) -> str | None:
        """Write a file there, completely or not at all; return its SHA-256, or None if the run was given up."""

    def put_manifest(self, manifest: Manifest) -> None:
        """Write the manifest there, completely or not at all."""

    def remove(self, name: str) -> None:
        """Remove a file."""

    def tidy(self, listed: Container[str]) -> None:
        """Remove the run's files that are not listed."""

    def drop(self) -> None:
        """Remove a run that has no part."""

    def release(self) -> None:
        """Let other processes write there."""


def place_of(out: str | Path | Place) -> Place:
    """Return the place for a path or a URL."""
    if isinstance(out, str) and "://" in out:
        return Store(out)
    return Folder(Path(out)) if isinstance(out, str | Path) else out
