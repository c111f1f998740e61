"""Opening of run folders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from html import escape
from os import SEEK_END
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analysis.runs.manifest import FILE, SUMMARY, Manifest, PartFile, check_name, first_line
from simcore import declared
from simcore.declared import take_up
from simcore.doors import enter, is_of_library
from simcore.errors import Damaged, UsageError, nearest, shown
from simcore.game import load_game
from simcore.rules.files import Rules
from simcore.running.batch import Spec
from simcore.running.columns import EVENTS_TABLE, GAMES_TABLE, columns
from strategies.library import Code, strategy_from_dict
from strategies.spec import assemble_spec

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

# --- Checks that the files of a run's table are those that were written ---


MAGIC = b"PAR1"
"""The first and last bytes of a Parquet file."""

MOST_GAMES = 1_000_000
"""Largest number of games of one file of a table; the files that Equipoise writes hold far fewer."""

MOST_EVENTS = 10_000
"""Largest number of events of one game in a file."""


def check_files(folder: Path, manifest: Manifest) -> None:
    """Raise `UsageError` unless every file of the table exists and is not cut off."""
    for part in (*manifest.parts, *extra_parts(manifest)):
        path = folder / part.file
        if not path.is_file():
            raise Damaged(f"{path}: missing; the run folder is incomplete; run the simulation again")
        try:
            whole = _is_whole(path)
        except OSError as error:
            raise _damaged(path, error) from None
        if not whole:
            raise Damaged(f"{path}: damaged: its end is missing; run the simulation again")


def check_content(folder: Path, manifest: Manifest) -> None:
    """Raise `UsageError` unless every file has the right checksum, and the right games in order."""
    with ThreadPoolExecutor() as pool:
        _all(pool.map(lambda part: _check_part(folder, part, manifest.players), manifest.parts))
        _all(pool.map(lambda part: _check_sum(folder / part.file, part), extra_parts(manifest)))


def extra_parts(manifest: Manifest) -> list[PartFile]:
    """Return the files of the tables other than the table of seats."""
    return [part for parts in manifest.tables.values() for part in parts]


def check_size(path: Path, most: int, types: Mapping[str, object]) -> int:
    """Raise `UsageError` if a Parquet file has too many rows, or columns of other types; return its number of rows.

    This reads only the file's own description of its contents, because a file of some kilobytes can contain so many
    equal rows that they fill the memory.

    most: The largest number of rows that is allowed.
    types: The type of each column that is going to be read; other columns may be of any type.
    """
    import polars as pl

    try:
        frame = pl.scan_parquet(path, glob=False)
        schema, rows = frame.collect_schema(), int(frame.select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, OSError) as error:
        raise _damaged(path, error) from None
    if rows > most:
        raise Damaged(f"{path}: contains {rows:,} rows, more than its games can have; the run was changed")
    for name, kind in types.items():
        if schema.get(name, kind) != kind:
            raise Damaged(f"{path}: column '{name}' is of type {schema[name]}; the run was changed")
    return rows


def check_part_size(path: Path, part: PartFile, players: int, types: Mapping[str, object]) -> None:
    """Raise `UsageError` unless a file of the table of seats has one row for each game and seat; see `check_size`.

    The rows of a CSV file, which cannot outgrow the file, are not counted.
    """
    if part.games > MOST_GAMES:
        raise Damaged(f"{path}: {part.games:,} games are too many for one file; the run was changed")
    rows = part.games * players
    if part.suffix == ".parquet" and check_size(path, MOST_GAMES * players, types) != rows:
        raise _other_rows(path, part)


def check_ids(path: Path, ids: NDArray[np.uint32], part: PartFile, players: int) -> None:
    """Raise `UsageError` unless the game ids are those of a part, with one row for each game and seat."""
    whole = len(ids) == part.games * players
    if not whole or not np.array_equal(ids, np.repeat(np.arange(part.first, part.first + part.games), players)):
        raise _other_rows(path, part)


def check_columns(path: Path, frame: pl.DataFrame, spec: Spec) -> None:
    """Raise `UsageError` unless columns have the types of the run's table, and the right values are null."""
    from analysis.runs.frames import dtype_of

    for column in columns(spec.game, "full"):
        if column.name not in frame.columns:
            continue
        found = frame[column.name]
        if found.dtype != dtype_of(column, spec):
            raise Damaged(f"{path}: column '{column.name}' is of type {found.dtype}; the run was changed")
        absent = [bool(column.role) and role.name != column.role for role in spec.roles]
        if any(absent):
            same = np.array_equal(found.is_null().to_numpy().reshape(-1, spec.players).all(axis=0), absent)
            whole = same and found.null_count() == sum(absent) * len(found) // spec.players
        else:
            whole = not found.null_count()
        if not whole:
            raise Damaged(f"{path}: column '{column.name}' lacks values, or has too many; the run was changed")


