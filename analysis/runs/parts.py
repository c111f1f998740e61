"""Writing the parts of a run, on the machine that plays them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import polars as pl

from analysis.runs.folders import GAMES, TABLES
from analysis.runs.frames import extra_frame, frame_of
from analysis.runs.manifest import PartFile
from analysis.runs.places import Place
from analysis.table_files import write_frame
from simcore.running.batch import Spec
from simcore.running.columns import ColumnBuffer


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
