"""The places where the files of a run can go: a folder, which several machines may share, or an object store."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Container
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from analysis.runs.folders import GAMES, TABLES, TOTALS, check_free, claim, remove_strays
from analysis.runs.frames import system_reason
from analysis.runs.manifest import FILE, Manifest, check_name, first_line, signed
from simcore.errors import UsageError
from simcore.lock import hold, release

Fill = Callable[[Path], object]
"""Function that writes a file to a path on this machine."""

Commit = Callable[[Callable[[], object]], bool]
"""Function that moves a file into place unless the run was given up; returns whether it did so."""


class Place(Protocol):
    """A place where the files of a run go; it can be sent to other machines."""

    def check_free(self, force: bool = False) -> None:
        """Raise `UsageError` if something is in the way, without changing anything."""

    def claim(self, force: bool = False) -> None:
        """Make the place empty and keep other processes out; see `analysis.runs.folders.claim`."""

    def take_up(self) -> Manifest:
        """Keep other processes out, and return the manifest of the run that is to go on there."""

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


@dataclass(frozen=True)
class Folder:
    """A folder.

    Parameters
    ----------
    path
        Its path, the same on all machines that write there.
    """

    path: Path

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
        if not os.access(self.path, os.W_OK):
            raise UsageError(f"{self.path} cannot be written: Permission denied; choose another folder", "resume")
        hold(self.path, option="resume")
        try:
            manifest = Manifest.read(self.path)
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
            with (self.path / name).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            return None

    def put(self, name: str, fill: Fill, commit: Commit) -> str | None:
        """Write a file there, completely or not at all; return its SHA-256, or None if the run was given up."""
        path = self.path / name
        temporary = path.parent / f".{path.stem}-{uuid.uuid4().hex[:8]}{path.suffix}"
        try:
            path.parent.mkdir(exist_ok=True)
            fill(temporary)
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            if not commit(lambda: temporary.replace(path)):
                temporary.unlink()
                return None
        except (OSError, pl.exceptions.ComputeError) as error:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise _unwritable(self.path, system_reason(error) or first_line(error)) from None
        return sha256

    def put_manifest(self, manifest: Manifest) -> None:
        """Write the manifest there, completely or not at all."""
        try:
            manifest.write(self.path)
        except OSError as error:
            raise _unwritable(self.path / FILE, error.strerror or str(error)) from None

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


@dataclass(frozen=True)
class Store:
    """A folder in an object store, accessed with fsspec.

    Parameters
    ----------
    url
        URL such as "s3://bucket/runs/one".  Credentials are taken from the store's usual environment variables and
        files.
    """

    url: str

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
        self._found(force)

    def claim(self, force: bool = False) -> None:
        """Remove the run that is to be replaced."""
        system, root = self._files
        if self._found(force):
            with _told(self.url):
                system.rm(root, recursive=True)

    def _found(self, force: bool) -> bool:
        """Return whether there is a run that may be replaced."""
        system, root = self._files
        with _told(self.url):
            system.invalidate_cache()
            there = bool(system.find(root, maxdepth=1, withdirs=True))
            run = there and system.exists(f"{root}/{FILE}")
        if there and not (force and run):
            hint = "choose another place, or replace that run with the option 'force'"
            if not run:
                hint = "it is no run; choose another place"
            raise UsageError(f"{self.url} exists; {hint}", "out")
        return there

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
            system.pipe_file(f"{root}/{FILE}", signed(manifest.model_dump(mode="json")).encode())

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


def _unwritable(where: object, reason: str) -> UsageError:
    return UsageError(f"{where} cannot be written: {reason}; make room or choose another folder", "out")


def place_of(out: str | Path | Place) -> Place:
    """Return the place for a path or a URL."""
    if isinstance(out, str) and "://" in out:
        return Store(out)
    return Folder(Path(out)) if isinstance(out, str | Path) else out
