"""Write a run folder while its games are played."""

from __future__ import annotations

import hashlib
import shutil
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import polars as pl

from analysis.runs.frames import extra_frame, frame_of, system_reason, write_frame
from analysis.runs.manifest import FILE, Manifest, PartFile, check_name, first_line
from simcore.errors import UsageError
from simcore.lock import hold, release
from simcore.running.batch import Spec
from simcore.running.columns import ColumnBuffer
from simcore.running.executors import Part, Result

GAMES, TABLES = "games", "tables"
REPORT = {"report.html", "report.md", "report.pdf", "report-figures", "report-data"}
"""Files that `equipoise report` writes into the folder of a run; they are removed when the run is replaced."""

FORMATS = "equipoise-run/"
"""How the format of a run's manifest begins, whatever its version."""

MOST_TRIES = 100
"""How often to look for a free folder while others take them."""

SUFFIXES = {"parquet": (".parquet",), "csv": (".csv",), "both": (".parquet", ".csv")}


def check_free(folder: Path, force: bool = False) -> None:
    """Refuse what `claim` would refuse, and touch nothing.

    Raises
    ------
    UsageError
        If something is there already (with `force`, if it is no run folder).
    """
    check_name(folder, "out")
    run = _is_run(folder)
    try:
        if folder.is_dir():
            hold(folder)  # says so if another process writes there
            release(folder)
        if not (force and run) and folder.exists() and not _is_unbegun(folder):
            hint = "choose another folder, or replace that run with the option 'force'"
            if not run:
                hint = "it is no run, or holds other files too; choose another folder"
            raise UsageError(f"{folder} exists; {hint}", "out")
    except OSError as error:
        raise _unwritable(folder, error) from None


def claim(folder: Path, force: bool = False) -> None:
    """Make a new, empty run folder, and keep other processes out of it until its run ends.

    Raises
    ------
    UsageError
        If something is there already (with `force`, if it is no run folder), or it cannot be made.
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


def _unwritable(folder: Path, error: OSError) -> UsageError:
    return UsageError(f"{folder} cannot be written: {error.strerror or error}; choose another folder", "out")


def _is_run(folder: Path) -> bool:
    """Return whether a folder holds a run and nothing that is not the run's."""
    try:
        text = (folder / FILE).read_text(encoding="utf-8", errors="replace")
        inside = {path.name for path in folder.iterdir() if not path.name.startswith((f".{FILE}", ".report."))}
    except OSError:
        return False
    return FORMATS in text and inside <= {FILE, GAMES, TABLES, *REPORT}


def _is_unbegun(folder: Path) -> bool:
    """Return whether a folder is empty but for what a run leaves that was killed before its first manifest."""
    inside = [path for path in folder.rglob("*") if not path.name.startswith((f".{FILE}", ".part-"))]
    return folder.is_dir() and inside in ([], [folder / GAMES]) and all(path.is_dir() for path in inside)


def free_folder(base: Path, stem: str) -> Path:
    """Return the first of stem-1, stem-2, ... that is not taken under `base`."""
    number = 1
    while (base / f"{stem}-{number}").exists():
        number += 1
    return base / f"{stem}-{number}"


def claim_free(base: Path, stem: str) -> Path:
    """Make a run folder at the first of stem-1, stem-2, ... that is free, and that no other process takes meanwhile."""
    for _ in range(MOST_TRIES):
        folder = free_folder(base, stem)
        try:
            claim(folder)
        except UsageError:
            if not folder.exists():
                raise
        else:
            return folder
    raise UsageError(f"{base} cannot be written: too many runs begin at once; choose another folder", "out")