def _all(results: Iterable[None]) -> None:
    """Wait for all results, and raise the first error."""
    for _ in results:
        pass


def _check_part(folder: Path, part: PartFile, players: int) -> None:
    path = folder / part.file
    import polars as pl

    read: Callable[..., pl.DataFrame] = pl.read_parquet if part.suffix == ".parquet" else pl.read_csv
    _check_sum(path, part)
    if part.suffix == ".npz":
        return
    check_part_size(path, part, players, {"game_id": pl.UInt32})
    try:
        ids = read(path, columns=["game_id"], glob=False)["game_id"]
    except (pl.exceptions.PolarsError, OSError) as error:
        raise _damaged(path, error) from None
    check_ids(path, ids.to_numpy(), part, players)


def _check_sum(path: Path, part: PartFile) -> None:
    """Raise `UsageError` unless a file has the SHA-256 that the manifest states."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _damaged(path, error) from None
    if found != part.sha256:
        raise Damaged(f"{path}: damaged: its SHA-256 does not match the manifest; run the simulation again")


def _other_rows(path: Path, part: PartFile) -> Damaged:
    last = part.first + part.games - 1
    return Damaged(
        f"{path}: its rows are not those of games {part.first} to {last}, one a game and seat, in order; "
        "the run was changed"
    )


def _damaged(path: Path, error: Exception) -> Damaged:
    return Damaged(f"{path}: damaged: {first_line(error)}; run the simulation again")


def _is_whole(path: Path) -> bool:
    """Return whether a Parquet file has its first and last bytes, and a CSV file the end of its last line.

    Other files are only checked for their beginning.
    """
    with path.open("rb") as file:
        if path.suffix == ".npz":
            return file.read(2) == b"PK"
        if path.suffix == ".csv":
            file.seek(max(file.seek(0, SEEK_END) - 1, 0))
            return file.read() == b"\n"
        start = file.read(len(MAGIC))
        size = file.seek(0, SEEK_END)
        file.seek(max(size - len(MAGIC), 0))
        return start == file.read() == MAGIC and size > 2 * len(MAGIC)


# --- Opening of run folders ---


_ENDED = {"running": "has not ended", "interrupted": "was interrupted", "failed": "failed", "complete": "ended"}


@dataclass(frozen=True)
class Run:
    """A run folder that can be read.

    Parameters
    ----------
    folder
        Path of the folder.
    manifest
        The manifest, which says what was played.
    trust
        Whether Python code that the manifest names may be imported in order to play the run again.
    """

    folder: Path
    manifest: Manifest
    trust: bool = False

    def __repr__(self) -> str:
        made = self.manifest
        return (
            f"<Run {str(self.folder)!r}: {made.game}, {made.players} players, {', '.join(made.strategies)}, "
            f"seed {made.seed}, {made.games_written:,} games, {made.status}; see polars() and pandas()>"
        )

    def _repr_html_(self) -> str:
        with suppress(UsageError):  # a run may have totals instead of rows, or no rows yet
            return f"<p>{escape(repr(self)[1:-1])}</p>{self.polars().head().collect()._repr_html_()}"
        return f"<p>{escape(repr(self)[1:-1])}</p>"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table for libraries that know Arrow's PyCapsule interface, such as `polars.DataFrame(run)`."""
        return self.polars().collect().__arrow_c_stream__(requested_schema)

    @property
    def spec(self) -> Spec:
        """The run's specification, ready to play or replay.

        Raises UsageError if the games were not played here, or a strategy is Python code and `trust` is False.
        """
        refuse_origin(self.manifest, self.folder)
        refuse_code(self.manifest, self.folder, self.trust)
        return self.described

    @property
    def playable(self) -> bool:
        """Whether the games were played here, and the run names no Python code or `trust` is True."""
        if self.manifest.origin is not None:
            return False
        return self.trust or (_code_in(self.manifest) is None and not _withheld(self.manifest))

    @cached_property
    def described(self) -> Spec:
        """The run's specification as far as reading needs it; Python code that it names is not imported."""
        try:
            return spec_of(self.manifest, Code.TRUSTED if self.trust else Code.SEALED)
        except UsageError as error:
            raise UsageError(f"{self.folder / FILE}: {error}") from None

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The names and types of the table's columns."""
        from analysis.runs.frames import schema_of

        return {} if self.manifest.detail == SUMMARY else schema_of(self.described, self.manifest.detail)

    @property
    def table(self) -> list[PartFile]:
        """The files of the table: the Parquet files if there are any, otherwise the CSV files."""
        parts = self.manifest.parts
        return [part for part in parts if part.suffix == ".parquet"] or parts

    def polars(self) -> pl.LazyFrame:
        """Return the table, with one row for each game and seat, as a lazy frame that is not read yet.

        Returns polars.LazyFrame: The table; docs/reference/columns.md describes its columns.
        Raises UsageError if the table has no rows, the rows are not those that were written, or a file is missing or
            damaged.
        """
        import polars as pl

        from analysis.table_files import scan_csv

        if self.manifest.detail == SUMMARY:
            raise UsageError(
                f"{self.folder}: contains totals instead of rows; run the simulation again with the level of detail "
                "'standard'"
            )
        if not self.manifest.parts:
            raise UsageError(f"{self.folder}: no rows; the run {_ENDED[self.manifest.status]} before its first part")
        check_files(self.folder, self.manifest)
        paths = [self.folder / part.file for part in self.table]
        try:
            if self.table[0].suffix == ".parquet":
                frame = pl.scan_parquet(paths, glob=False)
            else:
                frame = scan_csv(paths, self.schema)
            found = frame.collect_schema()
            if list(found) != list(self.schema):
                raise Damaged(f"{self.folder}: the columns of the parts do not match the manifest; the run was changed")
            for name, kind in self.schema.items():
                if found[name] != kind:
                    raise Damaged(f"{paths[0]}: column '{name}' is of type {found[name]}; the run was changed")
            rows = frame.select(pl.len()).collect().item()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise Damaged(f"{self.folder}: a part is damaged: {first_line(error)}") from None
        if rows != self.manifest.rows:
            raise Damaged(
                f"{self.folder}: the parts hold {rows:,} rows, the manifest says {self.manifest.rows:,}; "
                "the run was changed"
            )
        return frame

    def games(self) -> pl.LazyFrame:
        """Return the table of games, with one row for each, of a run made with `tables=["games"]`."""
        return self._extra(GAMES_TABLE)

    def events(self) -> pl.LazyFrame:
        """Return the table of events, of a run made with `tables=["events"]`.

        Its columns are `game_id`, `turn`, `seat` (null for an event of the whole table), `kind`, and the values `a`,
        `b` and `c`, whose meaning depends on the kind; see `Game.events`.

        Raises UsageError if the run was made without that table, or a file is missing or damaged.
        """
        return self._extra(EVENTS_TABLE)

    def _extra(self, table: str) -> pl.LazyFrame:
        import polars as pl

        parts = self.manifest.tables.get(table, [])  # type: ignore[call-overload]
        if not parts:
            raise UsageError(
                f"{self.folder}: has no table of {table}; run the simulation again with the table '{table}'"
            )
        paths = [self.folder / part.file for part in parts]
        return pl.scan_parquet(paths, glob=False) if parts[0].suffix == ".parquet" else pl.scan_csv(paths, glob=False)

    def pandas(self, columns: list[str] | None = None) -> pd.DataFrame:
        """Return the table in memory as a pandas data frame, with one row for each game and seat.

        columns: Names of the columns.  If None, all columns.
        Raises UsageError as for `polars`, or if a column does not exist.
        """
        from analysis.data.pandas_frames import to_pandas

        frame = self.polars()
        for name in columns or ():
            if name not in self.schema:
                raise UsageError(f"{self.folder}: no column '{name}'{nearest(name, self.schema)}")
        return to_pandas((frame if columns is None else frame.select(columns)).collect())


