"""Play a run's games again, and compare them with its table and its digest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.in_parallel import in_parallel
from analysis.data.source import Array
from analysis.data.sources import RunSource, row_columns
from analysis.runs import Run
from analysis.runs.frames import extra_frame, read_frame
from analysis.runs.load import MOST_EVENTS, check_size
from analysis.runs.manifest import Manifest, PartFile, first_line
from simcore.errors import Damaged
from simcore.kernel.driver import Memory
from simcore.running.accumulator import Digest
from simcore.running.batch import Spec, play_into
from simcore.running.columns import GAMES_TABLE, ExtraBuffer, computed_values

ROUNDING = 1e-5
"""Relative difference that is allowed in a number that was written as text."""


@dataclass(frozen=True)
class Verified:
    """The result of playing a run again."""

    games: int  # number of games in the run folder
    replayed: int  # number of games that were played again
    digest: bool  # whether the digest of outcomes was computed again
    difference: str | None  # description of the first difference; None if there is none

    def describe(self) -> str:
        """Return the result as one line."""
        if self.difference is not None:
            return f"false; {self.difference}"
        which = "all" if self.replayed == self.games else f"{self.replayed:,} of"
        same = "the table and the digest of outcomes are" if self.digest else "the table is"
        rest = "" if self.digest else "; the digest of outcomes was not checked"
        return f"{which} {self.games:,} games were played again; {same} the same{rest}"


def verify_run(run: Run, sample: int | None = None, tick: Callable[[int], None] = lambda games: None) -> Verified:
    """Play a run's games again and compare them with the contents of its folder.

    run: The run, as `analysis.runs.load` opened it.
    sample: Number of games, chosen at random, to play again.  If None, all games.
    tick: Function that is called from time to time with the number of games played again.
    Raises UsageError if the run cannot be read or played.
    """
    source, manifest = RunSource(run), run.manifest
    spec, table = run.spec, run.table
    chosen = None if sample is None or sample >= manifest.games_written else _choose(table, sample)
    names = list(run.schema)[1:]
    done, digest = 0, Digest()
    difference = None
    others = [part for part in manifest.parts if part not in table]

    def take(part: PartFile) -> tuple[int, Digest, str | None]:
        own, again = Digest(), _Again(spec, list(manifest.tables) if part in table else [])
        for first, columns in source.read(part, names):
            games = np.arange(first, first + len(columns[names[0]]))
            kept = np.ones(len(games), bool) if chosen is None else np.isin(games, chosen)
            rows = again.play(games[kept])
            wrong = _difference(spec, rows, games[kept], {name: columns[name][kept] for name in names})
            if wrong:
                return len(again.games), own, f"{run.folder / part.file}: {wrong}"
            if chosen is None:
                own.add(rows, first * spec.players)
        return len(again.games), own, again.difference(run.folder, manifest, part)

    for part, (games, own, wrong) in zip([*table, *others], in_parallel(take, [*table, *others]), strict=True):
        difference = difference or wrong
        if part in table:
            digest.merge(own)
            done += games
            tick(done)
    whole = chosen is None and manifest.status == "complete"
    if difference is None and whole and digest.hexdigest() != manifest.digest:
        difference = f"the digest of outcomes is {digest.hexdigest()}, the manifest says {manifest.digest}"
    return Verified(manifest.games_written, done, whole, difference)


def _choose(table: list[PartFile], sample: int) -> NDArray[np.int64]:
    """Return the indices of games of a table, all equally likely."""
    places = np.random.default_rng().choice(sum(part.games for part in table), sample, replace=False)
    ends = np.cumsum([part.games for part in table])
    part = np.searchsorted(ends, places, side="right")
    begins = ends - [part.games for part in table]
    firsts = np.array([part.first for part in table])
    return np.sort(firsts[part] + places - begins[part])


class _Again:
    """Games of one part that are played again, and their rows for the tables other than the table of seats."""

    def __init__(self, spec: Spec, tables: Sequence[str]) -> None:
        self.spec = spec
        self.games = np.zeros(0, np.uint32)
        self._extra = ExtraBuffer(spec, tables)
        self._memory = Memory(spec.game)

    def play(self, games: NDArray[np.int64]) -> Array:
        """Play the next games, and return their rows."""
        rows = np.zeros(len(games) * self.spec.players, self.spec.game.row_dtype)
        if len(games):
            facts, notes = self._extra.room(len(games))
            play_into(self.spec, games, rows, self._memory, facts, notes)
            self._extra.add(len(self.games), facts, notes)
            self.games = np.append(self.games, games.astype(np.uint32))
        return rows

    def difference(self, folder: Path, manifest: Manifest, part: PartFile) -> str | None:
        """Return the file of another table whose rows differ from those of these games; None if there is none."""
        if not len(self.games):
            return None
        for name, files in manifest.tables.items():
            if name not in self._extra.tables:
                continue
            path = folder / next(file.file for file in files if file.first == part.first)
            expected = extra_frame(self.spec, name, self.games, self._extra)
            if path.suffix == ".parquet":
                check_size(path, part.games * (1 if name == GAMES_TABLE else MOST_EVENTS), {})
            try:
                found = read_frame(path, expected.schema)
            except (pl.exceptions.PolarsError, OSError) as error:
                raise Damaged(f"{path}: damaged: {first_line(error)}; run the simulation again") from None
            here = pl.col("game_id").is_between(part.first, part.first + part.games - 1)
            played = pl.col("game_id").is_in(pl.Series(self.games).implode())
            if found.schema != expected.schema or not found.filter(played | ~here).equals(expected):
                return f"{path}: other rows result when the games are played again"
        return None


def _difference(spec: Spec, rows: Array, games: NDArray[np.int64], found: dict[str, Array]) -> str | None:
    """Return the first difference between games as played and as in a table, shape (games, players)."""
    shape = (len(games), spec.players)
    expected = {column.name: values.reshape(shape) for column, values in computed_values(spec, games.astype(np.uint32))}
    expected |= row_columns(spec, rows, [name for name in found if name not in expected])
    for name, values in found.items():
        if values.dtype.kind == "f":
            same = np.isclose(values, expected[name], rtol=ROUNDING, atol=0)
        else:
            same = values == expected[name]
        if not same.all():
            game, seat = np.argwhere(~same)[0]
            where = f"column '{name}' of game {games[game]}, seat {seat + 1}"
            return f"{where} has another value when the game is played again"
    return None
