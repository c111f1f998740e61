"""The sources of games for analyses, read one stretch at a time: a run folder, or games played when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.accumulate import Arrays, fill, key_of
from analysis.data.declarations import Declarations
from analysis.data.events import GAME, event_array, no_events
from analysis.data.player_notes import habit_notes
from analysis.data.results import Counted, Inputs, Note, Unanswered
from analysis.data.source import SLICE, Array, Source
from analysis.runs import Run, load
from analysis.runs.load import check_columns, check_ids, check_part_size
from analysis.runs.manifest import SUMMARY, Origin, PartFile, first_line, looks_in
from analysis.runs.totals_file import read_totals
from analysis.stats.moments import MIN_DEALS
from simcore.errors import Damaged, UsageError, printable
from simcore.kernel.driver import own_memory
from simcore.running.batch import MAX_GAMES, Spec, play_into
from simcore.running.columns import EVENTS_TABLE
from simcore.running.columns import columns as columns_of
from simcore.running.columns import labels as labels_of
from simcore.running.executors import CHUNK, whole

FEW_GAMES = 20
"""Number of games that one thread plays at a time if players look ahead."""


class FolderSource(Source):
    """The games of a run folder."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.spec = run.described
        self.label = printable(str(run.folder))
        self.detail = run.manifest.detail
        self.planned = run.manifest.games
        self.looks = max(len(looks_in(run.manifest.precision)), 1)

    @property
    def playable(self) -> bool:
        """Whether its games can be played again without running code that is not trusted."""
        return self.run.playable


class RunSource(FolderSource):
    """The games in a run folder, read part by part."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        run.polars()  # says what is wrong with the folder, if anything is

    @property
    def origin(self) -> Origin | None:
        """Where the games come from, if they were not played here."""
        return self.run.manifest.origin

    @cached_property
    def declarations(self) -> Declarations:
        """What the game declares; of an imported table, its column of the length."""
        if self.origin is None:
            return super().declarations
        return Declarations(length="length" if self.origin.length else None)

    def stretches(self) -> Sequence[PartFile]:
        """Return the files of the table."""
        return self.run.table

    def read(self, stretch: PartFile, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array]]]:
        """Yield the games of one file."""
        path = self.run.folder / stretch.file
        wanted = list(dict.fromkeys(["game_id", *names]))
        check_part_size(path, stretch, self.players, {name: self.run.schema[name] for name in wanted})
        try:
            if stretch.suffix == ".parquet":
                frame = pl.read_parquet(path, columns=wanted, glob=False)
            else:
                frame = pl.scan_csv(path, schema=self.run.schema, glob=False).select(wanted).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise Damaged(f"{path}: damaged: {first_line(error)}; run the simulation again") from None
        found = {name: _values(frame[name]) for name in wanted}
        check_ids(path, found["game_id"], stretch, self.players)
        check_columns(path, frame, self.spec)
        shaped = {name: values.reshape(-1, self.players) for name, values in found.items()}
        size = whole(SLICE, self.spec.games_per_deal)
        for start in range(0, len(shaped["game_id"]), size):
            yield stretch.first + start, {name: values[start : start + size] for name, values in shaped.items()}

    def blamed(self, error: Exception) -> Exception:
        """Return an error saying that values in the run's files are wrong, although the checksums match."""
        return Damaged(
            f"{self.label}: an analysis found a value that no game produces ({first_line(error)}); "
            f"find it with: equipoise verify {self.label}"
        )

    @property
    def has_events(self) -> bool:
        """Whether the run was made with the table of events."""
        return bool(self.run.manifest.tables.get(EVENTS_TABLE))

    def read_with_events(
        self, stretch: PartFile, names: Sequence[str]
    ) -> Iterator[tuple[int, dict[str, Array], Array]]:
        """Yield the games of one file of the table, and their events."""
        part = next(item for item in self.run.manifest.tables[EVENTS_TABLE] if item.first == stretch.first)
        noted = event_array(self.run.folder / part.file, list(self.event_kinds), part, self.players)
        for first, columns in self.read(stretch, names):
            games = len(next(iter(columns.values())))
            low, high = np.searchsorted(noted[:, GAME], (first, first + games))
            events = noted[low:high].copy()
            events[:, GAME] -= first
            yield first, columns, events