def load(folder: str | Path, partial: bool = False, verify: bool = True, trust: bool = False) -> Run:
    """Open a run folder.

    The manifest must match its checksum.  Every file of the table must have the SHA-256 that the manifest states, and
    contain the games that follow those of the previous file.  This finds damage and careless changes; whether the games
    were played as the manifest says can be checked with `equipoise verify` or `eq.verify`.

    Parameters
    ----------
    folder
        A run folder that `simulate` wrote.
    partial
        Whether to accept a run that ended early, with its complete parts.
    verify
        Whether to check the files.  Without this, a damaged table may be read without an error.
    trust
        Whether Python code that the manifest names may be run when games are played again; reading needs none.

    Returns
    -------
    Run
        The open run; `polars` and `pandas` read its table.

    Raises
    ------
    UsageError
        If the folder is no run folder, or the run is damaged or incomplete.

    References
    ----------
    * docs/reference/columns.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate(players=2, strategies="random", games=400, out="runs/first")
    >>> run = eq.load("runs/first")
    >>> run.polars().select("game_id", "seat").collect().height
    800
    """
    path = Path(folder)
    check_name(path)
    manifest = Manifest.read(path, verify)
    if manifest.status != "complete" and not partial:
        have, wanted = manifest.games_written, manifest.games
        raise UsageError(
            f"{path}: the run {_ENDED[manifest.status]} ({have:,} of {wanted:,} games are complete); run it again",
            way_out=(", or read what there is with", "partial"),
        )
    if verify:
        check_files(path, manifest)
        check_content(path, manifest)
    return Run(path, manifest, trust)


