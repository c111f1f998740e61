"""What a place for the files of a run does: a folder, which several machines may share, or an object store."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import Protocol, Self

from analysis.runs.folders import Commit, Fill, Folder
from analysis.runs.manifest import Manifest
from analysis.runs.object_store import Store


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
