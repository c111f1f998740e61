"""Checks that the files of a run's table are those that were written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from os import SEEK_END
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analysis.runs.manifest import Manifest, PartFile, first_line
from simcore.errors import Damaged
from simcore.running.batch import Spec
from simcore.running.columns import columns

if TYPE_CHECKING:
    import polars as pl

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

    path: The file.
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