LEVEL = "standard"
"""Level of detail of the columns from which totals are counted."""


class SummarySource(FolderSource):
    """A run that contains totals instead of rows."""

    @cached_property
    def available(self) -> frozenset[str]:
        """Names of the columns from which totals were counted."""
        return frozenset(column.name for column in columns_of(self.spec.game, LEVEL))

    @cached_property
    def _arrays(self) -> Arrays:
        return read_totals(self.run.folder, self.run.manifest)

    def stretches(self) -> Sequence[Any]:
        """Return no stretches, because there are no rows."""
        return ()

    def read(self, stretch: Any, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array]]]:
        """Raise `UsageError`, because there are no rows."""
        raise self._lacking()

    def counted(self, names: Sequence[str], make: Callable[[], Any], events: bool) -> tuple[Any, Counted] | None:
        """Return what an analysis would have counted.

        Raises UsageError if that was not counted while the run was played.
        """
        accumulator = make()
        key = key_of(accumulator, names)
        if events or not any(name.startswith(key) for name in self._arrays):
            raise self._lacking()
        try:
            fill(accumulator, key, self._arrays)
            return accumulator, Counted(*(int(part) for part in self._arrays["count"]))
        except (KeyError, TypeError, ValueError):  # it was another question, as about strategies of several runs
            raise self._lacking() from None

    def _lacking(self) -> Unanswered:
        return Unanswered(
            "summary_lacks",
            "{run}: contains totals instead of rows, and not the totals that this needs; "
            "run the simulation again with the level of detail 'standard'",
            run=self.label,
        )


KEPT = 2**28
"""Bytes of rows and events that a source keeps in memory at most."""


class SpecSource(Source):
    """Games that are played when they are needed, from a specification.

    spec: The specification.
    games: Number of games; by default, all of them.
    keeps: Whether rows and events stay in memory once they were needed, for many analyses of the same games; up to
        `KEPT` bytes, and games beyond are played again.
    """

    def __init__(self, spec: Spec, games: int | None = None, keeps: bool = False) -> None:
        self.spec = spec
        self._room = KEPT if keeps else 0
        self._kept: dict[tuple[int, int, bool], tuple[Array, Array]] = {}
        self.planned = spec.games if games is None else games
        self.label = f"{spec.game.title}, {spec.players} players, {', '.join(dict.fromkeys(spec.strategies))}"
        self.detail = "full"
        if not 1 <= self.planned <= MAX_GAMES:
            raise UsageError(f"games: {self.planned} is out of range; give a whole number from 1 to {MAX_GAMES:,}")

    def stretches(self) -> Sequence[range]:
        """Return ranges of games."""
        size = whole(FEW_GAMES if self.spec.searches else SLICE, self.spec.games_per_deal)
        return [range(first, min(first + size, self.planned)) for first in range(0, self.planned, size)]

    def read(self, stretch: range, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array]]]:
        """Play some games."""
        for first, columns, _ in self._play(stretch, names, noting=False):
            yield first, columns

    @property
    def has_events(self) -> bool:
        """Whether the game records events."""
        return bool(self.spec.game.events)

    def read_with_events(self, stretch: range, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array], Array]]:
        """Play some games, and record their events."""
        yield from self._play(stretch, names, noting=True)

    def _play(
        self, stretch: range, names: Sequence[str], noting: bool
    ) -> Iterator[tuple[int, dict[str, Array], Array]]:
        size = whole(CHUNK, self.spec.games_per_deal)
        for first in range(stretch.start, stretch.stop, size):
            rows, events = self._rows(range(first, min(first + size, stretch.stop)), noting)
            yield first, row_columns(self.spec, rows, names), events

    def _rows(self, games: range, noting: bool) -> tuple[Array, Array]:
        """Return the rows of some games and, if `noting`, their events; those that are kept cannot be written to."""
        place = games.start, games.stop
        known = self._kept.get((*place, noting)) or self._kept.get((*place, True))
        if known is not None:
            return known
        rows = np.zeros(len(games) * self.players, self.spec.game.row_dtype)
        notes: list[NDArray[np.int32]] = []
        play_into(self.spec, np.array(games), rows, own_memory(self.spec.game), notes=notes if noting else None)
        found = rows, np.concatenate(notes) if notes else no_events()
        if (size := sum(part.nbytes for part in found)) <= self._room:
            self._room -= size
            for part in found:
                part.flags.writeable = False
            self._kept[*place, noting] = found
        return found


