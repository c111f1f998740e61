"""Writing of a run folder while its games are played."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import numpy as np

from analysis.runs.folders import Folder
from analysis.runs.manifest import Manifest, PartFile
from analysis.runs.parts import PartWriter, Written
from analysis.runs.places import Place, place_of
from analysis.table_files import load_writers
from simcore.errors import UsageError
from simcore.running.batch import Spec
from simcore.running.columns import ColumnBuffer
from simcore.running.executors import Result
from simcore.running.parts import PlayedPart
from simcore.running.totals import Also, Totals

SUFFIXES = {"parquet": (".parquet",), "csv": (".csv",), "both": (".parquet", ".csv"), "none": ()}


class RunWriter:
    """Writes parts as they are finished, and keeps the manifest correct.

    out: An empty folder from `claim`, or another empty place.
    spec: The run.
    detail: Level of detail.
    table_format: "parquet", "csv" or "both".
    command: The command line, for the manifest.
    tables: Names of the tables to write in addition to the table of seats.
    precision: The requested precision, for a run that ends when it is reached.
    also: Makes the further sums that the precision needs.

    totals : Totals: Totals of the games of the finished parts.
    columns: Level of detail of the columns that it writes; None if it writes none.
    also: Makes the further sums that it keeps; None if it keeps none.
    """

    def __init__(
        self,
        out: Path | Place,
        spec: Spec,
        detail: str,
        table_format: str,
        command: Sequence[str],
        tables: Sequence[str] = (),
        precision: str | None = None,
        also: Also | None = None,
    ) -> None:
        manifest, place = Manifest.begin(spec, detail, table_format, command, tables, precision), place_of(out)
        manifest = manifest.model_copy(update={"replaces": place.replaces})
        self._set(place, spec, manifest, Totals(spec, also), also)
        try:
            self.place.put_manifest(self._manifest)
        except UsageError:
            self._drop()
            raise

    @classmethod
    def again(cls, out: Path | Place, spec: Spec, manifest: Manifest, totals: Totals, also: Also | None = None) -> Self:
        """Return the writer of a run that ended early and is continued; see `analysis.runs.resuming`."""
        writer = cls.__new__(cls)
        writer._set(place_of(out), spec, manifest, totals, also)
        for part in manifest.parts:
            writer._done.setdefault(part.number, Written()).parts.append(part)
        for table, parts in manifest.tables.items():
            for part in parts:
                writer._done[part.number].tables[table] = part
        return writer

    def _set(self, place: Place, spec: Spec, manifest: Manifest, totals: Totals, also: Also | None) -> None:
        load_writers()
        self.place, self.spec, self.totals, self.also = place, spec, totals, also
        self.columns: str | None = manifest.detail
        self._parts = PartWriter(place, spec, SUFFIXES[manifest.table_format])
        self._manifest = manifest
        self._began = time.perf_counter() - manifest.seconds
        self._lock = threading.Lock()
        self._due, self._ended = 0.0, False
        self._done: dict[int, Written] = {}

    @property
    def folder(self) -> Path | str:
        """Path of the run folder, or its URL in an object store."""
        return self.place.path if isinstance(self.place, Folder) else str(self.place)

    @property
    def replaced(self) -> object:
        """Place of the run that stays as it is until this one is whole; None if this one replaces none."""
        return self.place.target(self._manifest)

    @property
    def command(self) -> Sequence[str]:
        """The command line that the manifest records; empty if Python code began the run."""
        return self._manifest.command

    @property
    def write(self) -> Callable[[int, ColumnBuffer], Written | None]:
        """A function that writes one part; several threads may call it at once, and it can be sent elsewhere."""
        return self._parts.write

    def finished(self, part: PlayedPart) -> None:
        """List a part in the manifest, or later with other parts if listing would take over a twentieth of the time."""
        with self._lock:
            self._count(part)
        if self.totals.games and time.perf_counter() >= self._due and not self._ended:
            began = time.thread_time()
            self._update("running", None)
            self._due = time.perf_counter() + 20 * (time.thread_time() - began)

    def _count(self, part: PlayedPart) -> None:
        """Count a part among those that the manifest lists."""
        if part.written is not None:  # otherwise the run was given up
            self.totals.merge(part.totals)
            self._done[part.number] = part.written

    def refuse_beyond_room(self, games: int) -> None:
        """Raise `UsageError` if the disk has no room for the whole run; its first games were written to measure that.

        games: Number of games whose files, and no other, are there.
        """
        used, free = self.place.room() or (0, 0)
        self._tidy()
        needed = used * self.spec.games / games
        if needed > free + used:
            raise UsageError(
                f"the new run takes about {needed / 1e9:,.3g} GB, and {free / 1e9:,.3g} GB are free while "
                f"{self.replaced} stays until it is whole; make room, or choose another folder",
                "out",
            )

    def extend(self, games: int) -> None:
        """Extend the run to `games` games, for runs that end when a precision is reached."""
        with self._lock:
            self._manifest = self._manifest.model_copy(update={"games": games})

    def close(self, result: Result) -> Manifest:
        """Mark the run as complete, and put it in the place of the one that it replaces."""
        self._tidy()  # workers elsewhere may have ended while they wrote
        manifest = self._update("complete", result.digest)
        self.settle()
        return manifest

    def settle(self) -> None:
        """Put a complete run in the place of the one that it replaces, and let other processes write there."""
        try:
            self.place = self.place.settle(self._manifest)
        finally:
            self.place.release()

    def abandon(self, status: str) -> bool:
        """Record in the manifest that the run ended early; its parts stay, except one if the disk has no room.

        Returns bool: Whether anything stays; after a failure, a folder without a complete part is removed.
        """
        self._ended = True
        self._parts.give_up()
        try:
            return self._manifest.status == "complete" or self._close_early(status)
        finally:
            self.place.release()

    def _close_early(self, status: str) -> bool:
        self._tidy()
        if not self.totals.games and status == "interrupted":
            with suppress(UsageError):
                self.place.put_manifest(self._manifest.model_copy(update={"status": status}))
                return True
        if self.totals.games:
            try:
                self._update(status, None)
            except UsageError:
                self._go_back()
                with suppress(UsageError):
                    self._update(status, None)
        if self._manifest.games_written:
            return True
        self._drop()
        return False

    def _drop(self) -> None:
        """Remove everything of a run that has no part."""
        with suppress(UsageError):
            self.place.drop()
        self.place.release()

    def _tidy(self) -> None:
        """Remove the files of parts that are not finished."""
        with suppress(UsageError):
            self.place.tidy(self._files())

    def _files(self) -> set[str]:
        """Return the names of the files of finished parts."""
        return {name for written in self._done.values() for name in written.files}

    def _go_back(self) -> None:
        """Forget the parts that the manifest on the disk does not list; this makes room for another manifest."""
        listed = {part.number for part in self._manifest.parts}
        self._done = {number: written for number, written in self._done.items() if number in listed}
        self._tidy()
        self.totals = taken(self.spec, self._manifest.totals, self.also)

    def _update(self, status: str, digest: str | None) -> Manifest:
        with self._lock:
            manifest = self._manifest.model_copy(
                update={
                    "status": status,
                    "digest": digest,
                    **self._listed(),
                    "totals": self._sums(),
                    "seconds": round(time.perf_counter() - self._began, 3),
                }
            )
            self.place.put_manifest(manifest)
            self._manifest = manifest
            self._settle()
            return manifest

    def _listed(self) -> dict[str, Any]:
        """Return the entries of the finished parts in the manifest."""
        done = [self._done[number] for number in sorted(self._done)]
        games = sum(written.parts[0].games for written in done)
        return {
            "games_written": games,
            "rows": games * self.spec.players,
            "parts": [part for written in done for part in written.parts],
            "tables": self._tables(done),
        }

    def _sums(self) -> dict[str, Any]:
        """Return the totals of the finished parts for the manifest; `taken` reads them."""
        more: Any = self.totals.more
        further = {} if more is None else {"more": {name: values.tolist() for name, values in more.arrays().items()}}
        return self.totals.to_dict() | further

    def _settle(self) -> None:
        """Remove the files that the manifest no longer lists."""

    def _tables(self, done: Sequence[Written]) -> dict[str, list[PartFile]]:
        """Return the files of the further tables by name, in order of their games."""
        names = dict.fromkeys([*self._manifest.tables, *(name for written in done for name in written.tables)])
        return {name: [written.tables[name] for written in done if name in written.tables] for name in names}


def taken(spec: Spec, table: Mapping[str, Any] | None, also: Also | None) -> Totals:
    """Return the totals in a manifest; empty totals if it has none.

    Raises ValueError if they do not fit the run.
    """
    if not table:
        return Totals(spec, also)
    found = Totals.from_dict(spec, table, also)
    more: Any = found.more
    if more is not None:
        kept = table.get("more")
        if not isinstance(kept, dict):
            raise ValueError("no further sums")
        more.restore({name: np.array(values) for name, values in kept.items()})
    return found