class RunWriter:
    """Writes parts as they come and keeps the manifest true.

    Parameters
    ----------
    folder
        An empty folder from `claim`.
    spec
        The run.
    detail
        Level of detail.
    table_format
        "parquet", "csv" or "both".
    command
        The command line, for the manifest.
    """

    def __init__(self, folder: Path, spec: Spec, detail: str, table_format: str, command: Sequence[str]) -> None:
        self.folder = folder
        self.spec = spec
        self.detail = detail
        self.suffixes = SUFFIXES[table_format]
        self._began = time.perf_counter()
        self._lock = threading.Lock()
        self._due, self._ended = 0.0, False
        self._done: dict[int, list[PartFile]] = {}
        self._extra: dict[int, dict[str, PartFile]] = {}
        self._manifest = Manifest.begin(spec, detail, table_format, command)
        try:
            self._write_manifest()
        except UsageError:
            with suppress(OSError):
                (folder / GAMES).rmdir()
                folder.rmdir()
            release(folder)
            raise

    def write(self, number: int, buffer: ColumnBuffer) -> None:
        """Write one part, with its share of the other tables; callable from several threads at once."""
        parts, extra = [], {}
        for suffix in self.suffixes:
            written = self._write_file(frame_of(self.spec, buffer), f"{GAMES}/part-{number:06d}{suffix}", buffer)
            if written is None:
                return
            parts.append(written)
        for table in buffer.extra.tables:
            frame = extra_frame(self.spec, table, buffer.games, buffer.extra)
            written = self._write_file(frame, f"{TABLES}/{table}-{number:06d}{self.suffixes[0]}", buffer)
            if written is None:
                return
            extra[table] = written
        with self._lock:
            self._done[number], self._extra[number] = parts, extra

    def _write_file(self, frame: pl.DataFrame, name: str, buffer: ColumnBuffer) -> PartFile | None:
        """Write a file of a part, whole or not at all; None where the run was given up meanwhile."""
        path = self.folder / name
        temporary = path.parent / f".{path.name}"
        try:
            path.parent.mkdir(exist_ok=True)
            write_frame(frame, temporary)
            with temporary.open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            with self._lock:
                if self._ended:
                    temporary.unlink()
                    return None
                temporary.replace(path)
        except (OSError, pl.exceptions.ComputeError) as error:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            reason = system_reason(error) or first_line(error)
            raise UsageError(
                f"{self.folder} cannot be written: {reason}; make room or choose another folder", "out"
            ) from None
        return PartFile(file=name, first=buffer.first, games=buffer.rows // self.spec.players, sha256=sha256)

    def finished(self, part: Part) -> None:
        """List a part in the manifest, or with one of the next where that would take a twentieth of the time."""
        if time.perf_counter() >= self._due and not self._ended:
            began = time.thread_time()
            self._update("running", None)
            self._due = time.perf_counter() + 20 * (time.thread_time() - began)

    def close(self, result: Result) -> Manifest:
        """Declare the run complete."""
        manifest = self._update("complete", result.digest)
        release(self.folder)
        return manifest

    def abandon(self, status: str) -> bool:
        """Say in the manifest that the run ended early; its parts stay, but for one where that makes room to say so.

        Returns
        -------
        bool
            Whether anything stays; a folder without one whole part goes.
        """
        with self._lock:
            self._ended = True
        try:
            return self._close_early(status)
        finally:
            release(self.folder)

    def _close_early(self, status: str) -> bool:
        for stray in (*(self.folder / GAMES).glob(".part-*"), *(self.folder / TABLES).glob(".*-*")):
            stray.unlink(missing_ok=True)
        if not self._done:
            with suppress(OSError):
                (self.folder / FILE).unlink()
                shutil.rmtree(self.folder / TABLES, ignore_errors=True)
                (self.folder / GAMES).rmdir()
                self.folder.rmdir()
            return False
        try:
            self._update(status, None)
        except UsageError:
            last = max(self._done, default=0)
            for part in (*self._done.pop(last, []), *self._extra.pop(last, {}).values()):
                (self.folder / part.file).unlink(missing_ok=True)
            with suppress(UsageError):
                self._update(status, None)
        return True

    def _update(self, status: str, digest: str | None) -> Manifest:
        with self._lock:
            done = [self._done[number] for number in sorted(self._done)]
            written = sum(parts[0].games for parts in done)
            self._manifest = self._manifest.model_copy(
                update={
                    "status": status,
                    "digest": digest,
                    "games_written": written,
                    "rows": written * self.spec.players,
                    "parts": [part for parts in done for part in parts],
                    "tables": self._tables(),
                    "seconds": round(time.perf_counter() - self._began, 3),
                }
            )
            self._write_manifest()
            return self._manifest

    def _tables(self) -> dict[str, list[PartFile]]:
        """Return the files of the other tables by name, in order of their games."""
        found: dict[str, list[PartFile]] = {}
        for number in sorted(self._extra):
            for table, part in self._extra[number].items():
                found.setdefault(table, []).append(part)
        return found

    def _write_manifest(self) -> None:
        try:
            self._manifest.write(self.folder)
        except OSError as error:
            raise UsageError(
                f"{self.folder / FILE} cannot be written: {error.strerror or error}; "
                "make room or choose another folder",
                "out",
            ) from None
