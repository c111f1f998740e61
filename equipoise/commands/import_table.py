"""`equipoise import`: read a table of results, and write it as a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.options import JsonOption
from simcore.errors import UsageError

EXAMPLES = examples(
    "equipoise import results.csv --out runs/mine",
    "equipoise import results.csv --out runs/mine --column seat=Position --column score=Points --lowest-wins",
    "equipoise import BGStatsExport.json --title Azul --out runs/azul --anonymous",
)

ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column", metavar="FIELD=NAME", help="The file's name for a field, such as seat=Position; may be repeated."
    ),
]
TitleOption = Annotated[
    str,
    typer.Option(
        "--title", metavar="NAME", help="Name of the game; in a file of BG Stats with several games, the one to read."
    ),
]
LowestOption = Annotated[bool, typer.Option("--lowest-wins", help="The lowest score wins.")]
NoSeatsOption = Annotated[bool, typer.Option("--no-seats", help="The order of the players means nothing.")]
AnonymousOption = Annotated[
    bool, typer.Option("--anonymous", help="Write A, B, C ... instead of the names of people and groups.")
]


def import_table(
    table: Annotated[Path, typer.Argument(metavar="FILE", help="CSV or Parquet file, or the JSON file of BG Stats.")],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder of the run.")],
    column: ColumnsOption = None,
    title: TitleOption = "",
    lowest_wins: LowestOption = False,
    no_seats: NoSeatsOption = False,
    anonymous: AnonymousOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the runs of an earlier import.")] = False,
    json_: JsonOption = False,
) -> None:
    """Read a table of results from elsewhere, and write it as a run."""
    from equipoise.api.importing import import_table as make
    from equipoise.output.imported import show

    made = make(
        table,
        out,
        columns_of(column),
        title,
        lowest_wins=lowest_wins,
        no_seats=no_seats,
        anonymous=anonymous,
        force=force,
    )
    show(made, json_)


def columns_of(given: list[str] | None) -> dict[str, str]:
    """Return the columns that `--column` names, by field."""
    found = {}
    for one in given or ():
        field, equals, name = one.partition("=")
        if not equals or not field.strip() or not name.strip():
            raise UsageError(f"'{one}': write FIELD=NAME, such as seat=Position", "column")
        found[field.strip().lower()] = name.strip()
    return found
