"""Writing of a run folder while its games are played."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl

from analysis.precision import Goal, stages
from analysis.runs.folders import GAMES, TABLES, Folder, Place, place_of
from analysis.runs.frames import extra_frame, frame_of
from analysis.runs.load import extra_parts, refuse_code, refuse_origin, spec_of
from analysis.runs.manifest import FILE, SUMMARY, Manifest, PartFile, code_of_game
from analysis.runs.totals_file import read_totals, write_totals
from analysis.seats.looks import goal_of
from analysis.table_files import load_writers, write_frame
from simcore.errors import Damaged, UsageError
from simcore.running.batch import Spec
from simcore.running.columns import ColumnBuffer
from simcore.running.executors import Part, PlayedPart, Result, parts
from simcore.running.tally import Also, Totals
from strategies.library import Code

# --- Writing the parts of a run, on the machine that plays them ---


@dataclass(frozen=True)
class Written:
    """The files of one part."""

    parts: list[PartFile] = field(default_factory=list)  # files of the table of seats, one for each of its formats
    tables: dict[str, PartFile] = field(default_factory=dict)  # files of the further tables, by name

    @property
    def files(self) -> list[str]:
        """The names of all files."""
        return [part.file for part in (*self.parts, *self.tables.values())]


class PartWriter:
    """Writes parts of a run; it can be sent to another machine and used there.

    place: Where the files go.
    spec: The run.
    suffixes: Endings of the names of the table's files, such as ".parquet".
    """

    def __init__(self, place: Place, spec: Spec, suffixes: tuple[str, ...]) -> None:
        self.place, self.spec, self.suffixes = place, spec, suffixes
        self._lock, self._given_up = threading.Lock(), False

    def __reduce__(self) -> tuple[Callable[..., PartWriter], tuple[Place, Spec, tuple[str, ...]]]:
        return PartWriter, (self.place, self.spec, self.suffixes)

    def give_up(self) -> None:
        """Stop writing."""
        with self._lock:
            self._given_up = True

    def _commit(self, step: Callable[[], object]) -> bool:
        """Carry out the last step of writing a file, unless the run was given up."""
        with self._lock:
            if not self._given_up:
                step()
            return not self._given_up

    def write(self, number: int, buffer: ColumnBuffer) -> Written | None:
        """Write one part, with its rows of the further tables; several threads may call this at once.

        Returns Written or None: None if the run was given up in the meantime.
        """
        found = Written()
        for suffix in self.suffixes:
            made = self._put(frame_of(self.spec, buffer), f"{GAMES}/part-{number:06d}{suffix}", buffer)
            if made is None:
                return None
            found.parts.append(made)
        for table in buffer.extra.tables:
            frame = extra_frame(self.spec, table, buffer.games, buffer.extra)
            made = self._put(frame, f"{TABLES}/{table}-{number:06d}{self.suffixes[0]}", buffer)
            if made is None:
                return None
            found.tables[table] = made
        return found

    def _put(self, frame: pl.DataFrame, name: str, buffer: ColumnBuffer) -> PartFile | None:
        sha256 = self.place.put(name, partial(write_frame, frame), self._commit)
        if sha256 is None:
            return None
        return PartFile(file=name, first=buffer.first, games=buffer.rows // self.spec.players, sha256=sha256)


# --- Writing of a run folder while its games are played ---


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
        """Return the writer of a run that ended early and is continued; see `analysis.runs.writer`."""
        writer = cls.__new__(cls)
        writer._set(place_of(out), spec, manifest, totals, also)
        for part in manifest.parts:
            writer._done.setdefault(part.number, Written()).parts.append(part)
        for table, files in manifest.tables.items():
            for file in files:
                writer._done[file.number].tables[table] = file
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


# --- Writing of a run folder that contains totals instead of rows ---


class SummaryWriter(RunWriter):
    """Writes totals to a file as the games are played, so that neither disk space nor memory grows with their number.

    The totals are those of consecutive parts from the first one.  Parts are merged in order, so that sums of fractions
    are the same for any number of threads.

    out, spec, command, precision: See `RunWriter`.
    also: Makes the totals; see `analysis.data.summary`.
    """

    def __init__(
        self, out: Path | Place, spec: Spec, command: Sequence[str], also: Also, precision: str | None = None
    ) -> None:
        super().__init__(out, spec, SUMMARY, "none", command, precision=precision, also=also)
        self._take(0)
        if isinstance(self.place, Folder):
            with suppress(OSError):
                (self.place.path / GAMES).rmdir()

    @classmethod
    def taken_up(
        cls, out: Path | Place, spec: Spec, manifest: Manifest, totals: Totals, number: int, also: Also
    ) -> Self:
        """Return the writer of a run that is continued after `number` parts."""
        writer = cls.__new__(cls)
        writer._set(place_of(out), spec, manifest, totals, also)
        writer._take(number)
        return writer

    def _take(self, number: int) -> None:
        self.columns = None
        self._next, self._waiting = number, dict[int, Totals]()

    def _count(self, part: PlayedPart) -> None:
        self._waiting[part.number] = part.totals
        while self._next in self._waiting:
            self.totals.merge(self._waiting.pop(self._next))
            self._next += 1

    def _listed(self) -> dict[str, Any]:
        """Write the totals, and return their entry in the manifest."""
        more: Any = self.totals.more
        part = write_totals(self.place, self._next, self.totals.games, more.arrays())
        return {"games_written": self.totals.games, "rows": 0, "parts": [part]}

    def _sums(self) -> dict[str, Any]:
        """Return the sums that are not in the file of totals."""
        return self.totals.to_dict()

    def _settle(self) -> None:
        """Remove the totals that the manifest no longer names."""
        self._tidy()

    def _files(self) -> set[str]:
        return {part.file for part in self._manifest.parts}

    def _go_back(self) -> None:
        """Leave the manifest and the totals on the disk unchanged, because they match."""


# --- Continuing a run that ended early: the contents of its folder are checked, and not played again ---


@dataclass(frozen=True)
class Resumed:
    """A run that can be continued."""

    spec: Spec
    manifest: Manifest
    """spec, manifest: What is played, and how far it came."""
    writer: RunWriter  # writes the rest
    todo: tuple[Part, ...]  # parts that are still to be played
    lost: tuple[Part, ...]
    """Parts that were played and counted, but whose files are missing or damaged; they have to be written again."""
    goal: Goal | None  # the precision at which the run ends; None if it ends after a number of games


Sums = Callable[[Spec, Mapping[str, Any]], Also]
"""Function that returns the maker of the totals of a run without rows, and of those that its precision needs."""


def resume(where: Path | Place, sums: Sums, trust: bool = False) -> Resumed:
    """Open a run for going on with it, and keep other processes out of its folder.

    Parameters
    ----------
    where
        What `simulate` wrote, complete or not.
    sums
        Makes the totals, for a run that contains totals instead of rows.
    trust
        Whether Python code that the manifest names may be run.

    Raises
    ------
    UsageError
        If no run is there, another process writes there, or other code began the run.
    """
    place = place_of(where)
    try:
        manifest = place.take_up()
        refuse_origin(manifest, place)
        refuse_code(manifest, place, trust)
        try:
            spec = spec_of(manifest, Code.TRUSTED if trust else Code.SEALED)
        except UsageError as error:
            raise UsageError(f"{place}/{FILE}: {error}") from None
        if manifest.code != code_of_game(manifest.game):
            version = manifest.versions.get("equipoise", "of an unknown version")
            raise UsageError(
                f"{place}: the run was begun by different code (Equipoise {version}), which may play "
                "differently; continue with that version, or start again",
                "resume",
            )
        goal = goal_of(manifest.precision) if manifest.precision else None
        if manifest.detail == SUMMARY:
            return _of_totals(place, spec, manifest, goal, sums(spec, goal.asked(spec) if goal else {}))
        return _of_rows(place, spec, manifest, goal)
    except BaseException:
        place.release()
        raise


def _of_totals(place: Place, spec: Spec, manifest: Manifest, goal: Goal | None, also: Also) -> Resumed:
    """Open a run without rows; if its totals are lost, it starts again."""
    planned = _planned(spec, goal)
    totals, number = Totals(spec, also), 0
    with suppress(Damaged, ValueError):
        arrays = read_totals(place, manifest)
        found = Totals.from_dict(spec, manifest.totals or {}, also)
        more: Any = found.more
        more.restore(arrays)
        if found.games == sum(part.games for part in planned[: manifest.parts[0].number]):
            totals, number = found, manifest.parts[0].number
    writer = SummaryWriter.taken_up(place, spec, manifest, totals, number, also)
    return Resumed(spec, manifest, writer, tuple(planned[number:]), (), goal)


def _of_rows(place: Place, spec: Spec, manifest: Manifest, goal: Goal | None) -> Resumed:
    also = goal.also(spec) if goal else None
    planned = {part.number: part for part in _planned(spec, goal)}
    known: dict[int, bool] = {}
    for part, whole in _whole_files(place, manifest):
        if planned.get(part.number) != Part(part.number, part.first, part.games):
            raise Damaged(f"{place}: {part.file} contains the wrong games; start again")
        known[part.number] = whole and known.get(part.number, True)
    try:
        totals = taken(spec, manifest.totals, also)
    except ValueError as error:
        raise Damaged(f"{place}: totals: {error}; the manifest was changed or damaged") from None
    if totals.games != sum(planned[number].games for number in known):
        raise Damaged(f"{place}: the totals do not match the games of the parts; the manifest was changed or damaged")
    return Resumed(
        spec,
        manifest,
        RunWriter.again(place, spec, manifest, totals, also),
        tuple(part for number, part in planned.items() if number not in known),
        tuple(planned[number] for number, whole in known.items() if not whole),
        goal,
    )


def _whole_files(place: Place, manifest: Manifest) -> Iterator[tuple[PartFile, bool]]:
    """Yield every file of the tables that the manifest lists, and whether it is there as it was written."""
    files = [*manifest.parts, *extra_parts(manifest)]
    with ThreadPoolExecutor() as pool:
        yield from zip(files, pool.map(lambda part: place.sha256(part.file) == part.sha256, files), strict=True)


def _planned(spec: Spec, goal: Goal | None) -> Sequence[Part]:
    """Return all parts of a run, up to its present number of games."""
    if goal is None:
        return parts(spec.games, spec.searches, spec.games_per_deal)
    until = takewhile(lambda stage: stage.games <= spec.games, stages(spec, goal))
    return [part for stage in until for part in stage.parts]
