"""Folders in an object store as places for the files of a run, accessed with fsspec."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.runs.folders import NEW, Commit, Fill, not_settled
from analysis.runs.manifest import FILE, Manifest, first_line
from analysis.runs.signing import signed
from simcore.errors import UsageError


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
