"""Write a run folder while its games are played."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import polars as pl

from analysis.runs.folders import GAMES, TABLES, TOTALS, remove_strays
from analysis.runs.frames import extra_frame, frame_of, system_reason, write_frame
from analysis.runs.manifest import FILE, Manifest, PartFile, first_line
from simcore.errors import UsageError
from simcore.lock import release
from simcore.running.batch import Spec
from simcore.running.columns import ColumnBuffer
from simcore.running.executors import PlayedPart, Result
from simcore.running.totals import Also, Totals

SUFFIXES = {"parquet": (".parquet",), "csv": (".csv",), "both": (".parquet", ".csv"), "none": ()}


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
    tables
        Names of the tables next to the one by seat.
    precision
        How narrow the intervals are to be, for a run that ends once they are.

    Attributes
    ----------
    totals : Totals
        What the games of the finished parts came to.
    columns
        Level of detail of the columns that it writes; None: it writes none.
    also
        Makes the further sums that it keeps; None: it keeps none.
    """

    def __init__(
        self,
        folder: Path,
        spec: Spec,
        detail: str,
        table_format: str,
        command: Sequence[str],
        tables: Sequence[str] = (),
        precision: str | None = None,
    ) -> None:
        manifest = Manifest.begin(spec, detail, table_format, command, tables, precision)
        self._set(folder, spec, manifest, Totals(spec))
        try:
            self._write_manifest(self._manifest)
        except UsageError:
            with suppress(OSError):
                (folder / GAMES).rmdir()
                folder.rmdir()
            release(folder)
            raise

    @classmethod
    def again(cls, folder: Path, spec: Spec, manifest: Manifest, totals: Totals) -> Self:
        """Return the writer of a run that ended early and goes on now; see `analysis.runs.resuming`."""
        writer = cls.__new__(cls)
        writer._set(folder, spec, manifest, totals)
        for part in manifest.parts:
            writer._done.setdefault(part.number, []).append(part)
        for table, parts in manifest.tables.items():
            for part in parts:
                writer._extra.setdefault(part.number, {})[table] = part
        writer._finished.update(writer._done)
        return writer

    def _set(self, folder: Path, spec: Spec, manifest: Manifest, totals: Totals) -> None:
        self.folder, self.spec, self.totals = folder, spec, totals
        self.columns: str | None = manifest.detail
        self.also: Also | None = None
        self.suffixes = SUFFIXES[manifest.table_format]
        self._manifest = manifest
        self._began = time.perf_counter() - manifest.seconds
        self._lock = threading.Lock()
        self._due, self._ended = 0.0, False
        self._done: dict[int, list[PartFile]] = {}
        self._extra: dict[int, dict[str, PartFile]] = {}
        self._finished: set[int] = set()

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
                os.fsync(file.fileno())
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

    def finished(self, part: PlayedPart) -> None:
        """List a part in the manifest, or with one of the next where that would take a twentieth of the time."""
        with self._lock:
            self._count(part)
        if self.totals.games and time.perf_counter() >= self._due and not self._ended:
            began = time.thread_time()
            self._update("running", None)
            self._due = time.perf_counter() + 20 * (time.thread_time() - began)

    def _count(self, part: PlayedPart) -> None:
        """Count a part among those that the manifest lists."""
        self.totals.merge(part.totals)
        self._finished.add(part.number)

    def extend(self, games: int) -> None:
        """Let the run have so many games; for runs that end when their intervals are narrow enough."""
        with self._lock:
            self._manifest = self._manifest.model_copy(update={"games": games})

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
        remove_strays(self.folder)
        for number in set(self._done) - self._finished:
            self._forget(number)
        if not self.totals.games:
            with suppress(OSError):
                (self.folder / FILE).unlink()
                for name in (TABLES, TOTALS, GAMES):
                    shutil.rmtree(self.folder / name, ignore_errors=True)
                self.folder.rmdir()
            return False
        try:
            self._update(status, None)
        except UsageError:
            self._go_back()
            with suppress(UsageError):
                self._update(status, None)
        return True

    def _go_back(self) -> None:
        """Forget the parts that the manifest on the disk does not list, which makes room for another manifest."""
        listed = {part.number for part in self._manifest.parts}
        for number in self._finished - listed:
            self._forget(number)
        self._finished = listed
        self.totals = Totals.from_dict(self.spec, self._manifest.totals or Totals(self.spec).to_dict())

    def _forget(self, number: int) -> None:
        """Remove the files of a part that is not listed."""
        for part in (*self._done.pop(number), *self._extra.pop(number, {}).values()):
            (self.folder / part.file).unlink(missing_ok=True)

    def _update(self, status: str, digest: str | None) -> Manifest:
        with self._lock:
            manifest = self._manifest.model_copy(
                update={
                    "status": status,
                    "digest": digest,
                    **self._listed(),
                    "totals": self.totals.to_dict(),
                    "seconds": round(time.perf_counter() - self._began, 3),
                }
            )
            self._write_manifest(manifest)
            self._manifest = manifest
            self._settle()
            return manifest

    def _listed(self) -> dict[str, Any]:
        """Return what the manifest says of the finished parts."""
        done = [self._done[number] for number in sorted(self._finished)]
        written = sum(parts[0].games for parts in done)
        return {
            "games_written": written,
            "rows": written * self.spec.players,
            "parts": [part for parts in done for part in parts],
            "tables": self._tables(),
        }

    def _settle(self) -> None:
        """Remove what the manifest no longer lists."""

    def _tables(self) -> dict[str, list[PartFile]]:
        """Return the files of the other tables by name, in order of their games."""
        found: dict[str, list[PartFile]] = {table: [] for table in self._manifest.tables}
        for number in sorted(self._finished & set(self._extra)):
            for table, part in self._extra[number].items():
                found.setdefault(table, []).append(part)
        return found

    def _write_manifest(self, manifest: Manifest) -> None:
        try:
            manifest.write(self.folder)
        except OSError as error:
            raise UsageError(
                f"{self.folder / FILE} cannot be written: {error.strerror or error}; "
                "make room or choose another folder",
                "out",
            ) from None