def load_spec(folder: str | Path, trust: bool = False) -> Spec:
    """Return the specification of a run folder, complete or not, without reading its table."""
    path = Path(folder)
    check_name(path)
    return Run(path, Manifest.read(path), trust).spec


def refuse_origin(manifest: Manifest, where: object) -> None:
    """Raise `UsageError` if the games were not played here."""
    if manifest.origin is not None:
        raise UsageError(
            f"{where}: these games were not played here, but read from {shown(manifest.origin.file)}; they cannot be "
            "played again"
        )


def refuse_code(manifest: Manifest, where: object, trust: bool) -> None:
    """Raise `UsageError` if a run's game or a strategy is Python code that the user has neither named nor trusts."""
    if not trust and _withheld(manifest):
        named = manifest.declared.file if manifest.declared else ""
        what = "game" if is_of_library(named) else "game's file"
        raise UsageError(
            f"{where}: the game is Python code ({shown(named, 120)}), which is not run because a run names it; name "
            f"the {what}, as it was when the run was made",
            way_out=(", or say that you trust it with", "trust"),
        )
    if not trust and (code := _code_in(manifest)):
        raise UsageError(
            f"{where}: '{shown(code)}' played in this run; it is Python code, which is not run because a run names it",
            way_out=("; read it, and then say that you trust it with", "trust"),
        )


def _withheld(manifest: Manifest) -> bool:
    """Return whether the game is Python code, and the user has not named the file that the run was made with."""
    return manifest.declared is not None and not take_up(manifest.declared).playable


def _code_in(manifest: Manifest) -> str | None:
    """Return the first reference to Python code among a run's strategies and their bases."""
    for table in manifest.strategy_tables:
        search = table.get("search")
        for found in (table, search.get("base") if isinstance(search, dict) else None):
            if isinstance(found, dict) and found.get("source_sha256") is not None:
                return str(found.get("policy"))
    return None


def spec_of(manifest: Manifest, code: Code) -> Spec:
    """Rebuild the specification that a manifest describes.

    Raises UsageError if this version does not know the game, a rule or a strategy, or the manifest was changed.
    """
    if manifest.origin is not None:
        name = str(manifest.rules.get("name"))
        return declared.spec_of(manifest.origin.game(), manifest.players, name, manifest.games)
    if manifest.declared is None:
        game = load_game(manifest.game)
    else:
        if code is Code.TRUSTED:
            enter(manifest.declared.file, manifest.declared.sha256, manifest.declared.modules)
        game = take_up(manifest.declared)
    rules = Rules.from_dict(game, manifest.rules, manifest.settings)
    strategies = [strategy_from_dict(game, table, code) for table in manifest.strategy_tables]
    if [strategy.name for strategy in strategies] != manifest.strategies:
        raise Damaged("the strategies do not match strategy_tables; the manifest was changed or damaged")
    return assemble_spec(game, manifest.players, strategies, rules, manifest.seed, manifest.design, manifest.games)
