"""Write a run's table into one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from analysis.runs.frames import system_reason
from analysis.runs.load import Run
from analysis.runs.manifest import check_name, first_line
from analysis.table_files import sink_frame
from simcore.errors import Damaged, UsageError, nearest


def write_table(run: Run, path: Path, kind: str, columns: Sequence[str] | None = None) -> int:
    """Stream a run's table into a file; memory does not grow with the run.

    run: The run.
    path: File to write.
    kind: "parquet" or "csv".
    columns: Names of the columns, in this order.  If None, all columns.
    Returns int: Number of rows written.
    Raises UsageError if a column is unknown, or a part is damaged.
    Raises OSError if the file cannot be written.
    """
    check_name(path, "out")
    frame = run.polars()
    for name in columns or ():
        if name not in run.schema:
            hint = (
                nearest(name, run.schema)
                or "; the run's columns are those of docs/reference/columns.md up to its level of detail"
            )
            raise UsageError(f"no column '{name}'{hint}", "columns")
        if list(columns or ()).count(name) > 1:
            raise UsageError(f"'{name}' is given twice; name each column once", "columns")
    if columns:
        frame = frame.select(columns)
    try:
        sink_frame(frame, path, kind)
    except (pl.exceptions.PolarsError, OSError) as error:
        if _readable(frame):
            raise OSError(system_reason(error)) from None
        raise Damaged(f"{run.folder}: a part is damaged: {first_line(error)}") from None
    return run.manifest.rows


def _readable(frame: pl.LazyFrame) -> bool:
    """Return whether every value of a table can be read, so that what failed was the new file."""
    try:
        frame.select(pl.all().hash().sum()).collect(engine="streaming")
    except (pl.exceptions.PolarsError, OSError):
        return False
    return True
