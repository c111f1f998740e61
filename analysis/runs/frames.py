"""The columns of a run as polars frames, and their schema."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.runs.manifest import first_line
from analysis.table_files import scan_csv
from simcore.game import Column
from simcore.running.batch import Spec
from simcore.running.columns import GAMES_TABLE, ColumnBuffer, ExtraBuffer, columns, labels

_FROM_SYSTEM = re.compile(r"([^:]+) \(os error \d+\)")


def system_reason(error: Exception) -> str:
    """Return why a file cannot be written, in the words of the operating system if they are its."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    found = _FROM_SYSTEM.search(str(error).partition("\n")[0])
    return found[1].strip() if found else first_line(error)


def dtype_of(column: Column, spec: Spec) -> pl.DataType:
    """Return the polars type of a column of a run's table."""
    if column.type == "Enum":
        return pl.Enum(list(dict.fromkeys(labels(column, spec))))
    kind: type[pl.DataType] = getattr(pl, column.type)
    return kind()


def schema_of(spec: Spec, detail: str) -> dict[str, pl.DataType]:
    """Return the schema of a run's table, in order."""
    return {column.name: dtype_of(column, spec) for column in columns(spec.game, detail)}


def frame_of(spec: Spec, buffer: ColumnBuffer) -> pl.DataFrame:
    """Return the contents of a buffer as a frame, which shares memory with the buffer if possible.

    A column that has values for only one role is null in the rows of the other roles.
    """
    return pl.DataFrame([_of_role(spec, column, _series(spec, column, values)) for column, values in buffer.filled()])


def _of_role(spec: Spec, column: Column, series: pl.Series) -> pl.Series:
    if not column.role:
        return series
    own = np.tile([role.name == column.role for role in spec.roles], len(series) // spec.players)
    return pl.select(pl.when(pl.Series(own)).then(series).alias(column.name)).to_series()


EVENT_VALUES = ("a", "b", "c")


def extra_frame(spec: Spec, table: str, games: NDArray[np.uint32], extra: ExtraBuffer) -> pl.DataFrame:
    """Return the rows of some games, given by their indices in the run, for one of the further tables."""
    return (_facts if table == GAMES_TABLE else _events)(spec, games, extra)


def _facts(spec: Spec, games: NDArray[np.uint32], extra: ExtraBuffer) -> pl.DataFrame:
    """Return a row for each game."""
    facts = extra.facts()
    columns = {"game_id": pl.Series(games), "deal_id": pl.Series(games // np.uint32(spec.games_per_deal))}
    for column in spec.game.game_columns:
        values = facts[column.field] if column.index is None else facts[column.field][:, column.index]
        columns[column.name] = _series(spec, column, np.ascontiguousarray(values))
    return pl.DataFrame(columns)


def _events(spec: Spec, games: NDArray[np.uint32], extra: ExtraBuffer) -> pl.DataFrame:
    """Return the events of games, in the order in which they happened.

    `seat` is null for an event of the whole table, and so are `a`, `b` and `c` beyond the values that the kind has.
    """
    kinds, notes = spec.game.events, extra.notes()
    events = pl.DataFrame(
        {
            "game_id": games[notes[:, 0]],
            "turn": notes[:, 1],
            "seat": notes[:, 2] + 1,
            "kind": notes[:, 3],
            **{name: notes[:, 4 + number] for number, name in enumerate(EVENT_VALUES)},
        }
    )
    names = pl.Enum([kind.name for kind in kinds])
    used = [[code for code, kind in enumerate(kinds) if len(kind.values) > number] for number in range(3)]
    return events.with_columns(
        pl.when(pl.col("seat") > 0).then(pl.col("seat")).cast(pl.UInt8),
        *(
            pl.when(pl.col("kind").is_in(used[number])).then(pl.col(name)).alias(name)
            for number, name in enumerate(EVENT_VALUES)
        ),
        pl.col("kind").replace_strict(list(range(len(kinds))), names.categories, return_dtype=names),
    )


def read_frame(path: Path, schema: pl.Schema) -> pl.DataFrame:
    """Read a file of a table; a CSV file is read with the given schema, a Parquet file has its own."""
    return pl.read_parquet(path, glob=False) if path.suffix == ".parquet" else scan_csv([path], schema).collect()


def _series(spec: Spec, column: Column, values: np.ndarray[Any, Any]) -> pl.Series:
    series = pl.Series(column.name, values)
    if column.type == "Enum":
        names = labels(column, spec)
        distinct = list(dict.fromkeys(names))
        if len(distinct) < len(names):
            series = series.replace_strict(
                range(len(names)), [distinct.index(name) for name in names], return_dtype=pl.UInt8
            )
        return series.cat.to(pl.Enum(distinct))
    return (series if column.divisor == 1 else series / column.divisor).cast(dtype_of(column, spec))