def row_columns(spec: Spec, rows: Array, names: Sequence[str]) -> dict[str, Array]:
    """Return columns of shape (games, players) from rows as a kernel writes them."""
    taken = {column.name: column for column in columns_of(spec.game, "full")}
    found: dict[str, Array] = {}
    for name in names:
        column = taken[name]
        values = rows[column.field] if column.index is None else rows[column.field][:, column.index]
        if column.type == "Enum":
            given = labels_of(column, spec)
            distinct = list(dict.fromkeys(given))
            if len(distinct) < len(given):
                values = np.array([distinct.index(label) for label in given])[values]
        if column.divisor != 1:
            values = values / column.divisor
        found[name] = values.reshape(-1, spec.players)
    return found


def _values(series: pl.Series) -> Array:
    """Return a column's values, with 0 for null (as in the rows of seats of another role)."""
    plain = series.to_physical() if series.dtype == pl.Enum else series
    return (plain.fill_null(False if plain.dtype == pl.Boolean else 0) if plain.null_count() else plain).to_numpy()


Data = Run | Spec | str | Path | Source
"""What every analysis accepts: a run, a run folder, or a specification, whose games are then played."""


def open_source(data: Data) -> Source:
    """Return the source for a run, a run folder or a specification.

    References
    ----------
    * docs/reference/methods.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate(players=2, strategies="random", games=400, out="runs/first")
    >>> eq.open_source("runs/first").players
    2
    """
    if isinstance(data, Source):
        return data
    if isinstance(data, Spec):
        return SpecSource(data)
    return source_of(data if isinstance(data, Run) else load(data))


def source_of(run: Run) -> Source:
    """Return the source of a run: its rows, or the totals that it keeps instead."""
    return SummarySource(run) if run.manifest.detail == SUMMARY else RunSource(run)


def shared_deals(sources: Sequence[Source]) -> list[Note]:
    """Return a note if several runs have the same random seed."""
    if len({source.spec.seed for source in sources}) == len(sources):
        return []
    return [Note("shared_deals")]


def played(data: Data, games: int, keeps: bool = False) -> SpecSource:
    """Return a source that plays the first games of a run or specification again, with every column.

    `keeps` is that of `SpecSource`.
    """
    if isinstance(data, FolderSource):
        data = data.run
    spec = data.spec if isinstance(data, Run | Source) else data if isinstance(data, Spec) else load(data).spec
    return SpecSource(replace(spec, games=games), keeps=keeps)


def cautions(source: Source, inputs: Inputs) -> tuple[Note, ...]:
    """Return the notes that apply to every result of a source."""
    notes = []
    if not inputs.whole:
        notes.append(Note("cut_short", {"run": source.label, "games": inputs.games, "planned": inputs.planned}))
    if inputs.deals < MIN_DEALS:
        few = "run_few_deals" if source.origin is None else "run_few_games"
        notes.append(Note(few, {"run": source.label, "deals": inputs.deals, "least": MIN_DEALS}))
    if source.confounded:
        notes.append(Note("confounded", {"run": source.label}))
    return (*notes, *habit_notes(source.spec))
