"""`equipoise export`: write the table of a run in another format."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.options import UncheckedOption

EXAMPLES = examples(
    "equipoise export runs/first --out first.csv",
    "equipoise export runs/first --columns game_id,seat,coins --out small.parquet",
)


class ExportFormat(StrEnum):
    """The formats in which a table can be written."""

    parquet = "parquet"
    csv = "csv"


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run folder.")],
    out: Annotated[Path, typer.Option("--out", help="File to write.")],
    format_: Annotated[
        ExportFormat | None,
        typer.Option("--format", help="Format of the file: parquet or csv.", show_default="by the ending of FILE"),
    ] = None,
    columns: Annotated[
        str | None, typer.Option("--columns", help="Columns to write, separated by commas.", show_default="all")
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Use a run that ended early, as far as it got.")] = False,
    unchecked: UncheckedOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Write the whole table of a run into one file."""
    from analysis.runs.export import write_table
    from analysis.runs.load import load
    from analysis.runs.manifest import check_name
    from equipoise.files import whole_path
    from simcore.errors import UsageError

    kind = format_.value if format_ else out.suffix.removeprefix(".")
    if kind not in list(ExportFormat):
        raise UsageError(f"--format: '{out.name}' ends neither in .parquet nor in .csv; choose one with --format")
    check_name(out, "out")
    opened = load(run, partial, not unchecked)
    wanted = [name.strip() for name in columns.split(",")] if columns is not None else None
    with whole_path(out, force) as path:
        rows = write_table(opened, path, kind, wanted)
    typer.echo(f"{out}: {rows:,} rows")
